import { ForbiddenError, NotFoundError, type Route, type RouteCall, readId } from '../../core/index.js'
import { isFullAccess } from './callers.js'
import { ownUid } from './content-types.js'
import type { Management } from './management.js'
import type { ApiTokens } from './service.js'

const paths = { all: '/api-tokens', one: '/api-tokens/:id', regenerate: '/api-tokens/:id/regenerate' }

/** Tokens are managed by full-access tokens, and by nobody else: no role and no list of actions can hold this right. */
export const routes: readonly Route<ApiTokens>[] = [
  managed('GET', paths.all, 'list', 'list API tokens', tokens => tokens.list()),
  managed('POST', paths.all, 'create', 'make an API token', (tokens, { body, ctx }) => {
    ctx.status = 201
    return tokens.create(body)
  }),
  managed('GET', paths.one, 'read', 'one of the API tokens', (tokens, call) => tokens.one(idOf(call))),
  managed('PUT', paths.one, 'update', 'change an API token', (tokens, call) => tokens.change(idOf(call), call.body)),
  managed('DELETE', paths.one, 'revoke', 'revoke an API token', (tokens, call) => tokens.revoke(idOf(call))),
  {
    ...managed('POST', paths.regenerate, 'regenerate', 'give an API token another key', (tokens, call) =>
      tokens.regenerate(idOf(call)),
    ),
    body: 'none',
  },
]

function managed(
  method: Route['method'],
  path: string,
  action: string,
  describe: string,
  run: (tokens: Management, call: RouteCall<ApiTokens>) => Promise<unknown>,
): Route<ApiTokens> {
  return {
    method,
    path,
    action,
    uid: ownUid,
    credentials: 'needed',
    describe,
    run: async call => {
      if (!isFullAccess(call.caller)) throw new ForbiddenError()
      return { data: await run(call.service.management, call), meta: {} }
    },
  }
}

function idOf({ params }: RouteCall): number {
  const id = readId(params.id)
  if (id === undefined) throw new NotFoundError()
  return id
}
