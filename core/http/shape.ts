import type { Action } from '../query/ask.js'
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js'

/**
 * The form of a body: a JSON schema, or a word that stands for a schema made from the content types of the app. Within a schema,
 * `refTo(uid)` stands for an entry as a flat object.
 */
export type Shape = EntryShape | EntriesShape | InputShape | QueryShape | MediaShape | JsonSchemaObject | 'nothing'

/** A shape by its kind, as readers of the outline get it. */
export type BodyOutline =
  | { readonly kind: 'entry' | 'entries'; readonly uid: string }
  | { readonly kind: 'input'; readonly uid: string; readonly required: boolean; readonly creates: boolean }
  | { readonly kind: 'query'; readonly uid: string; readonly action: Action }
  | { readonly kind: 'media'; readonly media: string; readonly schema?: JsonSchema }
  | { readonly kind: 'json'; readonly schema: JsonSchemaObject }
  | { readonly kind: 'nothing' }

/** The kind of a shape. */
export function bodyOutline(shape: Shape): BodyOutline {
  if (shape === 'nothing') return { kind: 'nothing' }
  const { entry, entries, input, required, creates, query, media, schema } = shape as Partial<
    EntryShape & EntriesShape & InputShape & QueryShape & MediaShape
  >
  if (typeof entry === 'string') return { kind: 'entry', uid: entry }
  if (typeof entries === 'string') return { kind: 'entries', uid: entries }
  if (typeof input === 'string') {
    const isWhole = required === true
    return { kind: 'input', uid: input, required: isWhole, creates: isWhole || creates === true }
  }
  if (typeof query === 'object') return { kind: 'query', ...query }
  if (typeof media === 'string') return { kind: 'media', media, ...(schema !== undefined && { schema }) }
  return { kind: 'json', schema: shape as JsonSchemaObject }
}

/** The bodies of responses by their status; a shape alone is that of 200. */
export function answersOutline(answers: Answers): Readonly<Record<number, BodyOutline>> {
  const byStatus = typeof answers === 'object' && Object.keys(answers).every(key => /^\d{3}$/.test(key))
  const shapes = byStatus ? (answers as Readonly<Record<number, Shape>>) : { 200: answers as Shape }
  return Object.fromEntries(Object.entries(shapes).map(([status, shape]) => [status, bodyOutline(shape)]))
}

/** The shape of a response, or those of several by status. */
export type Answers = Shape | Readonly<Record<number, Shape>>

/** A response with one entry of a type, in the format of the type. */
export interface EntryShape {
  readonly entry: string
}

/** A response with a list of entries of a type, in the format of the type. */
export interface EntriesShape {
  readonly entries: string
}

/** A body `{ data }` with the attributes of a type. */
export interface InputShape {
  readonly input: string
  /** It creates an entry: all that the type requires has to be there. */
  readonly required?: boolean
  /** It creates an entry, of which not everything has to be sent. */
  readonly creates?: boolean
}

/** A body with the query parameters of content as one object: those of an action on a type. */
export interface QueryShape {
  readonly query: ContentQuery
}

/** A body that is not JSON: a file, a page, a form. */
export interface MediaShape {
  /** `text/html`; a range such as `*` followed by `/*` where it may be any. */
  readonly media: string
  /** The schema of its parts, if it has any: those of a form. */
  readonly schema?: JsonSchema
}

/** The query parameters of content that a route takes: those of an action on a type. */
export interface ContentQuery {
  readonly uid: string
  /** `find` for a list with pages, `findOne` for one entry, `create`, `update`, `delete` for writes. */
  readonly action: Action
  /** The parameters of the action that the route does not take. */
  readonly without?: readonly string[]
}

const refPrefix = 'stele:entry/'

/** A schema that stands for an entry as a flat object, as `entries(uid)` gives it, without private attributes. */
export const refTo = (uid: string): JsonSchemaObject => ({ $ref: refPrefix + uid })

/** The type that a reference of `refTo` stands for; undefined for any other. */
export const typeOfRef = (ref: unknown): string | undefined =>
  typeof ref === 'string' && ref.startsWith(refPrefix) ? ref.slice(refPrefix.length) : undefined
