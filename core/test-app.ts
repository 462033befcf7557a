import type { DispatchFunc, InjectOptions, Response } from 'light-my-request'
import { findPlugins, loadConfig, unmentionedPlugins } from './boot/load-config.js'
import type { BootOptions } from './boot/start.js'
import { readAddress } from './config/address.js'
import type { Config, Overrides } from './config/types.js'
import { BootError } from './errors.js'
import type { Method } from './http/endpoint.js'
import { type App, boot } from './kernel.js'
import { createLog, type Log } from './log.js'
import type { OfferedPlugin } from './plugin/plugin.js'
import { type AppCheck, type AppCommand, checksOf, commandsOf } from './plugin/running.js'
import type { AnyPlugin } from './plugin/spec.js'
import type { Definition } from './schema/types.js'
import { wings } from './wings.js'

export interface TestAppOptions {
  /** An app folder: its settings, content types and plugins. Without it, the other options are the whole app. */
  readonly app?: string
  /** Content types as they would stand in schema files; names and tables may be left out. */
  readonly types?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Components by uid: `shared.seo`. */
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Schema files as they would be found, beside the types: an extension of a plugin's type goes here. */
  readonly definitions?: readonly Definition[]
  /** Plugins as values, alone or with their settings, beside those that `config.plugins` enables by name. */
  readonly plugins?: readonly (AnyPlugin | readonly [AnyPlugin, Readonly<Record<string, unknown>>])[]
  /** Settings as the files of config/ have them; merged over those of the app folder. */
  readonly config?: Overrides
  /** The time of requests and of jobs, in milliseconds since 1970; that of the system by default. */
  readonly time?: () => number
  /** The log; the lines about a request that fails with 500 go to standard error by default. */
  readonly log?: Log
}

export interface TestApp extends App {
  /** The commands of plugins. */
  readonly commands: readonly AppCommand[]
  /** The checks of plugins, for `stele doctor`. */
  readonly checks: readonly AppCheck[]
  /** Runs a job now, due or not, as `<plugin>/<job>`; rejects where it fails. */
  runJob(name: string): Promise<void>
  /** Sends a request without a socket. */
  inject(request: InjectedRequest | string): Promise<Response>
}

/** A request without a socket, of any method that routes can have. */
export type InjectedRequest = Omit<InjectOptions, 'method'> & { readonly method?: InjectOptions['method'] | Method }

/**
 * A whole server for one test, in memory unless its settings say otherwise, and gone when it is closed. Without an app
 * folder every request is permitted; with one, its own permissions hold.
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const errors = new ErrorLines()
  const app = await boot(await bootOptions(options, errors))
  const handle = app.koa.callback()
  return {
    ...app,
    commands: commandsOf(app),
    checks: checksOf(app.plugins),
    runJob: async name => {
      if (!app.jobs) throw new Error(`there is no job "${name}": no plugin has any`)
      await app.jobs.runNow(name)
    },
    // Plugins import this module with the rest of the API; only tests need the code that sends requests without a socket.
    inject: async request => {
      const { inject } = await import('light-my-request')
      const response = (await inject(handle as DispatchFunc, request as InjectOptions)) as unknown as Response
      if (response.statusCode === 500) errors.show(String(response.headers['x-request-id']))
      return response
    },
  }
}

async function bootOptions(options: TestAppOptions, errors: ErrorLines): Promise<BootOptions> {
  const { app, time, plugins = [], log = createLog('error', { destination: errors }) } = options
  const config = await configOf(options)
  const offered: OfferedPlugin[] = plugins.map(entry => {
    const [plugin, settings] = Array.isArray(entry) ? entry : [entry, {}]
    return { plugin, enabled: true, config: settings }
  })
  return {
    wings,
    config,
    log,
    ...(time && { time }),
    plugins: [...without(offered, await findPlugins(config, wings.foreign.projects)), ...offered],
    ...(app === undefined
      ? { definitions: definitionsOf(options) }
      : { unmentioned: async () => without(offered, await unmentionedPlugins(config)) }),
  }
}

/** A plugin that a test hands over takes the place of the one that has its name. */
const without = (those: readonly OfferedPlugin[], all: readonly OfferedPlugin[]): OfferedPlugin[] =>
  all.filter(({ plugin }) => !those.some(other => other.plugin.name === plugin.name))

/** The database of a test is one in memory, unless the test names another: never that of the app folder. */
function configOf({ app, config = {}, ...rest }: TestAppOptions): Promise<Config> {
  const { database } = config
  // An address says which engine it is of, whatever files and variables say.
  const usual =
    database?.url === undefined
      ? { client: 'sqlite' as const, filename: ':memory:' }
      : { client: readAddress(database.url)?.client }
  const overrides = { ...config, database: { ...usual, ...database } }
  if (app === undefined)
    return loadConfig(process.cwd(), {
      env: { NODE_ENV: 'test' },
      bare: true,
      overrides: { ...overrides, api: { ...config.api, rest: { public: true, ...config.api?.rest } } },
    })
  for (const part of ['types', 'components', 'definitions'] as const)
    if (rest[part] !== undefined)
      throw new BootError(`createTestApp: the app folder has content types of its own; leave out "${part}"`)
  return loadConfig(app, {
    projects: wings.foreign.projects,
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'test' },
    overrides,
  })
}

/** Lines of the log, kept until the request that they are about has failed, the latest ones. */
class ErrorLines {
  readonly #lines: string[] = []

  write(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > 1000) this.#lines.shift()
  }

  /** Writes the log entries of a request to standard error, with the stack on lines of its own. */
  show(requestId: string): void {
    for (const line of this.#lines) {
      const {
        requestId: of,
        msg,
        err,
      } = JSON.parse(line) as { requestId?: string; msg?: string; err?: { stack?: string } }
      if (of === requestId) console.error([msg, err?.stack ?? line].join('\n'))
    }
  }
}

function definitionsOf({ types = {}, components = {}, definitions = [] }: TestAppOptions): Definition[] {
  return [
    ...Object.entries(types).map(([name, schema]) => typeDefinition(name, schema)),
    ...Object.entries(components).map(([uid, schema]) => componentDefinition(uid, schema)),
    ...definitions,
  ]
}

function typeDefinition(name: string, schema: Readonly<Record<string, unknown>>): Definition {
  const plural = (schema.pluralName as string | undefined) ?? `${name}s`
  const { pluralName: _, ...rest } = schema
  return {
    uid: `api::${name}.${name}`,
    source: `${name}.json`,
    schema: {
      kind: 'collectionType',
      collectionName: plural.replaceAll('-', '_'),
      info: { singularName: name, pluralName: plural, displayName: name },
      attributes: {},
      ...rest,
    },
  }
}

function componentDefinition(uid: string, schema: Readonly<Record<string, unknown>>): Definition {
  const table = `components_${uid.replace('.', '_').replaceAll('-', '_')}s`
  return { uid, source: `${uid}.json`, schema: { collectionName: table, attributes: {}, ...schema } }
}
