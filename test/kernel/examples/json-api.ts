import { type ContentType, definePlugin, type FormatAbout } from '../../../core/index.js'

type Entry = Readonly<Record<string, unknown>>
type Linked = Entry | readonly Entry[] | null

/** Responses as JSON:API has them, for requests with `Accept: application/vnd.api+json`. */
export const jsonApi = definePlugin({
  name: 'json-api',
  formats: {
    'json-api': {
      entry: 'plain',
      mediaType: 'application/vnd.api+json',
      wants: { header: 'Accept', test: accepted => accepted.includes('application/vnd.api+json') },
      one: (entry, _, about) => {
        const document = new Document(about)
        return { data: entry && document.resource(entry), ...document.included }
      },
      many: (entries, { pagination }, about) => {
        const document = new Document(about)
        const { self, first, previous: prev, next, last } = about.pages
        const data = entries.map(entry => document.resource(entry))
        return { data, ...document.included, links: { self, first, prev, next, last }, meta: pagination }
      },
      error: ({ status, name, message }) => ({ errors: [{ status: String(status), code: name, detail: message }] }),
    },
  },
})

/** A response: entries behind relations stand beside the data, each once. */
class Document {
  readonly #about: FormatAbout
  readonly #beside = new Map<string, object>()

  constructor(about: FormatAbout) {
    this.#about = about
  }

  get included() {
    return this.#beside.size > 0 ? { included: [...this.#beside.values()] } : {}
  }

  resource({ id, ...values }: Entry) {
    const type = this.#about.typeOf(values) as ContentType
    const attributes: Record<string, unknown> = {}
    const relationships: Record<string, unknown> = {}
    // Components belong to the entry; relations and files lead to others, also where there is none.
    for (const [name, value] of Object.entries(values))
      if (type.links.get(name)?.shape !== 'data') attributes[name] = value
      else relationships[name] = isCount(value) ? { meta: value } : { data: this.#linked(value as Linked) }
    return { ...this.#reference(values, id), attributes, relationships }
  }

  #linked(value: Linked): unknown {
    if (value === null) return null
    if (Array.isArray(value)) return value.map(entry => this.#linked(entry))
    const { id, ...values } = value as Entry
    const reference = this.#reference(values, id)
    const key = `${reference.type} ${id}`
    if (!this.#beside.has(key)) this.#beside.set(key, this.resource(value as Entry))
    return reference
  }

  #reference(values: Entry, id: unknown) {
    return { type: this.#about.typeOf(values)?.pluralName ?? '', id: String(id) }
  }
}

/** The value of `populate[tags][count]=true`, in place of entries. */
const isCount = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'count' in value && !('id' in value)
