import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import { codeTypesOf } from './code-types.js'
import { membersNotCarried, notCarried, withAbsent, withSome } from './not-carried.js'
import { UnauthorizedError } from './packages/utils/errors.js'
import { configTree } from './project/config.js'
import { createStore } from './store.js'
import type { Api, Bag, Fn, Loose, Runtime, Strapi } from './types.js'

const runtimes = new WeakMap<Strapi, Runtime>()

/** The app that a `strapi` belongs to. */
export function runtimeOf(strapi: Strapi): Runtime {
  const found = runtimes.get(strapi)
  if (!found) throw new Error('this is no strapi object of an app that runs here')
  return found
}

export const setRuntime = (runtime: Runtime): void => void runtimes.set(runtime.strapi, runtime)

/** The apps of this process whose code is loaded, the latest last. */
const running: Strapi[] = []
const current = new AsyncLocalStorage<Strapi>()

/** Runs work of an app: `strapi` as a global is that of the app, however many there are in the process. */
export const within = <T>(strapi: Strapi, work: () => T): T =>
  running.length <= 1 ? work() : current.run(strapi, work)

/** `strapi` is a global from now on; the returned function ends that. */
export function makeGlobal(strapi: Strapi): () => void {
  running.push(strapi)
  if (!Object.hasOwn(globalThis, 'strapi'))
    Object.defineProperty(globalThis, 'strapi', {
      configurable: true,
      enumerable: false,
      get: () => current.getStore() ?? running.at(-1),
    })
  return () => {
    const at = running.indexOf(strapi)
    if (at >= 0) running.splice(at, 1)
    if (running.length === 0) delete (globalThis as Loose).strapi
  }
}

/** Throws where `ctx.state.auth` has not all of a scope; without one, the caller is not known. */
async function verifyAuth(auth: Loose, config: Bag = {}): Promise<void> {
  if (!auth?.strategy) throw new UnauthorizedError()
  await auth.strategy.verify(auth, config)
}

/** The parts that the object is made of, beside what follows from it. */
export interface StrapiParts {
  readonly runtime: () => Runtime
  readonly config: Bag
  readonly log: Loose
  readonly eventHub: Strapi['eventHub']
  readonly cron: Loose
  readonly customFields: Loose
  /** Types of this server's internationalisation have a locale. */
  readonly isLocalized: (schema: Bag) => boolean
}

/** `strapi`, before anything of the project has run; what is looked up on it is made when it is asked for. */
export function createStrapi({ runtime, config, log, eventHub, cron, customFields, isLocalized }: StrapiParts): Strapi {
  const tree = configTree(config)
  let types: (ReturnType<typeof codeTypesOf> & { readonly of: number }) | undefined
  const typesOf = () => {
    // Code of plugins may ask while others are not loaded yet.
    const { size } = runtime().project.plugins
    if (types?.of !== size)
      types = { ...codeTypesOf(runtime().app.definitions, runtime().project, { isLocalized }), of: size }
    return types
  }
  const strapi: Loose = {
    config: tree,
    log,
    eventHub,
    cron,
    customFields,
    EE: false,
    isLoaded: false,
    fetch: (...given: Parameters<typeof fetch>) => fetch(...given),
    telemetry: { register: nothing, bootstrap: nothing, send: async () => true, isDisabled: true, destroy: nothing },
    contentType: (uid: string) => typesOf().contentTypes[uid],
    getModel: (uid: string) => typesOf().contentTypes[uid] ?? typesOf().components[uid],
    service: (uid: string) => runtime().http.serviceOf(uid),
    controller: (uid: string) => runtime().http.controllerOf(uid),
    policy: (uid: string) => runtime().http.policyOf(uid),
    middleware: (uid: string) => runtime().http.middlewareNamed(uid),
    plugin: (name: string) => runtime().plugins.pluginOf(name),
    query: (uid: string) => strapi.db.query(uid),
    auth: withAbsent('strapi.auth', { verify: verifyAuth }),
    db: undefined,
    entityService: undefined,
  }
  strapi.store = createStore(
    uid => strapi.db.query(uid),
    key => runtime().plugins.settingOf(key),
  )
  const lazy = (name: string, get: () => Loose) => {
    Object.defineProperty(strapi, name, {
      configurable: true,
      enumerable: true,
      get,
      set: value =>
        Object.defineProperty(strapi, name, { value, writable: true, configurable: true, enumerable: true }),
    })
  }
  lazy(
    'dirs',
    once(() => dirsOf(runtime)),
  )
  lazy('contentTypes', () => typesOf().contentTypes)
  lazy('components', () => typesOf().components)
  lazy('requestContext', () => runtime().http.requestContext)
  lazy(
    'server',
    once(() => runtime().http.serverOf(() => runtime().host?.server)),
  )
  lazy('plugins', () => pluginsOf(runtime()))
  lazy(
    'api',
    once(() => apisOf(runtime(), strapi)),
  )
  lazy('apis', () => strapi.api)
  for (const kind of ['services', 'controllers', 'policies', 'middlewares'] as const)
    lazy(
      kind,
      once(() => mapOf(kind, runtime(), strapi)),
    )
  for (const [name, why] of Object.entries(membersNotCarried))
    lazy(
      name,
      once(() => withSome(notCarried(`strapi.${name}`, why), heard[name] ?? {})),
    )
  return strapi
}

