import { NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import { NoAccountError, noSession } from './callers.js'
import { nothing, objectShape, optionalText, own, sessionShape, signedIn, text } from './shapes.js'
import { changeOwn, changePassword, editorOf, type SignInService, shown, shownSession, signIn } from './sign-in.js'

type Call = RouteCall<SignInService>

/** The paths to which passwords, and what stands for them, are sent by people without a session. */
export const signInPaths: readonly string[] = ['/console/session', '/console/password/new', '/console/invitation']

const listed = objectShape({ ...sessionShape.properties, isCurrent: { type: 'boolean' } })

export const sessionRoutes: readonly Route<SignInService>[] = [
  {
    ...own,
    method: 'POST',
    path: '/console/session',
    describe: 'sign in as an editor',
    body: 'json',
    accepts: objectShape({ email: text, password: text, keep: { type: 'boolean' } }, ['email', 'password']),
    answers: signedIn,
    run: signIn,
  },
  {
    ...own,
    method: 'GET',
    path: '/console/session',
    describe: "the editor's account and session",
    answers: signedIn,
    async run({ ctx, service }: Call) {
      const open = service.sessions.current(ctx)
      if (open) return shown(open)
      throw (await service.accounts.hasSuperAdmin()) ? noSession() : new NoAccountError()
    },
  },
  {
    ...own,
    method: 'DELETE',
    path: '/console/session',
    describe: 'sign out',
    answers: nothing,
    async run({ ctx, service }: Call) {
      await service.sessions.close(ctx)
    },
  },
  {
    ...own,
    method: 'PUT',
    path: '/console/session/account',
    describe: "change the names and the language of the editor's own account",
    body: 'json',
    accepts: objectShape(
      { firstname: optionalText, lastname: optionalText, username: optionalText, language: optionalText },
      [],
    ),
    answers: signedIn,
    run: changeOwn,
  },
  {
    ...own,
    method: 'GET',
    path: '/console/sessions',
    describe: "the editor's own sessions",
    answers: objectShape({ sessions: { type: 'array', items: listed } }),
    async run({ ctx, service }: Call) {
      const { account, session } = editorOf(service, ctx)
      const all = await service.sessions.of(account.id)
      return { sessions: all.map(one => ({ ...shownSession(one), isCurrent: one.id === session.id })) }
    },
  },
  {
    ...own,
    method: 'DELETE',
    path: '/console/sessions',
    describe: 'sign out everywhere',
    answers: nothing,
    async run({ ctx, service }: Call) {
      const { account } = editorOf(service, ctx)
      await service.sessions.closeAll(account.id)
      await service.sessions.close(ctx)
    },
  },
  {
    ...own,
    method: 'DELETE',
    path: '/console/sessions/:id',
    describe: 'sign out another browser of the editor',
    answers: nothing,
    async run({ ctx, params, service }: Call) {
      const { account } = editorOf(service, ctx)
      const id = Number(params.id)
      if (!Number.isSafeInteger(id) || !(await service.sessions.end(account.id, id))) throw new NotFoundError()
    },
  },
  {
    ...own,
    method: 'POST',
    path: '/console/password',
    describe: "change the editor's own password",
    body: 'json',
    accepts: objectShape({ current: text, password: text }),
    answers: signedIn,
    run: changePassword,
  },
]
