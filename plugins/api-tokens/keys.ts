import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** The key that a client sends: 128 random bytes, as Strapi 4 makes them. */
export const makeKey = (): string => randomBytes(128).toString('hex')

/** Hashes keys as the database holds them: useless to an attacker who reads it. */
export class KeyHash {
  readonly #salt: KeyObject

  constructor(salt: string) {
    this.#salt = createSecretKey(Buffer.from(salt))
  }

  of(key: string): string {
    return createHmac('sha512', this.#salt).update(key).digest('hex')
  }
}