const nothing = (): void => undefined

const panelActions = { register: async () => undefined, registerMany: async () => undefined }

/** Plugins tell the panel, as they start, which permissions it may grant: there is none, and nothing is lost by that. */
const heard: Readonly<Record<string, Bag>> = {
  admin: {
    services: {
      permission: { actionProvider: panelActions, conditionProvider: panelActions, provider: panelActions },
    },
  },
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function dirsOf(runtime: () => Runtime): Bag {
  const below = (root: string) => ({
    root,
    src: path.join(root, 'src'),
    api: path.join(root, 'src/api'),
    components: path.join(root, 'src/components'),
    extensions: path.join(root, 'src/extensions'),
    policies: path.join(root, 'src/policies'),
    middlewares: path.join(root, 'src/middlewares'),
    config: path.join(root, 'config'),
  })
  const { appDir } = runtime().app
  return {
    app: below(appDir),
    dist: below(runtime().project.compiledTo ?? appDir),
    static: { public: path.join(appDir, 'public') },
  }
}

/** Plugins that are not here, and of which there is something to say, are found by their names, and not listed. */
function pluginsOf({ plugins, project }: Runtime): Bag {
  const dependencies = Object.keys(project.config.get(['info', 'dependencies'], {}))
  const absent = dependencies
    .flatMap(one => /^(?:@strapi\/|strapi-)plugin-(.+)$/.exec(one)?.[1] ?? [])
    .filter(name => !project.plugins.has(name))
  const found = lookUp([...project.plugins.keys(), ...absent], name => plugins.pluginOf(name))
  for (const name of absent) Object.defineProperty(found, name, { enumerable: false })
  return found
}

/** An object whose members are made when they are asked for. */
function lookUp(names: readonly string[], get: (name: string) => Loose): Bag {
  const found: Bag = {}
  for (const name of names)
    Object.defineProperty(found, name, {
      configurable: true,
      enumerable: true,
      get: () => get(name),
      set: value => Object.defineProperty(found, name, { value, writable: true, configurable: true, enumerable: true }),
    })
  return found
}

type Kind = 'services' | 'controllers' | 'policies' | 'middlewares'
const singular: Readonly<Record<Kind, string>> = {
  services: 'service',
  controllers: 'controller',
  policies: 'policy',
  middlewares: 'middleware',
}

/** `strapi.services` and its like, by uid. */
function mapOf(kind: Kind, { project }: Runtime, strapi: Strapi): Bag {
  const ofApis = [...project.apis.values()].flatMap(api =>
    [...api[kind].keys()].map(name => `api::${api.name}.${name}`),
  )
  const ofPlugins = [...project.plugins.values()].flatMap(({ name, server }) =>
    Object.keys(server[kind] ?? {}).map(one => `plugin::${name}.${one}`),
  )
  const ofProject =
    kind === 'policies' || kind === 'middlewares' ? [...project[kind].keys()].map(name => `global::${name}`) : []
  return lookUp([...ofProject, ...ofPlugins, ...ofApis], uid => strapi[singular[kind]](uid))
}

/** `strapi.api`: each API with what its folders hold. */
const apisOf = ({ project }: Runtime, strapi: Strapi): Bag =>
  Object.fromEntries([...project.apis.values()].map(api => [api.name, apiOf(api, strapi)]))

function apiOf(api: Api, strapi: Strapi): Bag {
  const uid = (name: string) => `api::${api.name}.${name}`
  const parts = (Object.keys(singular) as Kind[]).flatMap(kind => {
    const one: Fn = name => strapi[singular[kind]](uid(name))
    return [
      [kind, lookUp([...api[kind].keys()], one)],
      [singular[kind], one],
    ]
  })
  return {
    ...api.index,
    routes: Object.fromEntries(api.routes.map(({ name, exported }) => [name, exported])),
    contentTypes: lookUp([...api.contentTypes.keys()], name => strapi.contentType(uid(name))),
    contentType: (name: string) => strapi.contentType(uid(name)),
    ...Object.fromEntries(parts),
  }
}
