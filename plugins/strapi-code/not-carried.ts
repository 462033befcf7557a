import type { Loose } from './types.js'

const admin = 'this server has no admin panel'
const webhooks = 'webhooks are declared in config/webhooks'
const started = 'the server is started and stopped by `stele start`'
const fields = 'relations are written with create and update'
const stored = 'files are checked and stored in one step; use upload'
const entries = 'use strapi.entityService in resolvers'
const schema = 'the server makes the schema of GraphQL itself; extend it with the service extension'
const queries = 'use strapi.entityService or strapi.db.query'

/**
 * Parts of Strapi that nothing here does the work of, by the path on which code reaches them, each with the reason. What the
 * code meets where it uses one, and what `stele strapi-code check` says of it, are the same sentence.
 */
export const reasons: Readonly<Record<string, string>> = {
  'strapi.admin': admin,
  'strapi.webhookRunner': webhooks,
  'strapi.webhookStore': webhooks,
  'strapi.startupLogger': 'the server writes its own start messages',
  'strapi.compile': 'the code is compiled as it is loaded',
  'strapi.reload': 'stele dev starts the server again when a file changes',
  'strapi.fs': 'files are written with node:fs',
  'strapi.entityValidator': 'strapi.entityService checks what it writes',
  'strapi.contentAPI': 'permissions follow from the routes and the roles',
  'strapi.auth.register': 'callers are identified by the plugins users-permissions and api-tokens',
  'strapi.auth.authenticate': 'callers are identified by the plugins users-permissions and api-tokens',
  'strapi.sanitizers': 'sanitize of @strapi/utils takes no further steps',
  'strapi.validators': 'validate of @strapi/utils takes no further steps',
  'strapi.hook': 'the server calls no hooks of Strapi',
  'strapi.hooks': 'the server calls no hooks of Strapi',
  'strapi.container': 'what it holds are members of strapi',
  'strapi.start': started,
  'strapi.stop': started,
  'strapi.stopWithError': started,
  'strapi.listen': started,
  'strapi.load': started,
  'strapi.db.schema': 'tables follow from the types; `stele apply` changes them',
  'strapi.db.migrations': 'migrations are not run',
  'strapi.db.queryBuilder': 'use strapi.db.query or strapi.db.connection',
  'strapi.db.getSchemaConnection': 'tables follow from the types; `stele apply` changes them',
  'strapi.db.repair': '`stele doctor --fix` repairs a database',
  'strapi.db.destroy': started,
  'strapi.db.query(uid).attachRelations': fields,
  'strapi.db.query(uid).updateRelations': fields,
  'strapi.db.query(uid).deleteRelations': fields,
  'strapi.db.query(uid).populate': 'use load, or populate of findOne',
  'strapi.db.query(uid).clone': 'use strapi.entityService.clone',
  'strapi.entityService.decorate': 'lifecycles hear of all reads and writes',
  'strapi.server.routes': 'routes are known before the server runs; declare them in src/api/<name>/routes',
  'strapi.server.router': 'routes are known before the server runs; declare them in src/api/<name>/routes',
  'strapi.server.app': 'middlewares are added with strapi.server.use',
  'strapi.server.api': 'routes are known before the server runs; declare them in src/api/<name>/routes',
  'strapi.server.listen': started,
  'strapi.server.destroy': started,
  "strapi.plugin('content-manager')": admin,
  "strapi.plugin('content-type-builder')":
    'schema files are changed by hand, or by the plugin content-type-builder of this server',
  "strapi.plugin('users-permissions').service('providers-registry')":
    'providers are declared in config/plugins: users-permissions.config.providers',
  "strapi.plugin('users-permissions').service('providers').connect":
    'the server signs in with providers itself; call the action auth.callback of users-permissions',
  "strapi.plugin('upload').service('provider')":
    'files are stored as config/plugins says of upload; use the service upload',
  "strapi.plugin('upload').service('image-manipulation')": 'the server makes the formats of pictures itself',
  "strapi.plugin('upload').service('folder')": 'folders are entries of plugin::upload.folder',
  "strapi.plugin('upload').service('file')": 'files are entries of plugin::upload.file',
  "strapi.plugin('upload').service('api-upload-folder')": 'the server has a folder for what requests upload',
  "strapi.plugin('upload').service('upload').formatFileInfo": stored,
  "strapi.plugin('upload').service('upload').enhanceAndValidateFile": stored,
  "strapi.plugin('upload').service('upload').uploadFileAndPersist": stored,
  "strapi.plugin('i18n').service('localizations')": 'the server keeps localizations together itself',
  "strapi.plugin('i18n').service('entity-service-decorator')": 'strapi.entityService knows locales',
  "strapi.plugin('i18n').service('core-api')": 'the server has the route of localizations itself',
  "strapi.plugin('i18n').service('iso-locales')": 'every code of a locale is taken',
  "strapi.plugin('i18n').service('permissions')": admin,
  "strapi.plugin('graphql').service('builders')": entries,
  "strapi.plugin('graphql').service('content-api')": schema,
  "strapi.plugin('graphql').service('internals')": schema,
  "strapi.plugin('graphql').service('type-registry')": schema,
  "strapi.plugin('graphql').service('constants')": schema,
  "strapi.plugin('graphql').service('utils')": schema,
  "require('@strapi/utils').convertQueryParams": queries,
  "require('@strapi/utils').queryParams": queries,
  "require('@strapi/utils').buildQuery": queries,
  "require('@strapi/utils').traverseQuery": queries,
  "require('@strapi/utils').isOperatorOfType": queries,
  "require('@strapi/utils').machineID": 'nothing here counts installations',
}

