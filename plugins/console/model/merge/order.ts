/** The side whose change is taken where both cannot be. */
export type Side = 'theirs' | 'mine'

export interface Orders {
  readonly base: readonly string[]
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
}

/**
 * The order of a list that two sides changed. `kept` are the names that are left in it; `choose` is asked only where both sides
 * moved what was there before, in different ways.
 */
export function mergedOrder(orders: Orders, kept: ReadonlySet<string>, choose: () => Side): readonly string[] {
  const { base, theirs, mine } = orders
  const isMoved = (list: readonly string[]) => !isSameOrder(among(list, base), among(base, list))
  const areBoth = isMoved(theirs) && isMoved(mine)
  const isConflict = areBoth && !isSameOrder(among(among(theirs, base), mine), among(among(mine, base), theirs))
  const side = isConflict ? choose() : isMoved(mine) ? 'mine' : 'theirs'
  const [first, second] = side === 'mine' ? [mine, theirs] : [theirs, mine]
  return inserted(
    first.filter(name => kept.has(name)),
    second.filter(name => kept.has(name)),
  )
}

const among = (list: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others)
  return list.filter(name => known.has(name))
}

const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** The names that a list lacks, each behind its neighbour in the other list. */
function inserted(list: readonly string[], other: readonly string[]): readonly string[] {
  const result = [...list]
  const there = new Set(list)
  for (const [index, name] of other.entries()) {
    if (there.has(name)) continue
    const previous = other[index - 1]
    result.splice(previous === undefined ? 0 : result.indexOf(previous) + 1, 0, name)
    there.add(name)
  }
  return result
}
