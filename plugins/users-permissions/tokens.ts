import { createSecretKey, type KeyObject } from 'node:crypto'
import jwt, { type SignOptions } from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import { BootError } from '../../core/index.js'

/** The claims of a token about its owner; times are seconds. */
export interface Claims {
  readonly id: number
  readonly iat: number
  readonly exp: number | undefined
}

/** The claims that code gives a token. */
export interface Claimed {
  readonly id?: unknown
  readonly iat?: number
  readonly exp?: number
  readonly [more: string]: unknown
}

const kept = 10_000
/** Tokens of this server have some 150 characters; much longer ones are checked every time instead of being cached. */
const longestKept = 1000

/** Signs and reads the tokens of accounts. A token that was verified once only has its expiry compared afterwards. */
export class Tokens {
  readonly #key: KeyObject
  /** All that verify, the one that signs first. */
  readonly #keys: readonly KeyObject[]
  readonly #expiresIn: NonNullable<SignOptions['expiresIn']>
  readonly #verified = new LRUCache<string, Claims>({ max: kept })
  /** The latest second in which a token says it was issued: ahead of the clock, where that has been set back. */
  #latest = 0
  /** The seconds in which the sessions of accounts begin that this process has ended. */
  readonly #ended = new LRUCache<number, number>({ max: kept })

  constructor([secret, ...former]: readonly [string, ...string[]], expiresIn: string | number) {
    this.#key = createSecretKey(Buffer.from(secret))
    this.#keys = [this.#key, ...former.map(secret => createSecretKey(Buffer.from(secret)))]
    this.#expiresIn = expiresIn as NonNullable<SignOptions['expiresIn']>
    this.#tryOut(expiresIn)
  }

  /** A lifetime that is none would show with the first sign-in only. */
  #tryOut(expiresIn: string | number): void {
    try {
      this.issue(1, 0)
    } catch (cause) {
      const setting = 'config/plugins: users-permissions.config.jwt.expiresIn'
      throw new BootError(
        `${setting} is ${JSON.stringify(expiresIn)}; it takes seconds, or text such as "30d" or "2h"`,
        { cause },
      )
    }
  }

  get latest(): number {
    return this.#latest
  }

  /** A token for an account, issued now or at the moment its sessions begin, whichever is later. */
  issue(id: number, since: number, seconds?: number): string {
    const iat = Math.max(Math.floor(Date.now() / 1000), since)
    this.#latest = Math.max(this.#latest, iat)
    return jwt.sign({ id, iat }, this.#key, { algorithm: 'HS256', expiresIn: seconds ?? this.#expiresIn })
  }

  /** The sessions of an account begin with this second: a token of code that is signed at once does not come too early. */
  ended(id: number, since: number): void {
    this.#ended.set(id, since)
  }

  /** A token that says what code wants it to say, which has `id` if it is to be good for requests. */
  sign(said: Claimed, options: SignOptions = {}): string {
    const { expiresIn, ...others } = options
    const iat = said.iat ?? Math.max(Math.floor(Date.now() / 1000), this.#ended.get(Number(said.id)) ?? 0)
    this.#latest = Math.max(this.#latest, iat)
    const lifetime = said.exp === undefined ? { expiresIn: expiresIn ?? this.#expiresIn } : {}
    return jwt.sign({ ...said, iat }, this.#key, { algorithm: 'HS256', ...others, ...lifetime })
  }

  /** All that a good token says, and undefined for others: the account that it names may be gone, or may have ended it. */
  said(token: string): Claimed | undefined {
    for (const key of this.#keys)
      try {
        return jwt.verify(token, key, { algorithms: ['HS256'] }) as Claimed
      } catch {}
    return undefined
  }

  /** The claims of a token; undefined if it is not valid, or not ours. */
  read(token: string): Claims | undefined {
    let claims = this.#verified.get(token)
    if (!claims) {
      claims = this.#verify(token)
      if (claims && token.length <= longestKept) this.#verified.set(token, claims)
    }
    return claims?.exp !== undefined && claims.exp * 1000 <= Date.now() ? undefined : claims
  }

  #verify(token: string): Claims | undefined {
    // API tokens and other words are told apart without any cryptography.
    if (token.split('.', 4).length !== 3) return undefined
    for (const key of this.#keys) {
      const claims = this.#verifyWith(token, key)
      if (claims) return claims
    }
    return undefined
  }

  #verifyWith(token: string, key: KeyObject): Claims | undefined {
    try {
      const { id, iat, exp } = jwt.verify(token, key, { algorithms: ['HS256'] }) as Record<string, unknown>
      if (!Number.isSafeInteger(id) || (id as number) < 1) return undefined
      const issued = typeof iat === 'number' ? iat : 0
      this.#latest = Math.max(this.#latest, issued)
      return { id: id as number, iat: issued, exp: exp as number | undefined }
    } catch {
      return undefined
    }
  }
}
