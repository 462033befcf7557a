import {
  ApplicationError,
  type AskOptions,
  type Caller,
  type Finished,
  NotFoundError,
  type Route,
  type RouteCall,
  UnauthorizedError,
  ValidationError,
} from '../../../core/index.js'
import { readId } from '../../../core/plugin-kit.js'
import { checkBody, issue, objectOf, readBody, rules } from '../bodies.js'
import { roleUid, userUid } from '../content-types.js'
import { accountOf, type UsersPermissions } from '../service.js'
import * as shapes from '../shapes.js'
import type { UserCall } from './calls.js'

type Call = RouteCall<UsersPermissions>
type Fields = Readonly<Record<string, unknown>>
const { text, name, email, anything } = rules
const base = { uid: userUid }
const number = { type: 'integer', minimum: 0 }
const pages = { start: number, limit: { type: 'integer' } }

/** Accounts as the content API of Strapi 4 serves them: plain objects and lists, bodies without `data`. */
export const userRoutes: readonly Route<UsersPermissions>[] = [
  {
    ...base,
    method: 'POST',
    path: '/users',
    action: 'create',
    describe: 'make an account with a role',
    accepts: shapes.newAccount,
    answers: { 201: { entry: userUid } },
    run: create,
  },
  {
    ...base,
    method: 'PUT',
    path: '/users/:id',
    action: 'update',
    describe: 'change an account',
    accepts: shapes.changedAccount,
    answers: { entry: userUid },
    run: call => updateUser(call.params.id, call),
  },
  {
    ...base,
    method: 'GET',
    path: '/users',
    action: 'find',
    describe: 'list accounts',
    asks: pages,
    asksAs: { uid: userUid, action: 'find' },
    answers: { entries: userUid },
    run: find,
  },
  {
    ...base,
    method: 'GET',
    path: '/users/count',
    action: 'count',
    describe: 'how many accounts there are',
    asksAs: { uid: userUid, action: 'find' },
    answers: { type: 'integer' },
    run: ({ content }) => content.count(userUid, { permission: 'count' }),
  },
  {
    ...base,
    method: 'GET',
    path: '/users/me',
    action: 'me',
    describe: "the caller's own account",
    asksAs: { uid: userUid, action: 'findOne' },
    answers: { entry: userUid },
    run: me,
  },
  {
    ...base,
    method: 'GET',
    path: '/users/:id',
    action: 'findOne',
    describe: 'one account',
    asksAs: { uid: userUid, action: 'findOne' },
    answers: { 200: { entry: userUid }, 204: 'nothing' },
    run: ({ content, params }) => orNothing(content.findOne(userUid, params.id)),
  },
  {
    ...base,
    method: 'DELETE',
    path: '/users/:id',
    action: 'destroy',
    describe: 'delete an account',
    answers: { 200: { entry: userUid }, 204: 'nothing' },
    run: ({ content, params }) => orNothing(content.delete(userUid, params.id, { query: '', permission: 'destroy' })),
  },
]

function find({ ctx, content, service }: Call) {
  if (service.host.config.openLists) return content.find(userUid, { paging: 'open' })
  return content.find(userUid, { query: pagesOf(ctx.querystring) })
}

/** `start` and `limit` mean a page here wherever they stand. */
const pagesOf = (query: string): string => query.replace(/(^|&)(start|limit)=/g, '$1pagination[$2]=')

function me({ caller, content }: Call) {
  const id = accountOf(caller)
  if (id === undefined) throw new UnauthorizedError('Unauthorized')
  return content.findOne(userUid, id, { permission: 'me' })
}

const withRole = { query: 'populate=role' }

async function create(call: Call): Promise<Finished> {
  const made = await createUser(call)
  call.ctx.status = 201
  return made
}

/** Makes an account in the name of a caller who may: the role is one that it names, or the default one. */
export async function createUser({ body, caller, content }: UserCall, asked: AskOptions = withRole): Promise<Finished> {
  const { role } = objectOf(body)
  // Without the permission to find roles a caller cannot choose one; the account gets the default role.
  const hasRole = role !== undefined || caller.can('find', roleUid)
  readBody(body, { email, username: name, password: text, ...(hasRole && { role: anything }) })
  if (hasRole) mustBeOneRole(role)
  try {
    return await content.create(userUid, { ...writable(body, caller, 'create'), provider: 'local' }, asked)
  } catch (error) {
    // Strapi 4 answers here without saying which field it is.
    throw error instanceof ValidationError ? ApplicationError.saying(error) : error
  }
}

/** Changes an account in the name of a caller who may. */
export async function updateUser(
  sent: unknown,
  { body, caller, content, service }: UserCall,
  asked: AskOptions = withRole,
): Promise<Finished> {
  const users = service.host.entries(userUid)
  const id = readId(sent)
  if (id === undefined || !(await users.first({ where: { id: { $eq: id } }, fields: [] })))
    throw new NotFoundError('User not found')
  checkBody(body, { email, username: name, password: text })
  const data = writable(body, caller, 'update')
  if ('role' in data) mustBeOneRole(data.role)
  if (data.username !== undefined) {
    const others = await users.count({ username: { $eq: data.username }, id: { $ne: id } })
    if (others > 0) throw new ApplicationError('Username already taken')
  }
  try {
    return await content.update(userUid, id, data, asked)
  } catch (error) {
    throw error instanceof NotFoundError ? new NotFoundError('User not found').because(error.reason) : error
  }
}

/** Fields of an account that no request sets: how it signs in, and codes sent to its address. */
const never = ['id', 'provider', 'resetPasswordToken', 'confirmationToken']
/** Fields that only administrators set: a caller that may write some accounts, such as its own, is none. */
const status = ['role', 'confirmed', 'blocked']

function writable(body: unknown, caller: Caller, action: 'create' | 'update'): Fields {
  const limited = caller.rows?.(action, userUid) !== undefined
  const refused = limited ? [...never, ...status] : never
  return Object.fromEntries(Object.entries(objectOf(body)).filter(([name]) => !refused.includes(name)))
}

/** An account has one role, however that is written: an id, `{ id }`, a list or `connect` with one of them. */
function mustBeOneRole(role: unknown): void {
  const { connect, set } = objectOf(role)
  const list: unknown[] | undefined = [role, connect, set].find(Array.isArray)
  const one = list ? (list.length === 1 ? list[0] : undefined) : role
  const id = objectOf(one).id ?? one
  if (readId(id) === undefined) throw ValidationError.of([issue('role', 'must be the id of one role')])
}

/** A missing account is answered with 204. */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
