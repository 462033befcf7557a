import type { Witness } from './silence.js'

/** A witness, and the end of asking it. */
export interface Aside {
  readonly witness: Promise<Witness>
  /** Where it has said nothing useful it is not given to others any more. */
  leave(isWell: boolean): void
}

export type AsideMaker<C> = (witnessOf: (beside: C) => Witness) => Aside

/**
 * A connection beside those of a pool. All who doubt at the same time share one, as a server that is late for a hundred
 * statements must not be troubled by a hundred connections more; the last of them closes it.
 */
export function sharedAside<C>(open: () => Promise<C>, close: (connection: C) => void): AsideMaker<C> {
  let shared: { readonly opening: Promise<C>; users: number } | undefined
  return witnessOf => {
    shared ??= { opening: open(), users: 0 }
    const mine = shared
    mine.users += 1
    return {
      witness: mine.opening.then(witnessOf),
      leave(isWell) {
        mine.users -= 1
        if (shared === mine && (mine.users === 0 || !isWell)) shared = undefined
        if (mine.users === 0) mine.opening.then(close, () => undefined)
      },
    }
  }
}
