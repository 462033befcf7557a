import { onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type Host, type TestApp, type TestAppOptions } from '../../../../core/index.js'
import { codeTypesOf } from '../../../../plugins/strapi-code/code-types.js'
import { type CodeHttp, createHttp } from '../../../../plugins/strapi-code/http/index.js'
import { makeUtils } from '../../../../plugins/strapi-code/packages/utils/index.js'
import { configTree } from '../../../../plugins/strapi-code/project/config.js'
import type { Bag, Loose, Runtime } from '../../../../plugins/strapi-code/types.js'

/** The code of a small project, as objects. */
export interface SmallCode {
  /** By the name of the API, then by kind and name. Routes are lists by the names of their files. */
  readonly apis?: (given: { factories: Bag; utils: Bag; strapi: Loose }) => Record<string, Partial<Record<Kind, Bag>>>
  readonly policies?: Bag
  readonly middlewares?: Bag
  readonly config?: Bag
  /** Events that are heard: `api::note.note findMany`. */
  readonly heard?: readonly string[]
  readonly entityService?: Bag
}

type Kind = 'routes' | 'controllers' | 'services' | 'policies' | 'middlewares'

export interface SmallApp {
  readonly app: TestApp
  readonly http: CodeHttp
  readonly strapi: Loose
  /** Status and body of a request, parsed where it is JSON. */
  ask(url: string, options?: { method?: string; payload?: unknown; headers?: Record<string, string> }): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Loose
  readonly headers: Loose
}

/** An app whose code is given as objects: everything is permitted unless the options say otherwise. */
export async function smallApp(code: SmallCode, options: TestAppOptions = {}): Promise<SmallApp> {
  const { runtime, http, strapi } = makeRuntime(code, (options.types ?? {}) as Bag)
  const plugin = definePlugin({
    name: 'strapi-code',
    register: (host: Host) => {
      runtime.host = host
      strapi.db = {}
      return undefined
    },
    routes: http.routesOf(),
    actions: http.actionsOf(),
    middleware: http.middlewareOf(),
  })
  const config = { api: { rest: { public: true as const, dialect: 'strapi4' as const } }, ...options.config }
  const app = await createTestApp({ ...options, plugins: [plugin, ...(options.plugins ?? [])], config })
  onTestFinished(() => app.close())
  http.check()
  return {
    app,
    http,
    strapi,
    async ask(url, { method = 'GET', payload, headers = {} } = {}) {
      const reply = await app.inject({ method: method as 'GET', url, headers, payload: payload as object })
      const type = String(reply.headers['content-type'] ?? '')
      const body = /json/.test(type) ? reply.json() : reply.payload
      return { status: reply.statusCode, type, body, headers: reply.headers }
    },
  }
}

function makeRuntime(code: SmallCode, types: Bag) {
  const definitions = Object.entries(types).map(([name, schema]) => ({
    uid: `api::${name}.${name}`,
    source: name,
    schema: { info: { singularName: name, pluralName: `${name}s`, displayName: name }, ...(schema as Bag) },
  }))
  const runtime: Loose = {
    app: { appDir: process.cwd(), definitions, config: { server: { body: { json: 1e6, multipart: 1e6 } } } },
    settings: { run: 'run', broken: 'stop' },
    mentions: new Set(code.heard ? ['subscribe'] : []),
    within: (work: () => Loose) => work(),
    fail: ({ says }: Bag) => {
      throw new Error(says)
    },
    data: { hasEvents: (uid: string, action: string) => code.heard?.includes(`${uid} ${action}`) === true },
  }
  const strapi: Loose = {
    config: configTree({ api: { rest: {} }, ...code.config }),
    dirs: { app: { root: process.cwd() } },
    entityService: code.entityService,
  }
  const project: Loose = {
    appDir: process.cwd(),
    failures: [],
    apis: new Map(),
    policies: new Map(Object.entries(code.policies ?? {})),
    middlewares: new Map(Object.entries(code.middlewares ?? {})),
    plugins: new Map(),
  }
  const all = codeTypesOf(definitions, project, { isLocalized: () => false })
  Object.assign(strapi, {
    contentTypes: all.contentTypes,
    contentType: (uid: string) => all.contentTypes[uid],
    getModel: (uid: string) => all.contentTypes[uid] ?? all.components[uid],
  })
  Object.assign(runtime, { strapi, project })
  const http = createHttp(runtime as Runtime)
  Object.assign(strapi, {
    service: http.serviceOf,
    controller: http.controllerOf,
    requestContext: http.requestContext,
  })
  const given = { factories: http.factories, utils: makeUtils(strapi), strapi }
  for (const [name, parts] of Object.entries(code.apis?.(given) ?? {}))
    project.apis.set(name, {
      name,
      routes: Object.entries(parts.routes ?? {}).map(([file, exported]) => ({
        name: file,
        file: `src/api/${name}/routes/${file}.js`,
        exported,
      })),
      ...Object.fromEntries(
        (['controllers', 'services', 'policies', 'middlewares'] as const).map(kind => [
          kind,
          new Map(Object.entries(parts[kind] ?? {})),
        ]),
      ),
      contentTypes: new Map(),
    })
  return { runtime, http, strapi }
}
