import { GraphQLError } from 'graphql'
import { type AnyRoot, isList, isOwn, isPaged } from './bound.js'
import { Need } from './needs.js'

/** The entries of a zone cost this at most: only the components are read that stand there. */
const mostOfZone = 10

/** Refuses an operation whose roots cost more together than one request may: for each, one for itself, its total, and every path. */
export function checkPrice(roots: readonly AnyRoot[], statements: number): GraphQLError | undefined {
  const price = roots.reduce((sum, root) => sum + priceOf(root), 0)
  if (price <= statements) return undefined
  return new GraphQLError(
    `The operation needs ${price} statements, and more than ${statements} are refused; ask for less at once, or raise rest.limits.statements`,
  )
}

function priceOf(root: AnyRoot): number {
  if (isOwn(root)) return 1
  const isCounted = isList(root) && isPaged(root)
  return 1 + (isCounted ? 1 : 0) + below(root.need)
}

function below(need: Need): number {
  let sum = 0
  for (const { below: inner } of need.links) {
    if (inner instanceof Need) sum += 1 + below(inner)
    else
      sum += Math.min(
        mostOfZone,
        [...inner.values()].reduce((all, each) => all + 1 + below(each), 0),
      )
  }
  return sum
}
