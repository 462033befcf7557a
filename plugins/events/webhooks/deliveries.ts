import { change, type Host, rowsOf, type Session } from '../../../core/index.js'
import { deliveryUid } from './content-types.js'

export const states = ['pending', 'done', 'failed'] as const
export type State = (typeof states)[number]

export interface NewDelivery {
  readonly webhook: string
  readonly event: number
  readonly name: string
  readonly subject: string
  readonly position: number
  readonly body: string
  /** The W3C `traceparent` of the request that it tells of. */
  readonly trace: string | null
}

export interface Delivery extends NewDelivery {
  readonly id: number
  readonly state: State
  readonly tries: number
  readonly due: number
  readonly made: number
  readonly tried: number | null
  readonly took: number | null
  readonly status: number | null
  readonly reply: string | null
}

/** The result of an attempt. */
export type Outcome = Pick<Delivery, 'state' | 'tries' | 'due' | 'tried' | 'took' | 'status' | 'reply'>

const columns = [
  ...['id', 'webhook', 'event', 'name', 'subject', 'position', 'body', 'trace', 'state', 'tries', 'due'],
  ...['made', 'tried', 'took', 'status', 'reply'],
] as const
const texts: readonly string[] = ['webhook', 'name', 'subject', 'body', 'trace', 'state', 'reply']

/** The rows of pending and past deliveries. */
export class Deliveries {
  readonly #host: Host
  readonly #table: string

  constructor(host: Host) {
    this.#host = host
    this.#table = host.types.get(deliveryUid).table
  }

  async add(deliveries: readonly NewDelivery[], session: Session): Promise<void> {
    const now = Date.now()
    for (const one of deliveries)
      await change(session, this.#rows().insert({ ...one, state: 'pending', tries: 0, due: now, made: now }))
  }

  /** Deliveries that can be sent now: of each subject only the first that a webhook has not received. */
  async due(now: number, { but, full }: Busy, limit: number): Promise<Delivery[]> {
    const { knex } = this.#host.store
    const earlier = knex(`${this.#table} as e`)
      .select('e.id')
      .where('e.state', 'pending')
      .whereRaw('e.webhook = d.webhook and e.subject = d.subject')
      .whereRaw('(e.position < d.position or (e.position = d.position and e.id < d.id))')
    const query = knex(`${this.#table} as d`)
      .select(columns.map(name => `d.${name}`))
      .where('d.state', 'pending')
      .where('d.due', '<=', now)
      .whereNotIn('d.id', [...but])
      .whereNotIn('d.webhook', [...full])
      .whereNotExists(earlier)
      .orderBy('d.position')
      .limit(limit)
    return this.#read(query)
  }

  /** Time of the next due delivery, in milliseconds since 1970. */
  async nextDue(): Promise<number | undefined> {
    const query = this.#rows().min('due').where({ state: 'pending' })
    const due = (await rowsOf(this.#host.store.reader, query))[0]?.[0]
    return due === null || due === undefined ? undefined : Number(due)
  }

  /** Creation time of the oldest pending delivery, in milliseconds since 1970. */
  async oldest(): Promise<number | undefined> {
    const query = this.#rows().min('made').where({ state: 'pending' })
    const made = (await rowsOf(this.#host.store.reader, query))[0]?.[0]
    return made === null || made === undefined ? undefined : Number(made)
  }

  async settle(id: number, outcome: Outcome, session: Session): Promise<void> {
    await change(
      session,
      this.#rows()
        .where({ id, state: 'pending' })
        .update({ ...outcome }),
    )
  }

  /** Drops the pending deliveries of this webhook. */
  async drop(webhook: string, reply: string, session: Session): Promise<void> {
    await change(session, this.#rows().where({ webhook, state: 'pending' }).update({ state: 'failed', reply }))
  }

  /** The latest first. */
  async list({ webhook, state, before, limit = 50 }: DeliveryFilter): Promise<Delivery[]> {
    const where = { ...(webhook !== undefined && { webhook }), ...(state !== undefined && { state }) }
    const query = this.#rows().select(columns).where(where).orderBy('id', 'desc').limit(limit)
    if (before !== undefined) query.where('id', '<', before)
    return this.#read(query)
  }

  async one(id: number): Promise<Delivery | undefined> {
    return (await this.#read(this.#rows().select(columns).where({ id })))[0]
  }

  /** Has deliveries sent again, once more with all tries; tells how many. */
  async replay(wanted: { readonly id: number } | { readonly webhook: string; readonly state: State }): Promise<number> {
    const again = { state: 'pending', tries: 0, due: Date.now() }
    const { changes } = await this.#host.store.transaction(session =>
      change(session, this.#rows().where(wanted).whereNot({ state: 'pending' }).update(again)),
    )
    return changes
  }

  /** Deletes deliveries that were settled before a time. */
  async prune(before: Date): Promise<void> {
    const old = this.#rows().whereNot({ state: 'pending' }).where('made', '<', before.getTime()).delete()
    await this.#host.store.transaction(session => change(session, old))
  }

  async #read(query: Parameters<typeof rowsOf>[1]): Promise<Delivery[]> {
    const rows = await rowsOf(this.#host.store.reader, query)
    return rows.map(row => {
      const value = (name: string, index: number) => {
        const raw = row[index]
        if (raw === null || raw === undefined) return null
        return texts.includes(name) ? String(raw) : Number(raw)
      }
      return Object.fromEntries(columns.map((name, index) => [name, value(name, index)])) as unknown as Delivery
    })
  }

  #rows() {
    return this.#host.store.knex(this.#table)
  }
}

/** Deliveries in flight, and receivers that accept no more at the moment. */
interface Busy {
  readonly but: readonly number[]
  readonly full: readonly string[]
}

interface DeliveryFilter {
  readonly webhook?: string | undefined
  readonly state?: string | undefined
  /** Only those before the one with this id. */
  readonly before?: number | undefined
  readonly limit?: number
}
