import { merge } from '../../config/merge.js'
import type { Tls } from '../../config/tls.js'

/** Options as a driver takes them. */
type Options = Record<string, unknown>

const copies = new WeakMap<object, Options>()

/**
 * A copy of the settings, as drivers write into what they get. All connections have the same one, because drivers know by it
 * what they have parsed, and which sessions can be resumed.
 */
export function tlsOptions(ssl: Exclude<Tls, boolean | string>): Options {
  const copy = copies.get(ssl) ?? (merge(undefined, ssl) as Options)
  copies.set(ssl, copy)
  return copy
}
