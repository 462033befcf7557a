import { ForbiddenError, NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import { readId } from '../../../core/plugin-kit.js'
import { EditorCaller } from '../rights/caller.js'
import { noSession } from '../sessions/callers.js'
import { nothing, objectShape, own, text } from '../sessions/shapes.js'
import { readNew, readWish } from './account-input.js'
import type { Management } from './management.js'

/** The part of the plugin's service that the routes use. */
export interface ManagementService {
  readonly management: Management
}

type Call = RouteCall<ManagementService>

const textOrNull = { type: ['string', 'null'] } as const
const id = { type: 'integer' } as const

const names = { firstname: textOrNull, lastname: textOrNull }
const ids = { type: 'array', items: id } as const
const account = objectShape({
  ...{ id, email: text, ...names, username: textOrNull, language: textOrNull },
  state: { type: 'string', enum: ['active', 'invited', 'blocked'] },
  roles: { type: 'array', items: objectShape({ id, code: text, name: text }) },
  invitedUntil: textOrNull,
})
/** The address is null where the link was sent. */
const link = objectShape({ account, expires: text, address: textOrNull })

const all = '/console/accounts'
const one = '/console/accounts/:id'

/** Accounts of editors, for those who may manage them as in Strapi's panel: `admin::users.read` and so on. */
export const managementRoutes: readonly Route<ManagementService>[] = [
  {
    ...managed('GET', all, 'read', async ({ service }) => ({ accounts: await service.management.all() })),
    describe: 'list the accounts of editors',
    answers: objectShape({ accounts: { type: 'array', items: account } }),
  },
  {
    ...managed('POST', all, 'create', ({ ctx, service, body }, editor) => {
      ctx.status = 201
      return service.management.invite(editor, readNew(body))
    }),
    describe: 'invite an editor; the link is in the response where no mail can be sent',
    body: 'json',
    accepts: objectShape({ email: text, ...names, roles: ids }, ['email', 'roles']),
    answers: { 201: link },
  },
  {
    ...managed('GET', one, 'read', call => call.service.management.one(idOf(call))),
    describe: 'one of the accounts of editors',
    answers: account,
  },
  {
    ...managed('PUT', one, 'update', (call, editor) => {
      return call.service.management.update(editor, idOf(call), readWish(call.body))
    }),
    describe: 'change the account of an editor',
    body: 'json',
    accepts: objectShape(
      {
        ...{ email: text, ...names, username: textOrNull, language: textOrNull },
        ...{ roles: ids, blocked: { type: 'boolean' } },
      },
      [],
    ),
    answers: account,
  },
  {
    ...managed('POST', `${one}/link`, 'update', (call, editor) => call.service.management.renew(editor, idOf(call))),
    describe: 'make a link for another password, or another invitation',
    body: 'none',
    answers: link,
  },
  {
    ...managed('DELETE', `${one}/sessions`, 'update', (call, editor) => {
      return call.service.management.signOut(editor, idOf(call))
    }),
    describe: 'sign an editor out everywhere',
    answers: nothing,
  },
  {
    ...managed('DELETE', one, 'delete', async (call, editor) => {
      await call.service.management.delete(editor, idOf(call))
    }),
    describe: 'delete the account of an editor',
    answers: nothing,
  },
]

/** They look themselves whether there is an editor who may: no role of the site and no token can have such a permission. */
function managed(
  method: Route['method'],
  path: string,
  action: 'read' | 'create' | 'update' | 'delete',
  run: (call: Call, editor: EditorCaller) => unknown,
) {
  const looked = (call: Call): unknown => {
    const { caller } = call
    if (!(caller instanceof EditorCaller)) throw noSession()
    if (!caller.can(action, 'admin::users')) throw new ForbiddenError()
    return run(call, caller)
  }
  return { ...own, method, path, run: looked }
}

function idOf({ params }: Call): number {
  const id = readId(params.id)
  if (id === undefined) throw new NotFoundError()
  return id
}
