import type { SchemaOfApp, SchemaType } from '../schema.js'
import { isObject, type Json, type JsonObject, parsed, written } from './text.js'

/** Texts of files in place of those of the app, by their paths; null where there is to be none. */
export type Drafts = Readonly<Record<string, string | null>>

/** A type or component as it is drawn. */
export interface DrawnType {
  readonly uid: string
  readonly kind: SchemaType['kind']
  readonly name: string
  readonly singular: string
  readonly plural: string
  readonly table: string
  readonly path: string
  readonly text: string
  /** Undefined while its text is no schema. */
  readonly schema: JsonObject | undefined
  /** The schema of the app; undefined for one that is new. */
  readonly stored: JsonObject | undefined
  /** The type as it runs, also under a former name; undefined for one that is new. */
  readonly running: SchemaType | undefined
}

/** The schemas of an app with what is drawn over them. It is not changed: each change makes another one. */
export class Drawing {
  readonly app: SchemaOfApp
  readonly drafts: Drafts
  #types: readonly DrawnType[] | undefined

  constructor(app: SchemaOfApp, drafts: Drafts) {
    this.app = app
    this.drafts = drafts
  }

  /** Types and components in files, those left out that are to be removed. */
  get types(): readonly DrawnType[] {
    this.#types ??= this.#drawn()
    return this.#types
  }

  type(uid: string): DrawnType | undefined {
    return this.types.find(type => type.uid === uid)
  }

  /** Types that relations may lead to, with those that are in no file. */
  get targets(): readonly Pick<DrawnType, 'uid' | 'name' | 'singular'>[] {
    const others = this.app.types.filter(({ file }) => file === null)
    return [...this.types.filter(({ kind }) => kind !== 'component'), ...others]
  }

  /** The schema of a type with a change in it. */
  change(uid: string, work: (schema: JsonObject) => JsonObject): Drawing {
    const type = this.type(uid)
    if (!type?.schema) return this
    const before = type.running?.text ?? type.text
    return this.with(type.path, written(work(type.schema), before))
  }

  /** A text of a file; that of the app, or one that is not there, is no draft. */
  with(path: string, text: string | null): Drawing {
    const { [path]: _, ...others } = this.drafts
    const stored = this.#running.find(({ file }) => file === path)?.text ?? null
    return new Drawing(this.app, text === stored ? others : { ...others, [path]: text })
  }

  get #running(): readonly SchemaType[] {
    return [...this.app.types, ...this.app.components]
  }

  #drawn(): readonly DrawnType[] {
    const stored = this.#running.flatMap(running => {
      const { file, text } = running
      if (file === null || text === null || this.drafts[file] === null) return []
      return [drawn(file, this.drafts[file] ?? text, running)]
    })
    const paths = new Set(this.#running.map(({ file }) => file))
    const fresh = Object.entries(this.drafts).flatMap(([path, text]) =>
      text === null || paths.has(path) ? [] : [drawn(path, text, this.#former(path, text))],
    )
    return [...stored, ...fresh]
  }

  /** The type that a new file is another name of: its own file is to be removed. */
  #former(path: string, text: string): SchemaType | undefined {
    const name = textIn(parsed(text), 'renamedFrom')
    if (name === undefined) return undefined
    const uid = name.includes('::') || isComponent(path) ? name : `api::${name}.${name}`
    return this.#running.find(one => one.uid === uid && one.file !== null && this.drafts[one.file] === null)
  }
}

function drawn(path: string, text: string, running: SchemaType | undefined): DrawnType {
  const schema = parsed(text)
  const info = objectIn(schema, 'info')
  const named = textIn(info, 'singularName')
  const isInPlace = running?.file === path
  const uid = isInPlace ? running.uid : uidOf(path, named ?? '')
  const singular = isInPlace ? running.singular : (named ?? nameIn(path))
  return {
    ...{ uid, singular, path, text, schema, running },
    kind:
      running?.kind ??
      (isComponent(path) ? 'component' : schema?.kind === 'singleType' ? 'singleType' : 'collectionType'),
    name: textIn(info, 'displayName') ?? (isInPlace ? running.name : singular),
    plural: textIn(info, 'pluralName') ?? (isInPlace ? running.plural : singular),
    table: textIn(schema, 'collectionName') ?? singular,
    stored: running?.text == null ? undefined : parsed(running.text),
  }
}

const isComponent = (path: string): boolean => /^(content-types|src)\/components\//.test(path)

const nameIn = (path: string): string => path.replace(/(\/schema)?\.json$/, '').replace(/^.*\//, '')

/** The uid under which a type is stored, where the drawing has another one. */
export const formerUid = ({ uid, running }: DrawnType): string | undefined =>
  running && running.uid !== uid ? running.uid : undefined

/** The uid that the server gives to the type of a file. */
function uidOf(path: string, singular: string): string {
  const name = nameIn(path)
  if (isComponent(path)) return `${path.split('/').at(-2)}.${name}`
  const [, api] = /^src\/api\/([^/]+)\//.exec(path) ?? []
  return `api::${api ?? (singular || name)}.${singular || name}`
}

export const objectIn = (value: JsonObject | undefined, key: string): JsonObject => {
  const found = value?.[key]
  return isObject(found) ? found : {}
}

export const textIn = (value: JsonObject | undefined, key: string): string | undefined => {
  const found = value?.[key]
  return typeof found === 'string' ? found : undefined
}

export const listIn = (value: JsonObject | undefined, key: string): readonly Json[] => {
  const found = value?.[key]
  return Array.isArray(found) ? found : []
}

/** The attributes of a schema in the order of its file; what is no object is none. */
export const attributesOf = (schema: JsonObject | undefined): readonly (readonly [string, JsonObject])[] =>
  Object.entries(objectIn(schema, 'attributes')).flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : []))

export const attributeOf = (type: DrawnType | undefined, name: string): JsonObject | undefined =>
  attributesOf(type?.schema).find(([one]) => one === name)?.[1]
