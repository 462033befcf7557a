import type { ReadFrom } from './changes.js'

/**
 * Tells whether the database has changed, so that what was read of it is used again only while it has not. Moments are
 * numbers: how many changes have been seen so far.
 */
export interface Versions {
  /** Asking costs a round trip, so it is worth it only for what may be cached. */
  readonly isRemote: boolean
  /**
   * The moment of the call; undefined where changes cannot be seen. The database is asked after the call, so every write that
   * was acknowledged before the call has been seen then.
   */
  now(): number | undefined | Promise<number | undefined>
  /** The moment of the last change that was seen of what was read, or that may be one, if there was any after a moment. */
  changed(read: ReadFrom, since?: number): number
  /** Says for the log what proves it, or why nothing does. */
  proof(): string | Promise<string>
}

/** Of a database of which nothing is cached. */
export const unversioned = (reason: string): Versions => ({
  isRemote: true,
  now: () => undefined,
  changed: () => Number.POSITIVE_INFINITY,
  proof: () => `responses and totals are not cached: ${reason}`,
})
