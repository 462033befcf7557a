import { LRUCache } from 'lru-cache'
import { TokenCaller } from './callers.js'
import type { KeyHash } from './keys.js'
import type { TokenRow, TokenRows } from './token-rows.js'

/** The part of a token's row that requests need. */
export interface KeptToken {
  readonly id: number
  readonly caller: TokenCaller
  /** Milliseconds since 1970; Infinity is never. */
  readonly expiresAt: number
  /** The time when its last use was recorded. */
  usedAt: number
}

/** All tokens, in memory: known ones and garbage alike are told apart without the database. */
export class KeptTokens {
  readonly #rows: TokenRows
  /** With the salt, and with those that were in use before. */
  readonly #hashes: readonly KeyHash[]
  #byHash: ReadonlyMap<string, KeptToken> = new Map()
  /** The hashes of keys that were right before: making one takes longer than all the rest of recognising a caller. */
  readonly #seen = new LRUCache<string, string>({ max: 1000 })
  #begun = 0
  #adopted = 0

  constructor(rows: TokenRows, hashes: readonly KeyHash[]) {
    this.#rows = rows
    this.#hashes = hashes
  }

  /** Keys are looked up by hashes, salted or seeded by the engine: the time it takes tells nothing about those that exist. */
  of(key: string): KeptToken | undefined {
    const seen = this.#seen.get(key)
    if (seen !== undefined) return this.#byHash.get(seen)
    for (const hash of this.#hashes) {
      const stored = hash.of(key)
      const token = this.#byHash.get(stored)
      if (!token) continue
      this.#seen.set(key, stored)
      return token
    }
    return undefined
  }

  /** Rereads the tokens from the database. Of several concurrent reads the last one counts. */
  async read(): Promise<void> {
    const mine = ++this.#begun
    const rows = await this.#rows.all()
    if (mine < this.#adopted) return
    this.#adopted = mine
    const former = this.#byHash
    this.#byHash = new Map(rows.map(row => [row.accessKey, keep(row, former.get(row.accessKey))]))
  }
}

function keep({ permissions, expiresAt, lastUsedAt, ...row }: TokenRow, former: KeptToken | undefined): KeptToken {
  const { id, name, type } = row
  return {
    id,
    caller: new TokenCaller({ id, name, type }, permissions),
    expiresAt: expiresAt === null ? Infinity : Date.parse(expiresAt),
    usedAt: Math.max(former?.usedAt ?? 0, lastUsedAt === null ? 0 : Date.parse(lastUsedAt)),
  }
}