/** The reason why nothing can be put into `ctx.session`. */
export const noSession = 'the server keeps nothing between requests; a token says who sends one'

/** The sentence about a part that is not carried. */
export const sentence = (what: string, why: string): string => `${what} is not carried: ${why}`

/** An error that code gets where it uses a part of Strapi that this server does not have. */
export class NotCarried extends Error {
  override readonly name = 'NotCarriedError'

  constructor(what: string, why: string) {
    super(sentence(what, why))
  }
}

/** Parts of Strapi that are looked at without harm, and refuse to be called. */
export function notCarried(what: string, why: string): Loose {
  // The target is a function, since only a function can be called.
  return new Proxy(() => undefined, {
    get(_, name) {
      // These are asked for by what waits for a value, prints it or looks whether it is a promise.
      if (typeof name === 'symbol' || ['then', 'toJSON', '__esModule'].includes(name)) return undefined
      return notCarried(`${what}.${name}`, why)
    },
    set(_, name) {
      throw new NotCarried(`${what}.${String(name)}`, why)
    },
    apply() {
      throw new NotCarried(what, why)
    },
  })
}

/** The part, of which some members are there all the same: functions, or parts of their own of which some are. */
export function withSome(part: Loose, members: Readonly<Record<string, Loose>>): Loose {
  return new Proxy(part, {
    get(_, name) {
      if (typeof name === 'symbol' || !Object.hasOwn(members, name)) return part[name]
      const member = members[name]
      return typeof member === 'function' ? member : withSome(part[name], member)
    },
  })
}

/** A part of the table by its path. */
export const absent = (path: string): Loose => notCarried(path, reasons[path] as string)

/** Names of members of a part that are not carried, and of services where the part is a plugin. */
const absentIn = (path: string, end: RegExp): string[] =>
  Object.keys(reasons).flatMap(one => (one.startsWith(path) ? (end.exec(one.slice(path.length))?.[1] ?? []) : []))

/** Members of `strapi` that nothing here does the work of, each with the reason. */
export const membersNotCarried: Readonly<Record<string, string>> = Object.fromEntries(
  absentIn('strapi', /^\.(\w+)$/).map(name => [name, reasons[`strapi.${name}`] as string]),
)

/** The part with those of its members that are not carried, which say so when they are called; code may put others there. */
export function withAbsent<T extends object>(path: string, part: T): T {
  for (const name of absentIn(path, /^\.(\w+)$/)) {
    if (name in part) continue
    const value = absent(`${path}.${name}`)
    Object.defineProperty(part, name, { value, writable: true, configurable: true, enumerable: false })
  }
  return part
}

/** The services of a plugin of Strapi that are not carried, by their names. */
export const absentServices = (plugin: string): Record<string, () => Loose> =>
  Object.fromEntries(
    absentIn(`strapi.plugin('${plugin}')`, /^\.service\('([^']+)'\)$/).map(name => [
      name,
      () => absent(`strapi.plugin('${plugin}').service('${name}')`),
    ]),
  )

// ── plugins ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The reason of a plugin of Strapi that a project depends on and that is not here. */
export const notRun = (plugin: string): string => `this server does not run @strapi/plugin-${plugin}`

/**
 * Services of plugins that a project tells, as it starts, what they are to do: they are heard, and the log says that it has no
 * effect. Refusing would stop a start that Strapi does not stop.
 */
export const unheard: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documentation: { override: 'changes of the documentation have no effect' },
}

/** Plugins of others that are not loaded, as what they do is done by this server, with the reason. */
export const needless: Readonly<Record<string, string>> = {
  'rest-cache':
    'the server keeps responses itself, and knows when they change: the settings of the plugin have no effect',
}

/** The sentence about such a service. */
export const unheardSentence = (plugin: string, service: string): string =>
  `strapi.plugin('${plugin}'): ${unheard[plugin]?.[service]}`

