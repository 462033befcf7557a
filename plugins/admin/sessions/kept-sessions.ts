import { LRUCache } from 'lru-cache'
import type { Account } from '../accounts/account.js'
import type { SessionKey, StoredSession } from './session-rows.js'

/** A session with the account that it is of, as both were read a moment ago. */
export interface OpenSession {
  session: StoredSession
  readonly account: Account
}

interface Kept {
  readonly open: OpenSession | undefined
  readonly readAt: number
}

/** Milliseconds after which changes by other processes are read. */
const fresh = 1000
const most = 5000

/** Sessions by the hashes of their tokens and by their ids, cached for a second, and dropped at once when they change here. */
export class KeptSessions {
  readonly #load: (key: SessionKey) => Promise<OpenSession | undefined>
  readonly #kept = new LRUCache<string, Kept>({ max: most })
  readonly #reading = new Map<string, Promise<OpenSession | undefined>>()
  /** Changes by every drop: what was begun to be read before is not cached. */
  #age = 0

  constructor(load: (key: SessionKey) => Promise<OpenSession | undefined>) {
    this.#load = load
  }

  /** Waits only for sessions that were not read within the last second. */
  of(key: SessionKey): OpenSession | undefined | Promise<OpenSession | undefined> {
    const name = 'id' in key ? `id ${key.id}` : key.hash
    const found = this.#kept.get(name)
    return found && performance.now() - found.readAt < fresh ? found.open : this.#read(name, key)
  }

  /** Drops the sessions of an account. */
  drop(account: number): void {
    this.#age += 1
    this.#reading.clear()
    for (const [name, { open }] of this.#kept.entries()) if (open?.account.id === account) this.#kept.delete(name)
  }

  /** Requests that come at once share one reading. */
  #read(name: string, key: SessionKey): Promise<OpenSession | undefined> {
    const running = this.#reading.get(name)
    if (running) return running
    const [readAt, age] = [performance.now(), this.#age]
    const reading = this.#load(key)
      .then(open => {
        if (age === this.#age) this.#kept.set(name, { open, readAt })
        return open
      })
      .finally(() => {
        if (this.#reading.get(name) === reading) this.#reading.delete(name)
      })
    this.#reading.set(name, reading)
    return reading
  }
}
