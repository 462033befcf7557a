import { BootError } from '../../errors.js'
import { nodeParams } from '../../query/node.js'
import { actionsIn, commandsIn, filesIn, jobsIn, requestHeadersIn, routesIn } from '../declared.js'
import type { EnabledPlugin, RawPlugin } from '../enabled.js'
import type { PluginParts } from '../plugin.js'
import {
  checkAuthenticate,
  checkChecks,
  checkHides,
  checkJobs,
  checkObserve,
  checkOnce,
  checkOwnTypes,
  checkParams,
  checkShares,
  checkUses,
  checkWords,
} from './check-plugin.js'
import { checkFieldTypes } from './field-types.js'
import { checkFormats } from './formats.js'
import { checkHooks } from './hooks.js'
import type { PartKind } from './kinds.js'
import { checkMiddleware } from './middleware.js'

interface PartRow {
  readonly kinds: readonly PartKind[]
  /** Refuses mistakes within it, which only a request would find out. */
  readonly check?: (plugin: EnabledPlugin) => void
  /** The names that only one plugin of an app may declare. */
  readonly claims?: (plugin: EnabledPlugin) => readonly string[]
}

/** A part that core reads; other plugins may read more. */
type OwnPart = Exclude<keyof RawPlugin, keyof PluginParts>

const text: PartRow = { kinds: ['text'] }
const list: PartRow = { kinds: ['list'] }
const object: PartRow = { kinds: ['object'] }
const method: PartRow = { kinds: ['function'] }
/** A list, or a function of the settings that returns one. */
const bySettings: PartRow = { kinds: ['list', 'function'] }

/**
 * The parts of a plugin, in the order in which they are written: a part that has no row here does not exist. The guide has
 * the sentences above the rows.
 */