// ── packages ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A file of a package of Strapi, as the code asks for it. */
interface PackageFile {
  /** `strapi`, `utils`, `plugin-upload`. */
  readonly name: string
  /** The path in the package; empty where the package itself is asked for. */
  readonly below: string
}

export function packageFile(request: string): PackageFile | undefined {
  const [, name, below = ''] = /^@strapi\/([^/]+)(?:\/(.+))?$/.exec(request) ?? []
  return name === undefined ? undefined : { name, below: below.replace(/\.js$/, '') }
}

/** Files of packages that this server has the like of. */
const given: Readonly<Record<string, RegExp>> = {
  strapi:
    /^(?:lib|dist|package\.json|(?:.*\/)?factories|(?:.*\/)?core-api\/(?:controller\/transform|service\/pagination))?$/,
  plugin: /^(?:package\.json|(?:.*\/)?strapi-server|(?!(?:dist\/)?server(?:\/|$)).*)$/,
}

/** The part of a plugin of Strapi that a file of its package is about. */
export interface PluginFile {
  readonly part: 'server' | 'utils' | 'controllers' | 'services' | 'validation'
  /** Of one controller or service; undefined where the file has all of them. Of a file of `controllers/validation` always there. */
  readonly name?: string
}

/** Controllers of the plugins that this server has too, by the names of their files. A test compares them with those that code gets. */
export const controllersOfPlugins: Readonly<Record<string, readonly string[]>> = {
  'users-permissions': ['auth', 'user', 'role', 'permissions', 'settings'],
  upload: ['content-api'],
  email: ['email'],
  i18n: ['locales'],
}

/** Their services. */
export const servicesOfPlugins: Readonly<Record<string, readonly string[]>> = {
  'users-permissions': ['jwt', 'user', 'role', 'users-permissions', 'permission', 'providers'],
  upload: ['upload'],
  email: ['email'],
  i18n: ['locales', 'content-types'],
}

/** The files of `controllers/validation` that code may load. A test compares them with those that it gets. */
export const validationsOfPlugins: Readonly<Record<string, readonly string[]>> = {
  'users-permissions': ['auth', 'user'],
}

/** The part that a file of a plugin's package is about; undefined where this server has nothing like it. */
export function pluginFile(plugin: string, below: string): PluginFile | undefined {
  const [, path = ''] = /^(?:dist\/)?server(?:\/(.+))?$/.exec(below) ?? []
  const place = path.replace(/(?:^|\/)index$/, '')
  if (place === '') return { part: 'server' }
  if (place === 'utils') return { part: 'utils' }
  const [, checks] = /^controllers\/validation\/([^/]+)$/.exec(place) ?? []
  if (checks !== undefined)
    return validationsOfPlugins[plugin]?.includes(checks) ? { part: 'validation', name: checks } : undefined
  const [, part, name] = /^(controllers|services)(?:\/([^/]+))?$/.exec(place) ?? []
  if (part !== 'controllers' && part !== 'services') return undefined
  if (name === undefined) return { part }
  const known = part === 'controllers' ? controllersOfPlugins : servicesOfPlugins
  return known[plugin]?.includes(name) ? { part, name } : undefined
}

/** The reason why a file of a package of Strapi is not given; undefined where it is, or where it is the project's own matter. */
export function whyNotGiven(request: string, hasUtil: (member: string) => boolean): string | undefined {
  const file = packageFile(request)
  if (!file) return undefined
  const { name, below } = file
  if (name === 'strapi')
    return given.strapi?.test(below)
      ? undefined
      : "nothing of Strapi is run here; its factories are in require('@strapi/strapi')"
  if (name === 'utils') {
    const member = utilIn(below)
    return member === undefined || below === 'package.json' || hasUtil(member)
      ? undefined
      : `require('@strapi/utils') has no "${member}" here`
  }
  const [, plugin] = /^plugin-(.+)$/.exec(name) ?? []
  return plugin === undefined || given.plugin?.test(below) || pluginFile(plugin, below)
    ? undefined
    : `strapi.plugin('${plugin}') has the services and controllers that there are here`
}

/** The member of `@strapi/utils` that a file of it is about; undefined where it is all of them. */
export function utilIn(below: string): string | undefined {
  const member = (below.split('/').at(-1) ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return ['', 'lib', 'dist', 'index'].includes(member) ? undefined : member
}

/** The message about a function of an extension that does not give the plugin back. */
export const noPlugin = 'it returns no plugin; the function has to end with: return plugin'

/** The message of a factory about a type that is not there: the original's words are found when looked for. */
export const noTypeToProxy = (uid: string): string =>
  `Cannot create proxy with a non-object as target or handler: there is no type "${uid}"`
export const noTypeToRoute = (uid: string): string => `there is no type "${uid}" to make a router of`

/** A part of a project's code that names no type, in the words of the database layer. */
export const noModel = (uid: string): string => `Model ${uid} not found`
