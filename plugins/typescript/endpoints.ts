import type {
  AppOutline,
  BodyOutline,
  ContentType,
  FormatOutline,
  JsonSchemaObject,
  RouteOutline,
} from '../../core/index.js'
import { formatOf, typeOfRef } from '../../core/plugin-kit.js'
import { changeOf } from './attributes.js'
import { jsonType } from './json-type.js'
import type { Names } from './names.js'
import { type Member, objectOf, wordsOf } from './text.js'

/** A path with entries of a type under it, and its methods. */
export interface Resource {
  readonly path: string
  readonly uid: string
  readonly kind: 'collection' | 'single'
  readonly methods: readonly Method[]
  /** Query parameters that its list takes beside those of the type. */
  readonly asks: RouteOutline['asks']
}

const generated = ['find', 'findOne', 'create', 'update', 'delete'] as const
/** A patch is for a plugin to add. */
const methods = [...generated, 'patch'] as const
export type Method = (typeof methods)[number]

/** The paths of content types, and those of plugins that list entries in the same way. */
export function resourcesOf(outline: AppOutline): Resource[] {
  const done = outline.routes.flatMap(route => doneBy(route, outline) ?? [])
  return done
    .filter(({ method }) => method === 'find')
    .map(({ path, uid, route }): Resource => {
      const has = done.filter(one => one.path === path && one.uid === uid).map(({ method }) => method)
      const kind = outline.types.get(uid).kind === 'singleType' ? 'single' : 'collection'
      return { path, uid, kind, methods: methods.filter(method => has.includes(method)), asks: route.asks }
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

interface Endpoint {
  readonly path: string
  readonly uid: string
  readonly method: Method
  readonly route: RouteOutline
}

/** A route's operation on the entries of a type, if path and behaviour are those of a generated route. */
function doneBy(route: RouteOutline, outline: AppOutline): Endpoint | undefined {
  const { path, isOne } = placeOf(route, outline)
  const answer = answerOf(route)
  if (path === undefined || (answer?.kind !== 'entry' && answer?.kind !== 'entries')) return undefined
  const method = methodOf(route, isOne, outline)
  // A path without an id that returns one entry, such as the caller's own account, is no list.
  const isList = answer.kind === 'entries' || outline.types.get(answer.uid).kind === 'singleType'
  if (method === undefined || (method === 'find' && !isList)) return undefined
  return { path, uid: answer.uid, method, route }
}

/** The path below the prefix of the API, without the id at its end. */
function placeOf({ path }: RouteOutline, { app }: AppOutline): { path?: string; isOne: boolean } {
  const { prefix } = app.api
  if (!path.startsWith(`${prefix}/`)) return { isOne: false }
  const below = path.slice(prefix.length + 1)
  const isOne = below.endsWith('/:id')
  const bare = isOne ? below.slice(0, -4) : below
  return bare.includes(':') ? { isOne } : { path: bare, isOne }
}

/** The client method for a route that behaves like a generated one. */
function methodOf({ method, accepts }: RouteOutline, isOne: boolean, outline: AppOutline): Method | undefined {
  if (method === 'GET') return isOne ? 'findOne' : 'find'
  if (method === 'DELETE') return 'delete'
  if (accepts?.kind !== 'input') return undefined
  const isSingle = outline.types.get(accepts.uid).kind === 'singleType'
  if (method === 'POST' && !isOne) return 'create'
  if (!isOne && !isSingle) return undefined
  return method === 'PUT' ? 'update' : method === 'PATCH' ? 'patch' : undefined
}

const answerOf = ({ answers }: RouteOutline): BodyOutline | undefined => answers?.[200] ?? answers?.[201]

/** The format of a type's entries at the root of a response. */
export function styleOf(type: ContentType, app: AppOutline): 'nested' | 'plain' | 'unknown' {
  const [format, ...others] = new Set(actions.map(action => formatOf(app, type, action)))
  return format && others.length === 0 && isKnownEnvelope(format) ? format.entry : 'unknown'
}

const actions = ['find', 'findOne', 'create', 'update', 'delete']

/** Clients read `{ data }`, and a body that is the entry, or the list, itself. */
function isKnownEnvelope({ shape }: FormatOutline): boolean {
  const entry: JsonSchemaObject = { title: 'entry' }
  const one = shape?.one(entry) as JsonSchemaObject | undefined
  const data = (one?.properties as Record<string, unknown> | undefined)?.data
  return one === entry || data === entry
}

/** The routes beside those that every type has, each with its body and its response. */
export function routeMembers(outline: AppOutline, names: Names, known: (uid: string) => boolean): Member[] {
  const { prefix } = outline.app.api
  const resolve = (ref: unknown) => {
    const uid = typeOfRef(ref)
    return uid !== undefined && known(uid) ? `(${names(uid)} & { id: number })` : undefined
  }
  return outline.routes
    .filter(({ generated, path }) => !generated && path.startsWith(`${prefix}/`))
    .map(route => {
      const path = route.path.slice(prefix.length)
      const members = routeParts(route, path, { types: outline.types, names, known, resolve })
      return { name: `${route.method} ${path}`, type: objectOf(members, '    '), says: route.describe }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function routeParts(route: RouteOutline, path: string, scope: Scope): Member[] {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({ name, type: 'number | string' }))
  const body = bodyType(route, scope)
  return [
    ...(ids.length > 0 ? [{ name: 'params', type: objectOf(ids, '      ') }] : []),
    { name: 'query', type: queryType(route, scope), optional: true },
    ...(body ? [{ name: 'body', ...body }] : []),
    ...answerMember(answerOf(route), scope),
    ...(ids.length > 0 || body?.optional === false ? [{ name: 'needs', type: 'true' }] : []),
  ]
}

function queryType({ asks, asksAs, answers }: RouteOutline, { resolve }: Scope): string {
  const members = Object.entries(asks).map(([name, schema]) => ({
    name,
    type: jsonType(schema, resolve, '      '),
    optional: true,
  }))
  const isOpen = asksAs !== undefined || answers === undefined
  if (!isOpen) return objectOf(members, '      ')
  return members.length > 0 ? `${objectOf(members, '      ')} & Record<string, unknown>` : 'Record<string, unknown>'
}

interface Scope {
  readonly types: AppOutline['types']
  readonly names: Names
  readonly known: (uid: string) => boolean
  readonly resolve: (ref: unknown) => string | undefined
}

/** The body that a route takes; one that is not declared may be anything. */
function bodyType({ accepts, takesBody }: RouteOutline, scope: Scope): BodyType | undefined {
  const { known, resolve } = scope
  switch (accepts?.kind) {
    case undefined:
      return takesBody ? { type: 'unknown', optional: true } : undefined
    case 'nothing':
      return undefined
    case 'input':
      return { type: known(accepts.uid) ? `{ data: ${inputType(accepts, scope)} }` : 'unknown', optional: false }
    case 'json':
      return { type: jsonType(accepts.schema, resolve, '      '), optional: false }
    case 'media':
      return { type: accepts.media.startsWith('multipart/') ? 'FormData' : 'unknown', optional: false }
    default:
      return { type: 'unknown', optional: true }
  }
}

const inputType = ({ uid, creates }: Extract<BodyOutline, { kind: 'input' }>, { names, types }: Scope): string =>
  creates ? `Partial<${names(uid)}Input>` : changeOf(types.get(uid), names(uid))

interface BodyType {
  readonly type: string
  readonly optional: boolean
}

/** The type of the response. If it contains entries, the client infers theirs. */
function answerMember(answer: BodyOutline | undefined, { names, known, resolve }: Scope): Member[] {
  switch (answer?.kind) {
    case 'entry':
    case 'entries':
      return known(answer.uid) ? [{ name: answer.kind, type: `${names(answer.uid)}Type` }] : []
    case 'json':
      return [{ name: 'answer', type: jsonType(answer.schema, resolve, '      ') }]
    case 'nothing':
      return [{ name: 'answer', type: 'null' }]
    default:
      return []
  }
}

/** The paths of the API. */
export const pathMembers = (resources: readonly Resource[], names: Names): Member[] =>
  resources.map(({ path, uid, kind, methods: has }) => {
    const all = kind === 'single' ? generated.filter(method => method !== 'findOne' && method !== 'create') : generated
    const own = generated.filter(method => has.includes(method))
    const only = all.some(method => !has.includes(method)) ? [{ name: 'only', type: wordsOf(own) }] : []
    const patch = has.includes('patch') ? [{ name: 'patch', type: 'true' }] : []
    return { name: path, type: objectOf([{ name: kind, type: `${names(uid)}Type` }, ...only, ...patch], '    ') }
  })
