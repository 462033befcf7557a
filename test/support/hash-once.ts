import bcrypt from '@node-rs/bcrypt'
import { onTestFinished } from 'vitest'

/**
 * Hashing is slow on purpose, and tests sign in with the same few passwords again and again: a process hashes and compares
 * each of them once. The hashes are real ones, of the real cost.
 */
const real = { hash: bcrypt.hash, verify: bcrypt.verify }
const hashes = new Map<string, Promise<string>>()
const verdicts = new Map<string, Promise<boolean>>()

const once = {
  hash: (text: string, cost: number) => known(hashes, [text, cost], () => real.hash(text, cost)),
  verify: (text: string, hash: string) => known(verdicts, [text, hash], () => real.verify(text, hash)),
}
Object.assign(bcrypt, once)

function known<T>(results: Map<string, Promise<T>>, about: readonly unknown[], work: () => Promise<T>): Promise<T> {
  const key = JSON.stringify(about)
  const result = results.get(key) ?? work()
  results.set(key, result)
  return result
}

/** In a test that is about hashing itself. */
export function hashEachTime(): void {
  Object.assign(bcrypt, real)
  onTestFinished(() => void Object.assign(bcrypt, once))
}
