import { LRUCache } from 'lru-cache'
import { type Caller, type Entry, type Host, UnauthorizedError } from '../../core/index.js'
import { stampUid, userUid } from './content-types.js'
import { callerParts, type Grants } from './grants.js'
import type { Claims } from './tokens.js'

/** A caller with an account. */
export interface UserCaller extends Caller {
  readonly id: number
  /** The columns of the account that responses may show. */
  readonly user: Readonly<Entry>
}

/** An account as it was read a moment ago. */
interface CachedAccount {
  readonly caller: UserCaller | undefined
  readonly confirmed: boolean
  /** Tokens that were issued before have ended, in seconds. */
  readonly since: number
  readonly readAt: number
}

/** Milliseconds after which changes by other instances and foreign writers are read. */
const fresh = 1000
const kept = 5000

type CallerHost = Pick<Host, 'entries' | 'types'>

/** The accounts behind tokens. They are cached for a second, and invalidated at once when they change here. */
export class Callers {
  readonly #host: CallerHost
  readonly #grants: Grants
  readonly #kept = new LRUCache<number, CachedAccount>({ max: kept })
  readonly #reading = new Map<number, Promise<CachedAccount>>()
  readonly #fields: readonly string[]
  /** Accounts must have confirmed their address. */
  mustConfirm = false

  constructor(host: CallerHost, grants: Grants) {
    this.#host = host
    this.#grants = grants
    this.#fields = [...host.types.get(userUid).fields.values()]
      .filter(({ readable }) => readable)
      .map(({ name }) => name)
  }

  /** The caller of a good token. Waits only for accounts that were not read within the last second. */
  of(claims: Claims): Caller | Promise<Caller> {
    const found = this.#kept.get(claims.id)
    if (found && performance.now() - found.readAt < fresh) return this.#admit(found, claims)
    return this.#read(claims.id).then(read => this.#admit(read, claims))
  }

  /** Drops a changed account from the cache, together with a read of it in flight. */
  drop(id: number): void {
    this.#kept.delete(id)
    this.#reading.delete(id)
  }

  dropAll(): void {
    this.#kept.clear()
    this.#reading.clear()
  }

  #admit({ caller, confirmed, since }: CachedAccount, { iat }: Claims): Caller {
    if (!caller || iat < since || (this.mustConfirm && !confirmed)) throw new UnauthorizedError('Invalid credentials')
    return caller
  }

  /** Requests that come at once share one reading. */
  #read(id: number): Promise<CachedAccount> {
    const running = this.#reading.get(id)
    if (running) return running
    const reading = this.#load(id)
      .then(read => {
        if (this.#reading.get(id) === reading) this.#kept.set(id, read)
        return read
      })
      .finally(() => {
        if (this.#reading.get(id) === reading) this.#reading.delete(id)
      })
    this.#reading.set(id, reading)
    return reading
  }

  async #load(id: number): Promise<CachedAccount> {
    const readAt = performance.now()
    const { entries } = this.#host
    const [user, stamp] = await Promise.all([
      entries(userUid).first({
        where: { id: { $eq: id } },
        fields: this.#fields,
        populate: { role: { fields: ['type'] } },
      }),
      entries(stampUid).first({ where: { user: { $eq: id } } }),
    ])
    const since = Number(stamp?.since ?? 0)
    if (!user || user.blocked === true) return { caller: undefined, confirmed: false, since, readAt }
    const { role, ...columns } = user
    const grants = this.#grants.of((role as { id?: number } | null)?.id)
    const caller: UserCaller = { ...callerParts(grants), refusal: 403, id, actor: `user ${id}`, user: columns }
    return { caller, confirmed: user.confirmed === true, since, readAt }
  }
}
