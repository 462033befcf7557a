import { createCipheriv, hash } from 'node:crypto'

/** Bytes from which on it is worth to begin the hash for long texts. */
const long = 16 * 1024
const key = Buffer.alloc(16, 'stele')
const nonce = Buffer.alloc(12)

/** The hash by which a response is recognised. */
export function hashOf(text: string | Buffer): string {
  if (Buffer.byteLength(text) < long) return hash('sha1', text, 'base64url')
  const whole = new LongHash()
  whole.add(Buffer.isBuffer(text) ? text : Buffer.from(text))
  return whole.end()
}

/**
 * The same of 16 KB and more, which may come in chunks: GMAC, for which processors have instructions, takes 36 µs for 144 KB
 * where SHA-1 takes 250. Under a key that is no secret it tells texts apart that differ by chance, as a tag has to, and is of
 * no use against those who make them differ.
 */
export class LongHash {
  readonly #mac = createCipheriv('aes-128-gcm', key, nonce)

  add(bytes: Buffer): void {
    this.#mac.setAAD(bytes)
  }

  end(): string {
    this.#mac.final()
    return this.#mac.getAuthTag().toString('base64url')
  }
}
