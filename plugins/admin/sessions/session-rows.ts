import {
  change,
  type Entry,
  type Host,
  rowsOf,
  type SettingsOf,
  type Session as Transaction,
} from '../../../core/index.js'
import { sessionUid } from './session-type.js'
import { millisecondsOf, type sessionsSettings } from './settings.js'

/** A session as it is stored; times are milliseconds since 1970. */
export interface StoredSession {
  readonly id: number
  readonly hash: string
  readonly former: string | null
  readonly account: number
  readonly stamp: string
  readonly kept: boolean
  readonly created: number
  readonly renewed: number
  readonly used: number | null
  readonly seen: number
  readonly ends: number
  readonly address: string | null
  readonly agent: string | null
}

type NewSession = Pick<StoredSession, 'hash' | 'account' | 'stamp' | 'kept' | 'address' | 'agent'>

export type SessionKey = Pick<StoredSession, 'id'> | Pick<StoredSession, 'hash'>

type RowsHost = Pick<Host, 'store' | 'types' | 'entries'>

const fields = [
  ...['hash', 'former', 'account', 'stamp', 'kept', 'created', 'renewed', 'used', 'seen', 'ends'],
  ...['address', 'agent'],
]

/** The table of sessions. */
export class SessionRows {
  readonly #host: RowsHost
  readonly #lifetimes: SettingsOf<typeof sessionsSettings>
  #swept = 0

  constructor(host: RowsHost, lifetimes: SettingsOf<typeof sessionsSettings>) {
    this.#host = host
    this.#lifetimes = lifetimes
  }

  async create(session: NewSession, within: Transaction): Promise<StoredSession> {
    await this.#sweep(within)
    const now = Date.now()
    const ends = this.endOf({ kept: session.kept, created: now }, now)
    const times = { created: now, renewed: now, used: now, seen: now, ends }
    const { id } = await this.#host.entries(sessionUid, within).create({ ...session, ...textsOf(times) })
    return { ...session, ...times, id: Number(id), former: null }
  }

  /** A session by its id, by the hash of its token, or by that of the token before. */
  async by(key: SessionKey): Promise<StoredSession | undefined> {
    const where =
      'id' in key ? { id: { $eq: key.id } } : { $or: [{ hash: { $eq: key.hash } }, { former: { $eq: key.hash } }] }
    return (await this.#find(where))[0]
  }

  /** The sessions of an account that have not ended, the latest used first. */
  async of(account: number): Promise<StoredSession[]> {
    const found = await this.#find({ account: { $eq: account }, ends: { $gt: String(Date.now()) } })
    return found.sort((one, other) => other.seen - one.seen)
  }

  /** The last sign-in of each account whose session is still there. */
  async latest(): Promise<ReadonlyMap<number, Date>> {
    const query = this.#rows().select('account').max('created').groupBy('account')
    const found = await rowsOf(this.#host.store.reader, query)
    return new Map(found.map(([account, created]) => [Number(account), new Date(Number(created))]))
  }

  /** The time at which a session ends that is seen now, and not again. */
  endOf({ kept, created }: Pick<StoredSession, 'kept' | 'created'>, now: number): number {
    const { idle, most } = kept ? this.#lifetimes.kept : this.#lifetimes.usual
    return Math.min(now + millisecondsOf(idle), created + millisecondsOf(most))
  }

  /** Gives a session its next token in place of the one that was sent; false where it has another one already, or has ended. */
  async renew(session: StoredSession, { sent, hash }: { sent: string; hash: string }): Promise<boolean> {
    const now = Date.now()
    const next = { hash, former: sent, renewed: now, used: null, seen: now, ends: this.endOf(session, now) }
    return this.#change({ id: session.id, hash: session.hash }, rows => rows.update(next))
  }

  /** Records that a session was used; processes that do so at once write it once. */
  async see(session: StoredSession, now: number, precision: number): Promise<void> {
    const ends = this.endOf(session, now)
    await this.#change({ id: session.id }, rows =>
      rows.where('seen', '<=', now - precision).update({ seen: now, ends }),
    )
  }

  /** Records that the token of a session was used for the first time. */
  async use({ id, hash }: StoredSession, now: number): Promise<void> {
    await this.#change({ id, hash }, rows => rows.whereNull('used').update({ used: now }))
  }

  async end(where: Partial<Pick<StoredSession, 'id' | 'account'>>, within?: Transaction): Promise<boolean> {
    return this.#change(where, rows => rows.delete(), within)
  }

  async #find(where: Readonly<Record<string, unknown>>): Promise<StoredSession[]> {
    return (await this.#host.entries(sessionUid).find({ where, fields, limit: 1000 })).map(sessionOf)
  }

  async #sweep(within: Transaction): Promise<void> {
    const now = Date.now()
    if (now - this.#swept < sweepAfter) return
    this.#swept = now
    await change(within, this.#rows().where('ends', '<=', now).delete())
  }

  async #change(
    where: object,
    make: (rows: ReturnType<Host['store']['knex']>) => Parameters<typeof change>[1],
    within?: Transaction,
  ): Promise<boolean> {
    const work = async (session: Transaction) => (await change(session, make(this.#rows().where(where)))).changes > 0
    return within ? work(within) : this.#host.store.transaction(work)
  }

  #rows() {
    const { store, types } = this.#host
    return store.knex(types.get(sessionUid).table)
  }
}

/** Milliseconds between two looks for sessions that have ended; they are refused anyway. */
const sweepAfter = 3600_000

const textsOf = (times: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, String(time)]))

function sessionOf(row: Entry): StoredSession {
  const { hash, former, stamp, address, agent } = row as Entry & StoredSession
  const [created, renewed, seen, ends] = [row.created, row.renewed, row.seen, row.ends].map(Number) as [
    ...[number, number, number, number],
  ]
  const [id, account] = [Number(row.id), Number(row.account)]
  const used = row.used === null ? null : Number(row.used)
  const times = { created, renewed, used, seen, ends }
  return { id, hash, former, account, stamp, kept: row.kept === true, ...times, address, agent }
}
