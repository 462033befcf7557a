import type { Session } from '../../engines/engine.js'

/** One of several writes that a request asks for; a write that is tried again has the same number. */
export interface Among {
  /** The same object for all of them, by which their sum can be noted. */
  readonly all: object
  readonly index: number
}

/** Writes in one transaction; `spent` tells how many statements there have been in it. */
export type SeveralWrites<T> = (session: Session, spent: () => number) => Promise<T>
