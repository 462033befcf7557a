import {
  GraphQLBoolean,
  GraphQLError,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import { ApplicationError, ForbiddenError, RateLimitError, type RouteCall } from '../../../core/index.js'
import { accountOf, accountRequests, type UsersPermissions } from '../../users-permissions/index.js'
import type { OperationContext } from '../meaning.js'
import type { MadeTypes, More } from '../model/index.js'
import { okPayload, roleRoots, userRoots } from './administration.js'
import { assertMay } from './content.js'
import { answersOf } from './replaced.js'

type Fields = GraphQLFieldConfigMap<unknown, OperationContext>
type Values = Readonly<Record<string, unknown>>

const uids = { auth: 'plugin::users-permissions.auth', user: 'plugin::users-permissions.user' } as const

/** The roots about accounts and roles: signing in and the like, which need no permission, and writes, which do. */
export function accountRoots(service: UsersPermissions, made: MadeTypes): More {
  const me = accountType(made)
  return {
    query: { me: { type: me, resolve: (_source, _args, { call }) => ownAccount(service, call) } },
    mutation: { ...roleRoots(service, made), ...userRoots(service, made), ...signingRoots(service, me) },
  }
}

const required = {
  id: { type: new GraphQLNonNull(GraphQLID) },
  text: { type: new GraphQLNonNull(GraphQLString) },
} as const
const text = { type: GraphQLString }

const accountType = ({ idName }: MadeTypes): GraphQLObjectType =>
  new GraphQLObjectType({
    name: 'UsersPermissionsMe',
    fields: {
      id: required.id,
      [idName]: { ...required.id, resolve: ({ id }) => id },
      username: required.text,
      email: text,
      confirmed: { type: GraphQLBoolean },
      blocked: { type: GraphQLBoolean },
      role: {
        type: new GraphQLObjectType({
          name: 'UsersPermissionsMeRole',
          fields: { id: required.id, name: required.text, description: text, type: text },
        }),
      },
    },
  })

/** The response to a client that has proved to own an account; a session has a token of its own, with which it goes on. */
const payloadOf = ({ sessions }: UsersPermissions, me: GraphQLObjectType): GraphQLObjectType =>
  new GraphQLObjectType({
    name: 'UsersPermissionsLoginPayload',
    fields: { jwt: text, ...(sessions.enabled && { refreshToken: text }), user: { type: new GraphQLNonNull(me) } },
  })

const passwordPayload = okPayload('Password')

const loginInput = new GraphQLInputObjectType({
  name: 'UsersPermissionsLoginInput',
  fields: {
    identifier: required.text,
    password: required.text,
    provider: { type: new GraphQLNonNull(GraphQLString), defaultValue: 'local' },
  },
})

const registerInput = new GraphQLInputObjectType({
  name: 'UsersPermissionsRegisterInput',
  fields: { username: required.text, email: required.text, password: required.text },
})

/** The account of the caller, with its role: it may always be seen by its owner. */
async function ownAccount({ host }: UsersPermissions, { caller }: RouteCall): Promise<unknown> {
  const id = accountOf(caller)
  if (id === undefined) {
    // A token that may do everything is let in, and has no account.
    if (caller.can('me', uids.user)) throw new GraphQLError('Authentication requested')
    throw new ForbiddenError().because('the caller has no account')
  }
  return host.entries(uids.user).first({ where: { id: { $eq: id } }, populate: { role: true } })
}

/** A root about signing in: the action of REST that it is, and what is asked of it before. */
interface Signing {
  readonly action: string
  readonly type: GraphQLOutputType
  readonly args: GraphQLFieldConfigArgumentMap
  readonly before?: (body: Values, call: RouteCall) => void
  readonly description?: string
}

type Run = (call: RouteCall<UsersPermissions>) => Promise<unknown>

const local = { provider: 'local' }

function signingRoots(service: UsersPermissions, me: GraphQLObjectType): Fields {
  const payload = payloadOf(service, me)
  const { register, signIn, forgotPassword, resetPassword, changePassword, confirmAddress } = accountRequests
  const root = ({ action, type, args, before, description }: Signing, run: Run): Fields[string] => ({
    type,
    args,
    ...(description !== undefined && { description }),
    async resolve(_source, { input, ...args }, { call }) {
      const body: Values = input ?? args
      before?.(body, call)
      const replaced = service.replaced(`auth.${action}`)
      if (!replaced) return telling(call, run({ ...triedOnce(call), body, service }))
      const asked = action === 'emailConfirmation' ? { query: body as Record<string, string> } : { body }
      const answer = await telling(call, replaced({ ...asked, ...(action === 'callback' && { params: local }) }, call))
      return type === passwordPayload ? answersOf.done(answer) : answersOf.account(answer)
    },
  })
  const signedIn = new GraphQLNonNull(payload)
  const passwords = { password: required.text, passwordConfirmation: required.text }
  return {
    login: root(
      {
        action: 'callback',
        type: signedIn,
        args: { input: { type: new GraphQLNonNull(loginInput) } },
        before(body) {
          // Other providers send the client to their own pages and back, which is done through REST.
          if (body.provider !== 'local') throw new ApplicationError('This provider is disabled')
        },
      },
      signIn,
    ),
    register: root(
      {
        action: 'register',
        type: signedIn,
        args: { input: { type: new GraphQLNonNull(registerInput) } },
        description: 'Register a user',
      },
      register,
    ),
    forgotPassword: root(
      {
        action: 'forgotPassword',
        type: passwordPayload,
        args: { email: required.text },
        description: 'Request a reset password token',
      },
      forgotPassword,
    ),
    resetPassword: root(
      {
        action: 'resetPassword',
        type: payload,
        args: { ...passwords, code: required.text },
        description: 'Reset user password. Confirm with a code (resetToken from forgotPassword)',
      },
      resetPassword,
    ),
    changePassword: root(
      {
        action: 'changePassword',
        type: payload,
        args: { currentPassword: required.text, ...passwords },
        before: (_body, call) => assertMay(call, { uid: uids.auth, action: 'changePassword' }),
        description: 'Change user password. Confirm with the current password.',
      },
      changePassword,
    ),
    emailConfirmation: root(
      {
        action: 'emailConfirmation',
        type: payload,
        args: { confirmation: required.text },
        description: 'Confirm an email users email address',
      },
      async ({ body }) => service.accounts.signIn(await confirmAddress(service, body)),
    ),
  }
}

/** A refusal for too many tries says in a header when the next one counts, though the status is another one. */
async function telling<T>({ ctx }: RouteCall, work: Promise<T>): Promise<T> {
  return work.catch(error => {
    if (error instanceof RateLimitError) ctx.set({ ...error.headers })
    throw error
  })
}

/** The call with a request of its own: one request is one try for the throttle, and each root is one. */
function triedOnce(call: RouteCall): RouteCall {
  const req = Object.create(call.ctx.req)
  return { ...call, ctx: Object.create(call.ctx, { req: { value: req } }) }
}
