import type { ContentType, Entry, Format, FormatAbout, JsonSchema } from '../../core/index.js'

/** The parts of the usual form that are removed. */
export interface Removal {
  /** `attributes` of entries. */
  readonly attributes: boolean
  /** `data` of relations and files. */
  readonly data: boolean
}

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Entries with less around them. Links alone are followed: the JSON of attributes stays as it is. */
export class EntryTransformer {
  readonly #removed: Removal
  readonly #typeOf: FormatAbout['typeOf']

  constructor(removed: Removal, { typeOf }: FormatAbout) {
    this.#removed = removed
    this.#typeOf = typeOf
  }

  /** An entry that a format is handed. */
  entry(entry: Entry): unknown {
    const { attributes, data } = this.#removed
    if (attributes && data) return entry
    const { id, ...values } = this.#values(entry)
    return attributes ? { id, ...values } : { id, attributes: values }
  }

  /** The attributes of an entry or a component. */
  #values(entry: Entry): Entry {
    const type = this.#typeOf(entry)
    if (!type) return entry
    return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, this.#value(type, name, value)]))
  }

  #value(type: ContentType, name: string, value: unknown): unknown {
    const link = type.links.get(name)
    if (!link) return value
    // Entries of any type may be plain, as components are.
    if (link.shape !== 'data' || !isObject(value) || !('data' in value)) return this.#parts(value)
    const inner = this.#relation(value.data)
    return this.#removed.data ? inner : { data: inner }
  }

  #parts(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.#parts(item))
    return isObject(value) ? this.#values(value) : value
  }

  /** The entries behind a relation, each in its envelope, or their number. */
  #relation(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.#relation(item))
    if (!isObject(value)) return value
    const { attributes, ...rest } = value as { readonly attributes: Entry }
    const values = this.#values(attributes)
    return this.#removed.attributes ? { ...rest, ...values } : { ...rest, attributes: values }
  }
}

/** Schemas of responses. Where one of the two is removed, no schema of an entry fits, and only the outermost parts are said. */
export function shapeFor({ attributes, data }: Removal): FormatShape {
  const outer = attributes ? withId({}) : withId({ attributes: { type: 'object' } })
  const shown = (entry: JsonSchema) => (attributes && data ? entry : outer)
  return {
    one: entry => responseOf(shown(entry), { type: 'object' }),
    many: (entry, meta) => responseOf({ type: 'array', items: shown(entry) }, meta),
  }
}

type FormatShape = NonNullable<Format['shape']>

const objectOf = (properties: Readonly<Record<string, JsonSchema>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const withId = (properties: Readonly<Record<string, JsonSchema>>) =>
  objectOf({ id: { type: 'integer' }, ...properties })

const responseOf = (data: JsonSchema, meta: JsonSchema) => objectOf({ data, meta })
