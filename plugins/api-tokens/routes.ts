import { type Caller, ForbiddenError, NotFoundError, type Route, type RouteCall } from '../../core/index.js'
import { readId } from '../../core/plugin-kit.js'
import { ownUid } from './content-types.js'
import type { Management } from './management.js'
import type { ApiTokens } from './service.js'
import { actions, fresh, listed, shown, wish } from './shapes.js'

const paths = {
  all: '/api-tokens',
  actions: '/api-tokens/actions',
  one: '/api-tokens/:id',
  regenerate: '/api-tokens/:id/regenerate',
}

/**
 * Tokens are managed by full-access tokens, and by callers who say what they may give, such as editors: no list of actions and no role
 * of visitors can have this permission.
 */
export const routes: readonly Route<ApiTokens>[] = [
  managed('GET', paths.all, { action: 'list', describe: 'list API tokens', answers: listed }, tokens => tokens.list()),
  managed(
    'POST',
    paths.all,
    { action: 'create', describe: 'make an API token', accepts: wish, answers: { 201: fresh } },
    (tokens, { body, ctx, caller }) => {
      ctx.status = 201
      return tokens.create(body, caller)
    },
  ),
  {
    ...managed(
      'GET',
      paths.actions,
      { action: 'list', describe: 'the actions that custom tokens may list', answers: actions },
      async () => undefined,
    ),
    run: ({ service, caller }) => {
      assertManages(caller)
      return { data: service.management.actionsFor(caller), meta: { mayGiveAll: caller.gives === true } }
    },
  },
  managed('GET', paths.one, { action: 'read', describe: 'one of the API tokens', answers: shown }, (tokens, call) =>
    tokens.one(idOf(call)),
  ),
  managed(
    'PUT',
    paths.one,
    { action: 'update', describe: 'change an API token', accepts: wish, answers: shown },
    (tokens, call) => tokens.change(idOf(call), call.body, call.caller),
  ),
  managed('DELETE', paths.one, { action: 'revoke', describe: 'revoke an API token', answers: shown }, (tokens, call) =>
    tokens.revoke(idOf(call), call.caller),
  ),
  {
    ...managed(
      'POST',
      paths.regenerate,
      { action: 'regenerate', describe: 'give an API token another key', answers: fresh },
      (tokens, call) => tokens.regenerate(idOf(call), call.caller),
    ),
    body: 'none',
  },
]

function managed(
  method: Route['method'],
  path: string,
  said: Pick<Route, 'action' | 'describe' | 'accepts' | 'answers'>,
  run: (tokens: Management, call: RouteCall<ApiTokens>) => Promise<unknown>,
): Route<ApiTokens> {
  return {
    method,
    path,
    ...said,
    uid: ownUid,
    credentials: 'needed',
    run: async call => {
      assertManages(call.caller)
      return { data: await run(call.service.management, call), meta: {} }
    },
  }
}

function assertManages({ gives }: Pick<Caller, 'gives'>): void {
  if (!gives) throw new ForbiddenError().because('the caller needs a full-access token')
}

function idOf({ params }: RouteCall): number {
  const id = readId(params.id)
  if (id === undefined) throw new NotFoundError()
  return id
}
