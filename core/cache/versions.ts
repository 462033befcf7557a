import type { Dependency } from './dependency.js'

/**
 * Tells whether the database has changed, so that cached values are used only while it has not. A state of the database is a
 * number: how many changes of it have been seen so far.
 */
export interface Versions {
  /** Asking costs a round trip, so it is worth it only for responses that may be cached. */
  readonly isRemote: boolean
  /**
   * The state at the time of the call; undefined if changes cannot be seen. The database is asked after the call, so every
   * write that was acknowledged before the call has been seen then.
   */
  state(): number | undefined | Promise<number | undefined>
  /** The state since which the rows that were read have not changed, as far as is known, if that is after the given one. */
  changed(read: Dependency, since?: number): number
  /** Names, for the log, the proof that nothing has changed, or the reason why there is none. */
  proof(): string | Promise<string>
}

/** The versions of a database of which nothing is cached. */
export const unversioned = (reason: string): Versions => ({
  isRemote: true,
  state: () => undefined,
  changed: () => Number.POSITIVE_INFINITY,
  proof: () => `responses and totals are not cached: ${reason}`,
})
