import type { WatchedConnection } from './watchdog.js'

/** A connection of the pool. */
export type OpenedConnection<Connection> = Connection & {
  /** The generation of connections that it was opened in: one that is lost makes all of its generation suspect. */
  readonly turn: number
  /** The connection as its watchdog checks it. */
  readonly watched: WatchedConnection
}
