import { definePlugin, type Host, NotFoundError, type Route, ValidationError } from '../../core/index.js'
import { describeComponent, describeType } from './describe.js'
import { words } from './schema-words.js'

interface Schemas {
  readonly types: readonly { readonly uid: string; readonly schema: { readonly kind: unknown } }[]
  readonly components: readonly { readonly uid: string }[]
}

/** The schemas of the app, as Strapi 4 tells them to programs that have the permission to see them. */
export const contentTypeBuilder = definePlugin({
  name: 'content-type-builder',
  describe: 'the schemas of the app, for programs',
  standardIn: { strapi4: true },
  words,
  register: ({ types }: Host): Schemas => {
    const all = [...types.types.values()]
    return {
      types: all.filter(isPublic).map(describeType),
      components: all.filter(({ kind }) => kind === 'component').map(describeComponent),
    }
  },
  routes: [
    ...reading('components', 'Component', ({ components }) => components),
    ...reading('content-types', 'ContentType', ({ types }) => types),
  ],
})

/** Accounts of the panel, and plugins' own types, are not shown. */
const isPublic = ({ uid, table }: { readonly uid: string; readonly table: string }): boolean =>
  /^(api|plugin)::/.test(uid) && !table.startsWith('stele_')

type SchemaList = Schemas['types' | 'components']

/** `GET /content-type-builder/components` and `/components/:uid`, each with a permission of its own. */
function reading(name: string, noun: string, listOf: (schemas: Schemas) => SchemaList): Route<Schemas>[] {
  const path = `/content-type-builder/${name}`
  const uid = `plugin::content-type-builder.${name}`
  return [
    {
      method: 'GET',
      path,
      uid,
      action: `get${noun}s`,
      describe: `the schemas of all ${name}`,
      asks: { kind: { type: 'string', enum: ['collectionType', 'singleType'] } },
      answers: dataOf({ type: 'array', items: { type: 'object' } }),
      run: ({ query, service }) => ({ data: ofKind(listOf(service), query.kind) }),
    },
    {
      method: 'GET',
      path: `${path}/:uid`,
      uid,
      action: `get${noun}`,
      describe: `the schema of one of ${name}`,
      answers: dataOf({ type: 'object' }),
      run({ params, service }) {
        const found = listOf(service).find(one => one.uid === params.uid)
        if (!found) throw new NotFoundError(`${noun[0]?.toLowerCase()}${noun.slice(1)}.notFound`)
        return { data: found }
      },
    },
  ]
}

function dataOf(data: object) {
  return { type: 'object', properties: { data }, required: ['data'] }
}

const kinds: readonly unknown[] = ['collectionType', 'singleType']

function ofKind(listed: SchemaList, kind: unknown): SchemaList {
  if (kind === undefined) return listed
  if (!kinds.includes(kind)) throw new ValidationError(`kind is ${kinds.join(' or ')}`)
  return (listed as Schemas['types']).filter(({ schema }) => schema.kind === kind)
}
