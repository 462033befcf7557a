import type { Entry } from '../query/ask.js'
import type { JsonSchema } from '../schema/json-schema.js'

/** What a response is made of, beside its entries. */
export interface Meta {
  readonly pagination?: Readonly<Record<string, number | string | null>>
  readonly [key: string]: unknown
}

/** How responses are written. The entry's own shape is `nested` ({ id, attributes }) or `plain` (one flat object). */
export interface Format {
  readonly entry: 'nested' | 'plain'
  readonly one: (entry: Entry | null, meta: Meta) => unknown
  readonly many: (entries: Entry[], meta: Meta) => unknown
  /** Entries, populated ones too, have their id as a text under this name, unless their type has an attribute of it. */
  readonly idText?: string
  readonly error?: (error: Readonly<Record<string, unknown>>) => unknown
  /**
   * Requests in which a header has such a value are answered in it, whatever the settings say, but for types whose schema
   * names a format. Of several formats that want a request the first gets it, in the order of the plugins.
   */
  readonly wants?: { readonly header: string; readonly test: (value: string) => boolean }
  /** What these three make of the schemas of what they are given. */
  readonly shape?: FormatShape
}

/** JSON schemas of responses, made of the schema of an entry, of `meta`, or of the object that tells of an error. */
export interface FormatShape {
  readonly one: (entry: JsonSchema) => JsonSchema
  readonly many: (entry: JsonSchema, meta: JsonSchema) => JsonSchema
  readonly error?: (error: JsonSchema) => JsonSchema
}

const anyObject = { type: 'object' }
const object = (properties: Readonly<Record<string, JsonSchema>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** Responses where no format is chosen. */
export const usualShape: Required<FormatShape> = {
  one: entry => object({ data: entry, meta: anyObject }),
  many: (entry, meta) => object({ data: { type: 'array', items: entry }, meta }),
  error: error => object({ data: { type: 'null' }, error }),
}