export const parts: Readonly<Record<OwnPart, PartRow>> = {
  /** the key in `config/plugins`, and the middle part of its uids: `plugin::<name>` */
  name: text,
  /** one line: the purpose of the plugin */
  describe: text,
  /**
   * other plugins, as values: they start first, and their parameters and services become visible. They must be enabled,
   * unless they are `optional(plugin)`
   */
  uses: { ...list, check: checkUses },
  /**
   * app folders of other servers, by their kind, in which the plugin is enabled unless `config/plugins` mentions it:
   * `true`, or the name of the package that such a project uses for it; settings under that name are those of the plugin, too
   */
  standardIn: object,
  /**
   * a JSON schema of the settings: validation, defaults and TypeScript type in one. A default may be [another one in each
   * dialect](#rules-of-thumb); the app's own settings hold in any
   */
  config: object,
  /**
   * values that all processes of the app share: `stored` settings with their initial values, names of `locks`, and names of
   * `counts` (or a function of the settings), for [`host.shares`](#the-host)
   */
  shares: { ...object, check: checkShares },
  /**
   * words that it reads in the files and requests of others: `options` and `pluginOptions.<name>` of schema files, with JSON
   * schemas of their values (a near miss of a key stops the start); `relations`, the words beside `set`, `connect` and
   * `disconnect` under which relations take new entries; `headers` of requests beside those of the API, or a function of the
   * settings, which pages of other origins may send; `parts` of other plugins beside those of this table, with JSON schemas of
   * their values, see [here](own-plugins.md#parts-that-other-plugins-read)
   */
  words: {
    ...object,
    check: plugin => checkWords(plugin, requestHeadersIn(plugin)),
    claims: furtherNames,
  },
  /**
   * `(type, config)` selects the types that attributes, parameters, hooks and everything else of types apply to; without it, they
   * apply to all types
   */
  appliesTo: method,
  /**
   * types of its own, declared as in schema files, without endpoints; an app may extend them with a schema file.
   * `uidColumns` of one names attributes that hold uids, or actions, which begin with one: they are updated when a type
   * is renamed
   */
  contentTypes: {
    ...list,
    check: checkOwnTypes,
    claims: ({ spec: { contentTypes = [] } }) => contentTypes.map(({ uid }) => `content type ${uid}`),
  },
  /** [attributes](#options-of-attributes) for the types it applies to, or a function of the type and the settings */
  attributes: { kinds: ['object', 'function'] },
  /**
   * entries that only this plugin keeps from being read: `{ attribute, noun }`, those in which an attribute of its own
   * is not set, or, with `when: 'set'`, those in which it is; with `from` and `until`, those before and after these
   * times too; `shownBy` is the action that shows them. `when: 'deleted'` says that they count as deleted: no write
   * reaches them (a 404) or links to them, except one for which `beforeWrite` returns `gone: true`, and a delete for
   * which a hook returns `set` keeps the row. If the plugin no longer applies to a type, the server refuses to start
   * until `stele apply` was told to make these entries readable
   */
  hides: { ...object, check: checkHides },
  /**
   * [new kinds of attributes](own-plugins.md#an-attribute-type-of-your-own): values of one column (`ValueType`), or
   * links to other rows (`LinkType`)
   */
  fieldTypes: {
    ...list,
    check: checkFieldTypes,
    claims: ({ spec: { fieldTypes = [] } }) => fieldTypes.map(({ name }) => `field type "${name}"`),
  },
  /**
   * query parameters: `oneOf(...)`, `flag()`, or `{ read, default, byCode, describe, actions, everywhere, nested, schema }`;
   * `schema` is the JSON schema of the sent value
   */
  params: { ...object, check: checkParams, claims: paramsOf },
  /**
   * `(found)` returns [further parts](own-plugins.md#parts-that-follow-from-an-app) for one app, as its files decide, or
   * nothing. It may be asynchronous, and runs before the types are read, in every command that needs them
   */
  forApp: method,
  /**
   * `(host)` runs once, may be asynchronous, and returns the service: the only place for state. If the service has
   * `close()`, it is called when the app stops; if it has `begin()`, it is called before the first request of an app that
   * serves, when every plugin has started; if it has `tell()`, it returns lines for the person in front of the terminal, once
   * the server listens; if it has `keepRecord(action, session)`, it is called with the actions that plugins tell of with
   * [`host.record`](#the-host); if it has `refresh()`, it rereads what it keeps of the database, at start and when a request arrives
   * a second or more after the last time
   */
  register: method,
  /**
   * `(request, service)` returns the [caller](#callers) of a request; `undefined` passes it on to the next plugin. As
   * `{ before: 'others', run }` it is asked before the plugins that have a function alone
   */
  authenticate: { kinds: ['function', 'object'], check: checkAuthenticate },
  /** functions called at each stage of a request, see [below](#hooks) */
  hooks: { ...object, check: checkHooks },
  /**
   * Koa middleware: `{ before, run }`, where `run(service)` returns `(ctx, next)`; `before` says where, see
   * [below](#order-of-hooks). With `below: '/pages'`, one before `routing` or `cors` runs for that path and those below it,
   * and costs other requests nothing
   */
  middleware: { ...list, check: checkMiddleware },
  /**
   * `{ method, path, action, run }` with [more](#routes), or a function of the settings that returns a list. A function
   * in the list, `(type, config)`, returns the routes of one type that has endpoints
   */
  routes: { ...bySettings, claims: placesOf },
  /**
   * permissions that no route asks for: `{ uid, action }`, for which the plugin looks itself whether
   * `caller.can(action, uid)`, and functions `(type, config)` that return those on one type, for hooks that look
   * whether `ask.can(action, type.uid)`
   */
  actions: { ...list, check: plugin => void actionsIn(plugin) },
  /**
   * parsers for request bodies of a media type, for every route that takes one; if `place.fingerprinted` asks for it,
   * they also return a `fingerprint` that is the same whenever the same content is sent; `shape` describes such a body
   * where an entry is written. `place.parsed()` is the body as the server reads it itself, to give it another shape
   */
  bodies: { ...list, claims: ({ spec: { bodies = [] } }) => bodies.map(({ type }) => `body ${type}`) },
  /**
   * other [response formats](own-plugins.md#formats-that-requests-choose): `{ entry, one, many, error, mediaType,
   * wants, serves, idText, shape }`
   */
  formats: {
    ...object,
    check: checkFormats,
    claims: ({ spec: { formats = {} } }) => Object.keys(formats).map(name => `format "${name}"`),
  },
  /**
   * `stele <name>`, where the name is one or two words: `arguments`, `options` (`isSecret`: `-` is read from standard
   * input), `run(call, service)`, where `call.ask(question, { hidden })` asks the person in front of a terminal; with `opens: 'outline'` without a database and a service, with `opens: 'declared'` also
   * without what `forApp` adds. `{ file: 'ts', describe, text(app) }` is a file that `stele types --ts [file]` writes
   */
  commands: {
    ...list,
    claims: ({ spec }) => [
      ...commandsIn(spec).map(({ name }) => `command "${name}"`),
      ...filesIn(spec).map(({ file }) => `option --${file} of stele types`),
    ],
  },
  /**
   * `{ name, describe, run(service, report) }`, which `stele doctor` runs; `{ ready(service) }`, which returns `true` or
   * a message that `/_health/ready` shows; and `{ start(app) }`, which throws if the server must not start, as far as
   * settings and types tell: it runs before anything is added to the database
   */
  checks: { ...list, check: checkChecks },
  /**
   * [background work](#background-work): `{ name, run(call, service) }` with `every`, `cron` or `at(service)`, or a
   * function of the settings that returns a list; one with `isNeeded(service)` exists only where that is true at start
   */
  jobs: { ...bySettings, check: plugin => checkJobs(plugin.spec.name, jobsIn(plugin)) },
  /**
   * `request`, `statement`, `job`, `outgoing`: notified of [events](own-plugins.md#observing), for metrics, traces and logs;
   * `headers(service)` returns a function from the cost of a response to headers of it
   */
  observe: { ...object, check: checkObserve },
  /**
   * `{ files, prepare(config, service) }`: files of `config/` that it takes over on
   * [`SIGHUP`](../core/tools/cli/README.md#reloading-sighup). `prepare` checks the new settings and returns steps, `{
   * describe, apply() }`, which run once that of every plugin has returned
   */
  reload: object,
  /**
   * `(service)` returns rules for caches between server and clients: `otherwise`, `varies` and `read(query)`. One plugin of an
   * app may have it; [`cdn`](cdn/README.md) does
   */
  caching: method,
  /**
   * steps that are done once, each in a transaction: `{ name, since, run(session, service) }` in the life of a
   * database, `{ forEach: 'type', run({ type, since, session }, service) }` for each type that it begins to apply to,
   * again after a time without it (`since`). `stele plan` lists the former; with `blocksOlder: true`, versions of the
   * plugin without the step [refuse to start](../core/tools/cli/README.md#upgrading-and-going-back) once it is done
   */
  once: { ...list, check: checkOnce },
  /**
   * its part of `stele export` archives: types of `accounts`, types whose entries stay in this installation (`stays`),
   * `settings(types)` with further keys of the table of stored settings, and `export`, `import`, `before`, `after` for data
   * it stores outside the database
   */
  transfer: object,
}

export const rows = Object.entries(parts) as readonly (readonly [OwnPart, PartRow])[]

const ownParams = [...Object.keys(nodeParams), 'pagination', 'page', 'pageSize', 'start', 'limit']

/** Lists the routes that no other plugin may have: one that replaces may, and one with conditions leaves the rest of its path to others. */
function placesOf(plugin: EnabledPlugin): string[] {
  return routesIn(plugin).flatMap(route =>
    route.removed || route.replaces || route.matches ? [] : [`route ${route.method} ${route.path}`],
  )
}

function furtherNames({ spec: { name: plugin, words } }: EnabledPlugin): string[] {
  return Object.keys(words?.parts ?? {}).map(name => {
    if (!Object.hasOwn(parts, name)) return `part "${name}"`
    throw new BootError(`plugin ${plugin}: words.parts has "${name}", which is a part of every plugin`)
  })
}

function paramsOf({ spec: { name: plugin, params = {} } }: EnabledPlugin): string[] {
  return Object.keys(params).map(name => {
    if (!ownParams.includes(name)) return `parameter "${name}"`
    throw new BootError(`plugin ${plugin} declares the parameter "${name}", which is core's own`)
  })
}
