import { type Caller, type Host, rowsOf } from '../../../core/index.js'
import type { TransactionSession } from '../../../core/plugin-kit.js'
import { addedUid } from './content-types.js'
import { type WebhookRow, WebhookRows } from './rows.js'
import type { Webhook } from './webhook.js'

/** A change of a stored webhook: absent before it was added, and once it is deleted. */
export interface WebhookChange {
  readonly id: number
  readonly from?: WebhookRow
  readonly to?: WebhookRow
  readonly caller: Caller
}

type Follower = (change: WebhookChange, session: TransactionSession) => void

const [ofPanel, added] = ['panel:', 'added:']

/** The place that stores a webhook; undefined for those that files declare. */
export function placeOf({ key }: Pick<Webhook, 'key'>): 'panel' | 'added' | undefined {
  if (key.startsWith(ofPanel)) return 'panel'
  return key.startsWith(added) ? 'added' : undefined
}

/** The webhooks that are stored: in the table of Strapi 4's panel where the database has it, else in one of this plugin. */
export class StoredWebhooks {
  readonly #host: Pick<Host, 'app' | 'store' | 'types'>
  readonly #panel: WebhookRows
  readonly #own: WebhookRows
  readonly #followers: Follower[] = []
  #hasPanel: boolean | undefined

  constructor(host: Pick<Host, 'app' | 'store' | 'types'>) {
    this.#host = host
    this.#panel = new WebhookRows(host, { table: 'strapi_webhooks', beginning: ofPanel })
    this.#own = new WebhookRows(host, { table: host.types.get(addedUid).table, beginning: added })
    if (host.app.project === 'stele') this.#hasPanel = false
  }

  /** Calls back in the transaction of each change. */
  follow(follower: Follower): void {
    this.#followers.push(follower)
  }

  async all(): Promise<Awaited<ReturnType<WebhookRows['all']>>> {
    if (this.#hasPanel !== false) {
      const rows = await this.#panel.all().catch(async error => {
        if (this.#hasPanel) throw error
        // The database answers, so it is the table that is not there: this server made the database.
        const { reader, knex } = this.#host.store
        await rowsOf(reader, knex.select(knex.raw('1')))
      })
      this.#hasPanel = rows !== undefined
      if (rows) return rows
    }
    return this.#own.all()
  }

  /** Stores a new one, and returns its key. */
  add(to: WebhookRow, caller: Caller): Promise<string> {
    return this.#host.store.transaction(async session => {
      const { id, key } = await this.#rows.add(to, session)
      this.#tell({ id, to, caller }, session)
      return key
    })
  }

  /** Changes one to what is made of it while others cannot. */
  async update(key: string, caller: Caller, make: (stored: WebhookRow) => WebhookRow): Promise<void> {
    await this.#host.store.transaction(async session => {
      const from = await this.#rows.locked(key, session)
      const to = make(from)
      await this.#rows.update(from, to, session)
      this.#tell({ id: from.id, from, to, caller }, session)
    })
  }

  async delete(key: string, caller: Caller): Promise<void> {
    await this.#host.store.transaction(async session => {
      const from = await this.#rows.locked(key, session)
      await this.#rows.delete(from, session)
      this.#tell({ id: from.id, from, caller }, session)
    })
  }

  /** The table is known once webhooks were read. */
  get #rows(): WebhookRows {
    return this.#hasPanel ? this.#panel : this.#own
  }

  #tell(change: WebhookChange, session: TransactionSession): void {
    for (const follower of this.#followers) follower(change, session)
  }
}
