import { createHmac } from 'node:crypto'
import { type InjectOptions, inject } from 'light-my-request'
import { findPlugins, loadConfig, unmentionedPlugins } from '../../../../core/boot/load-config.js'
import type { Overrides } from '../../../../core/config/types.js'
import { type App, boot } from '../../../../core/kernel.js'
import { createLog } from '../../../../core/log.js'
import { wings } from '../../../../core/wings.js'
import type { DatabaseSettings } from '../../../support/engines.js'
import type { Reply } from './compare.js'
import type { Multipart, ProjectCopy, RecordedRequest } from './scripts.js'

/** A line of the log. */
export interface Line {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [more: string]: unknown
}

/** A project that runs in this process. */
export interface RunningProject {
  readonly app: App
  readonly lines: readonly Line[]
  send(request: RecordedRequest): Promise<Reply>
  /** Who has a new password signs in again: tokens that are made from now on are later ones. */
  signInAgain(): void
  close(): Promise<void>
}

export interface OpenOptions {
  readonly config?: Overrides
  /** Opens a port as well: jobs run only then. */
  readonly listens?: boolean
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts a copy of a project on a database, in production mode, as it was recorded. */
export async function open(
  copy: ProjectCopy,
  database: DatabaseSettings,
  { config: overrides = {}, listens = false, variables = {} }: OpenOptions = {},
): Promise<RunningProject> {
  const lines: Line[] = []
  const log = createLog('info', { destination: { write: line => void lines.push(JSON.parse(line)) } })
  const restore = putVariables({ ...copy.variables, NODE_ENV: 'production', ...variables })
  try {
    const config = await loadConfig(copy.folder, {
      projects: wings.foreign.projects,
      env: { ...process.env },
      overrides: {
        ...overrides,
        server: { ...overrides.server, host: '127.0.0.1', port: 0 },
        database,
      },
    })
    const plugins = await findPlugins(config, wings.foreign.projects)
    const app = await boot({ wings, config, log, plugins, unmentioned: () => unmentionedPlugins(config) })
    const handle = app.koa.callback()
    let ahead = 0
    if (listens) await app.listen()
    return {
      app,
      lines,
      async send(request) {
        const response = await inject(handle as never, injected(request, copy.variables, ahead))
        return { status: response.statusCode, headers: response.headers, text: response.payload }
      },
      signInAgain() {
        ahead += 3
      },
      async close() {
        await app.close()
        restore()
      },
    }
  } catch (error) {
    restore()
    throw error
  }
}

/** Code of projects reads `process.env` itself; what was there before comes back. */
function putVariables(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

function injected(request: RecordedRequest, variables: ProjectCopy['variables'], ahead: number): InjectOptions {
  const { auth, method, path, headers = {}, body, multipart } = request
  const token = tokenOf(auth, variables.JWT_SECRET ?? '', ahead)
  const sent = multipart ? multipartOf(multipart) : body === undefined ? undefined : json(body)
  return {
    method: method as 'GET',
    url: path,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sent && { 'content-type': sent.type }),
      ...headers,
    },
    ...(sent && { payload: sent.payload }),
  }
}

const json = (body: unknown) => ({ payload: JSON.stringify(body), type: 'application/json' })

/** `user1` is a valid token of account 1; every other word is sent as it stands. */
function tokenOf(auth: string, secret: string, ahead: number): string | undefined {
  if (auth === 'none') return undefined
  const [, id] = /^user(\d+)$/.exec(auth) ?? []
  if (id === undefined) return auth
  const now = Math.floor(Date.now() / 1000) + ahead
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id: Number(id), iat: now, exp: now + 3600 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

function multipartOf({ fields = [], files = [] }: Multipart): { payload: Buffer; type: string } {
  const boundary = 'boundary-of-the-replay'
  const part = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const text = [
    ...fields.map(([name, value]) => part(`name="${name}"`, typeof value === 'string' ? value : JSON.stringify(value))),
    ...files.map(({ field, filename, type, text }) =>
      part(`name="${field}"; filename="${filename}"\r\nContent-Type: ${type}`, text),
    ),
    `--${boundary}--\r\n`,
  ].join('')
  return { payload: Buffer.from(text), type: `multipart/form-data; boundary=${boundary}` }
}
