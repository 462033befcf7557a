/** The state of a server's connection: it waits for a question, works on a reply, or its state is unknown. */
export type ConnectionState = 'waits' | 'works' | undefined

/** Asks the server, on the second connection, about the first one. */
export interface Probe {
  doing(): Promise<ConnectionState>
  /** Ends its session, and with it the locks of its transaction. */
  end(): Promise<unknown>
}

/** A probe on a connection that may be shared, and the end of its use. */
export interface SideConnection {
  readonly probe: Promise<Probe>
  /** A connection that did not work is not given to others any more. */
  leave(isWell: boolean): void
}

export type SideConnectionMaker<C> = (probeOf: (beside: C) => Probe) => SideConnection

/**
 * One connection beside those of a pool, shared by all watchdogs that ask at the same time: a server that is late with a
 * hundred statements must not get a hundred connections more. The last watchdog closes it.
 */
export function sharedSideConnection<C>(
  open: () => Promise<C>,
  close: (connection: C) => void,
): SideConnectionMaker<C> {
  let shared: { readonly opening: Promise<C>; users: number } | undefined
  return probeOf => {
    shared ??= { opening: open(), users: 0 }
    const mine = shared
    mine.users += 1
    return {
      probe: mine.opening.then(probeOf),
      leave(isWell) {
        mine.users -= 1
        if (shared === mine && (mine.users === 0 || !isWell)) shared = undefined
        if (mine.users === 0) mine.opening.then(close, () => undefined)
      },
    }
  }
}
