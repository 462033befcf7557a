import type { Route } from '../../../core/index.js'
import { nothing, objectShape, text } from '../sessions/shapes.js'
import { readNew, readWish } from './account-input.js'
import { idOf, managing } from './managed.js'
import type { Management } from './management.js'

/** The part of the plugin's service that the routes use. */
interface ManagementService {
  readonly management: Management
}

const textOrNull = { type: ['string', 'null'] } as const
const id = { type: 'integer' } as const
const truth = { type: 'boolean' } as const

const names = { firstname: textOrNull, lastname: textOrNull }
const ids = { type: 'array', items: id } as const
const account = objectShape({
  ...{ id, email: text, ...names, username: textOrNull, language: textOrNull },
  state: { type: 'string', enum: ['active', 'invited', 'blocked'] },
  roles: { type: 'array', items: objectShape({ id, code: text, name: text }) },
  invitedUntil: textOrNull,
  /** Null once the session has ended that began with it. */
  lastSignIn: textOrNull,
  /** It is the last active Super Admin. */
  isLast: truth,
  mayChange: truth,
})
const role = objectShape({ id, code: text, name: text, mayGive: truth })
/** The address is null where the link was sent. */
const link = objectShape({ account, expires: text, address: textOrNull })

const managed = managing<ManagementService>('admin::users')
const all = '/console/accounts'
const one = '/console/accounts/:id'

/** Accounts of editors, for those who may manage them as in Strapi's panel: `admin::users.read` and so on. */
export const managementRoutes: readonly Route<ManagementService>[] = [
  {
    ...managed('GET', all, 'read', ({ service }, editor) => service.management.all(editor)),
    describe: 'list the accounts of editors',
    answers: objectShape({
      accounts: { type: 'array', items: account },
      roles: { type: 'array', items: role },
      linksAreSent: truth,
    }),
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
    ...managed('GET', one, 'read', (call, editor) => call.service.management.one(editor, idOf(call))),
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
