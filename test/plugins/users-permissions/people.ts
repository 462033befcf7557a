import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import jwt from 'jsonwebtoken'
import { inject } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import type { Api, World } from '../../support/contract.js'
import type { DatabaseSettings } from '../../support/engines.js'
import { run } from '../../support/run.js'

export const secret = 'a secret of tests'
export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'

type Json = Readonly<Record<string, unknown>>

export interface People {
  readonly types?: World['types']
  /** The settings in `config/plugins`, besides the secret. */
  readonly settings?: Json
  /** `config/permissions` */
  readonly permissions?: unknown
  readonly rest?: NonNullable<World['rest']>
  readonly config?: NonNullable<World['config']>
  /** Actions by role: roles that do not exist are made. */
  readonly roles?: Readonly<Record<string, readonly string[]>>
  /** Accounts by name, with what is unusual about them; the role by its type. */
  readonly accounts?: Readonly<Record<string, Json>>
  readonly rows?: World['rows']
}

/** A world with accounts: `alice` has the id 1 if she is named first, the address alice@example.test, the password alice-pass-1. */
export function world({
  types = {},
  settings,
  permissions,
  rest,
  config,
  roles = {},
  accounts = {},
  rows,
}: People): World {
  return {
    types,
    plugins: [[usersPermissions, { jwtSecret: secret, ratelimit: { enabled: false }, ...settings }]],
    ...(rest && { rest }),
    config: { ...config, ...(permissions !== undefined && { permissions }) },
    async rows(app) {
      for (const [type, actions] of Object.entries(roles)) await grant(app, type, actions)
      for (const [name, more] of Object.entries(accounts)) await account(app, name, more)
      await rows?.(app)
    },
  }
}

export async function grant(app: TestApp, type: string, actions: readonly string[]): Promise<void> {
  const found = await app.entries(roleUid).first({ where: { type: { $eq: type } } })
  const role = found ?? (await app.entries(roleUid).create({ type, name: type, description: `the ${type}s` }))
  for (const action of actions)
    await app.entries('plugin::users-permissions.permission').create({ action, role: Number(role.id) })
}

export async function account(
  app: TestApp,
  name: string,
  { role = 'authenticated', ...more }: Json = {},
): Promise<number> {
  const { id: roleId } = (await app.entries(roleUid).first({ where: { type: { $eq: role } } })) ?? {}
  const { id } = await app.entries(userUid).create({
    ...{ username: name, email: `${name}@example.test`, password: `${name}-pass-1`, provider: 'local' },
    ...{ confirmed: true, role: Number(roleId) },
    ...more,
  })
  return Number(id)
}

/** Permissions of an editor of accounts and roles. */
export const administration = [
  ...['find', 'findOne', 'me', 'create', 'update', 'destroy', 'count'].map(action => `${userUid}.${action}`),
  ...['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'].map(action => `${roleUid}.${action}`),
  'plugin::users-permissions.permissions.getPermissions',
  'plugin::users-permissions.auth.changePassword',
]

export const tokenOf = (id: number, claims: Json = {}): string =>
  jwt.sign({ id, ...claims }, secret, { expiresIn: '1h' })
export const as = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` })
export const asUser = (id: number): { authorization: string } => as(tokenOf(id))

export const login = (api: Api, name: string, password = `${name}-pass-1`) =>
  api.send('POST', '/auth/local', { identifier: name, password })

/** The body that a validation error has for one field. */
export const fieldError = (field: string, message: string) => ({
  data: null,
  error: {
    status: 400,
    name: 'ValidationError',
    message,
    details: { errors: [{ path: [field], message, name: 'ValidationError' }] },
  },
})
export const plainError = (status: number, name: string, message: string) => ({
  data: null,
  error: { status, name, message, details: {} },
})

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly from: string
}

/** A file that mail goes to, as settings say it, and what arrives there. */
export function mailbox() {
  const path = join(inject('folder'), `mail-${randomUUID()}.jsonl`)
  const read = (): Mail[] => {
    if (!existsSync(path)) return []
    // Text behind the last line break is still being written.
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line))
  }
  return {
    email: { provider: 'file', providerOptions: { path } },
    read,
    /** The newest mail to somebody, as soon as there are this many for them. */
    to: (address: string, count = 1): Promise<Mail> =>
      eventually(() => {
        const mails = read().filter(({ to }) => to === address)
        return mails.length >= count ? mails.at(-1) : undefined
      }),
  }
}

/** Runs a statement on a connection of its own, past the server, as another program would. */
export function outside(app: TestApp, sql: string): Promise<Json[]> {
  const { client, filename, host, port, user, password, database } = app.config.database
  const settings = client === 'sqlite' ? { client, filename } : { client, host, port, user, password, database }
  return run(settings as DatabaseSettings, sql)
}

/** Resolves to the first result of `look` that is not undefined. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>, within = 10_000): Promise<T> {
  const deadline = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`what was waited for did not come within ${within} ms`)
    await pause(5)
  }
}
