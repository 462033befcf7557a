import { change, type Host, NotFoundError, rowsOf, type Session } from '../../../core/index.js'

/** A webhook as a row says it: one of Strapi 4's panel, or one of this plugin, which has the same columns. */
export interface WebhookRow {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly events: readonly string[]
  readonly enabled: boolean
}

interface StoredRow extends WebhookRow {
  readonly id: number
}

/** The events that rows may name; Strapi 4 knows no patterns. */
export const rowEvents: readonly string[] = [
  ...['create', 'update', 'delete', 'publish', 'unpublish'].map(name => `entry.${name}`),
  ...['create', 'update', 'delete'].map(name => `media.${name}`),
]

/** A table of webhooks. */
export interface WebhookTable {
  readonly table: string
  /** The beginning of the keys of its webhooks. */
  readonly beginning: string
}

/** The webhooks of one table. */
export class WebhookRows {
  readonly #host: Pick<Host, 'store'>
  readonly #at: WebhookTable

  constructor(host: Pick<Host, 'store'>, at: WebhookTable) {
    this.#host = host
    this.#at = at
  }

  async all(): Promise<readonly (StoredRow & { readonly key: string })[]> {
    const rows = await rowsOf(this.#host.store.reader, this.#select().orderBy('id'))
    return rows.map(row => this.#read(row)).map(one => ({ ...one, key: `${this.#at.beginning}${one.id}` }))
  }

  /** Stores a new one. */
  async add(webhook: WebhookRow, session: Session): Promise<{ readonly id: number; readonly key: string }> {
    const { store } = this.#host
    const insert = store.knex(this.#at.table).insert(this.#row(webhook))
    const id = store.facts.returnsIds
      ? Number((await rowsOf(session, insert.returning('id')))[0]?.[0])
      : Number((await change(session, insert)).id)
    return { id, key: `${this.#at.beginning}${id}` }
  }

  /** The webhook of a key, while others cannot change it. */
  async locked(key: string, session: Session): Promise<StoredRow> {
    const query = this.#select().where({ id: Number(key.slice(this.#at.beginning.length)) })
    const { oneWriter } = this.#host.store.facts
    const [row] = await rowsOf(session, oneWriter ? query : query.forUpdate())
    if (!row) throw new NotFoundError()
    return this.#read(row)
  }

  async update({ id }: StoredRow, wished: WebhookRow, session: Session): Promise<void> {
    const rows = this.#host.store.knex(this.#at.table).where({ id })
    await change(session, rows.update(this.#row(wished)))
  }

  async delete({ id }: StoredRow, session: Session): Promise<void> {
    await change(session, this.#host.store.knex(this.#at.table).where({ id }).delete())
  }

  #select() {
    return this.#host.store.knex(this.#at.table).select('id', 'name', 'url', 'headers', 'events', 'enabled')
  }

  #read([id, name, url, headers, events, enabled]: readonly unknown[]): StoredRow {
    const { decode } = this.#host.store
    return {
      ...{ id: Number(id), name: String(name), url: String(url) },
      headers: (decode('json', headers) ?? {}) as Record<string, string>,
      events: (decode('json', events) ?? []) as string[],
      enabled: decode('boolean', enabled) === true,
    }
  }

  #row({ name, url, headers, events, enabled }: WebhookRow) {
    return {
      ...{ name, url, headers: JSON.stringify(headers), events: JSON.stringify(events) },
      enabled: this.#host.store.encode('boolean', enabled) as boolean,
    }
  }
}
