import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Hands a value to a browser that can neither read nor change it. */
export interface Seal {
  close(value: unknown): string
  /** The value; undefined for everything that was not sealed with the same secret. */
  open(text: string): unknown
}

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

export function makeSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    close(value) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv(algorithm, key, iv)
      const hidden = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...hidden]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= ivLength + tagLength) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength))
      decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
      try {
        const shown = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]
        return JSON.parse(Buffer.concat(shown).toString('utf8'))
      } catch {
        return undefined
      }
    },
  }
}
