import { GraphQLError } from 'graphql'
import { type AskOptions, Finished, type RouteCall } from '../../../core/index.js'
import { codes } from '../errors.js'
import type { OperationRequest } from '../http/runner.js'
import { type AnyRoot, isOwn } from '../query/bound.js'
import { Refusal } from '../query/documents.js'
import { type BoundRoot, textOf } from '../query/roots.js'

/**
 * Lets the `Idempotency-Key` of a request stand for its mutation, if it has one. All of its roots have to be such as happen once
 * under a key: clients count on it.
 */
export function takeKey(roots: readonly AnyRoot[], request: OperationRequest, call: RouteCall): void {
  if (call.ctx.req.headers['idempotency-key'] === undefined) return
  const other = roots.find(root => isOwn(root) || !happensOnce(root))
  if (other) throw unkeyed(other)
  const { query, operationName = null, variables = null } = request
  call.takeKey({ query, operationName, variables })
}

function happensOnce({ meaning, args }: BoundRoot): boolean {
  switch (meaning.is) {
    case 'create':
    case 'localize':
      return true
    case 'update':
    case 'delete':
      return meaning.type.kind !== 'singleType' && meaning.instead?.(args) === undefined
    case 'entry':
      return meaning.once?.() ?? false
    default:
      return false
  }
}

function unkeyed(root: AnyRoot): Refusal {
  const nodes = isOwn(root) ? root.nodes : [root.node]
  const message = `Idempotency-Key: ${nodes[0]?.name.value} takes no key; send it in an operation of its own, without the header`
  return new Refusal([new GraphQLError(message, { nodes })], codes.request)
}

/** Does a write once for the key of the request: what it has answered is stored with it. Without a key it is done as ever. */
export const once = (
  { content }: RouteCall,
  write: (within?: Pick<AskOptions, 'within'>) => Promise<Finished>,
): Promise<Finished> =>
  content.once({
    write: claim =>
      claim.isNeeded
        ? content.transaction(async within => {
            await claim.take(within)
            const done = await write({ within })
            await claim.keep(within, textOf(done))
            return done
          })
        : write(),
    read: async text => new Finished({ text }),
  })
