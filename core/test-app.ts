import type { InjectOptions, Response } from 'light-my-request'
import { loadConfig } from './config/load.js'
import type { Config, DeepPartial } from './config/types.js'
import { type App, boot } from './kernel.js'
import { createLog, type Log } from './log.js'
import type { AnyPlugin } from './plugin.js'
import type { Definition } from './schema/types.js'

export interface TestAppOptions {
  /** Content types as they would stand in schema files; names and tables may be left out. */
  readonly types?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Components by uid: `shared.seo`. */
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Schema files as they would be found, beside the types: what extends a plugin's type stands here. */
  readonly definitions?: readonly Definition[]
  readonly plugins?: readonly (AnyPlugin | readonly [AnyPlugin, Readonly<Record<string, unknown>>])[]
  readonly config?: DeepPartial<Config>
  readonly log?: Log
}

export interface TestApp extends App {
  /** Sends a request without a socket. */
  inject(request: InjectOptions | string): Promise<Response>
}

/** A whole server for one test: in memory unless told otherwise, open to everybody, gone when it is closed. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const {
    types = {},
    components = {},
    definitions = [],
    plugins = [],
    config: overrides = {},
    log = createLog('silent'),
  } = options
  const config = await loadConfig(process.cwd(), {
    env: { NODE_ENV: 'test', DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' },
    bare: true,
    overrides: { ...overrides, api: { ...overrides.api, rest: { public: true, ...overrides.api?.rest } } },
  })
  const app = await boot({
    config,
    log,
    definitions: [
      ...Object.entries(types).map(([name, schema]) => typeDefinition(name, schema)),
      ...Object.entries(components).map(([uid, schema]) => componentDefinition(uid, schema)),
      ...definitions,
    ],
    plugins: plugins.map(entry =>
      Array.isArray(entry)
        ? { plugin: entry[0] as AnyPlugin, enabled: true, config: entry[1] as Record<string, unknown> }
        : { plugin: entry as AnyPlugin, enabled: true, config: {} },
    ),
  })
  const handle = app.koa.callback()
  return {
    ...app,
    // Plugins import this module with the rest of the API; only tests need what sends requests without a socket.
    inject: async request => {
      const { inject } = await import('light-my-request')
      return inject(handle as never, request as InjectOptions) as unknown as Promise<Response>
    },
  }
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
