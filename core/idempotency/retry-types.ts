import type { Session } from '../engines/engine.js'
import type { Body } from '../loop/long-text.js'

/** A request that its client may send again without having it done twice. */
export interface Retry {
  /** Tells its key from that of any other caller and path. */
  readonly name: string
  /** A hash of what was sent under the key. */
  readonly print: string
  /** How many writes it has come to, each with a receipt of its own. */
  writes: number
  /** What it asked for had been done before. */
  isReplayed: boolean
}

/** What a write came to. */
export interface Written {
  readonly entry: number
  readonly answer: Body | undefined
}

/** Runs work in one transaction. */
export type Transact<T> = (work: (session: Session) => Promise<T>) => Promise<T>

/** A write and its response. */
export interface Repeatable {
  readonly scope: string
  /** Prepares it, and runs what it stores in this transaction. */
  readonly write: (transaction: Transact<Written>) => Promise<Written>
  /** The response for an entry that it made before, as this caller may see it now. */
  readonly read: (entry: number) => Promise<Body | undefined>
}

/** What makes work one that is done once: both run inside its transaction, one first and one last. */
export interface NotedClaim {
  /** The request has a key: what it does has to be stored together with the claim. */
  readonly isNeeded: boolean
  readonly take: (session: Session) => Promise<void>
  readonly keep: (session: Session, note: string) => Promise<void>
}

/** Work of any kind, and its response: made anew from the note each time. */
export interface Notable<Answer> {
  readonly write: (claim: NotedClaim) => Promise<Answer>
  readonly read: (note: string) => Promise<Answer>
}
