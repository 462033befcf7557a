import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { adoptTypes } from './boot/adopt.js'
import { appOutline } from './boot/app-outline.js'
import { readTypes } from './boot/app-types.js'
import { connect, mustExist } from './boot/connect.js'
import { contentParts } from './boot/content-parts.js'
import { endpointsOf } from './boot/endpoints.js'
import { foreignLayout } from './boot/foreign.js'
import { jobsOf } from './boot/jobs.js'

import type { Outline } from './boot/outline.js'
import { publicCaller } from './boot/public-caller.js'
import { requirementsOf } from './boot/requirements.js'
import { runOnce } from './boot/run-once.js'
import { StartProgress } from './boot/start-progress.js'
import { storedSettings } from './boot/stored-settings.js'
import { type Web, webOf } from './boot/web.js'
import type { Config } from './config/types.js'
import { Content } from './content/content.js'
import { entriesOf, noEntriesYet } from './content/entries.js'
import { type FoldedHooks, foldHooks } from './content/hooks.js'
import { chooseDialect, type Dialect, type DialectName, looseFlags } from './dialect.js'
import { type Engine, isTransaction, type Store } from './engines/engine.js'
import { transact } from './engines/transaction.js'
import { BootError } from './errors.js'
import type { Route } from './http/routes.js'
import type { Doorway } from './http/sockets/doorway.js'
import { counted } from './kit/counted.js'
import { DeferredSetup } from './layout/deferred-setup.js'
import { type WantedTable, wantedTables } from './layout/layout.js'
import { prepareLocks } from './layout/marks.js'
import { buildSearchIndexes } from './layout/search-indexes.js'
import { Unindexed } from './layout/unindexed.js'
import type { Log } from './log.js'
import { dormantActions, knowing } from './plugin/actions.js'
import { arrangePlugins, type EnabledPlugin, hooksFor, type RawPlugin } from './plugin/arrange.js'
import { type Boards, ownBoard } from './plugin/board.js'
import { refresher } from './plugin/each-request.js'
import { listedInMeta } from './plugin/find.js'
import { gaugesOf } from './plugin/gauges.js'
import { type Observers, observersOf } from './plugin/observers.js'
import type { OfferedPlugin } from './plugin/offered.js'
import type { AppOutline } from './plugin/outline.js'
import type { Host } from './plugin/parts.js'
import { hasCounts, type RunningPlugin } from './plugin/running.js'
import { countsOf, lockOf, register, stop, unwind, verify } from './plugin/services.js'
import type { AnyPlugin, ServiceOf } from './plugin/spec.js'
import type { Caller } from './query/ask.js'
import type { Registry } from './schema/registry.js'
import type { Definition } from './schema/types.js'
import { prepareCounts } from './services/counts/counts.js'
import type { JobClock } from './services/jobs/job-clock.js'
import type { Scheduler } from './services/jobs/scheduler.js'
import { prepareLanguages } from './sql/languages.js'
import { buildModels } from './sql/models.js'
import { transferHost } from './tools/transfer/host.js'
import { ImportRecord } from './tools/transfer/record.js'

export interface BootOptions {
  readonly config: Config
  readonly log: Log
  readonly plugins: readonly OfferedPlugin[]
  /** Plugins that the settings do not mention: looked at only where a type has something that no enabled plugin knows. */
  readonly unmentioned?: () => Promise<readonly OfferedPlugin[]>
  /** Content types in place of those in the app's folder. */
  readonly definitions?: readonly Definition[]
  /** What plugins are told that it is for; to serve unless told otherwise. */
  readonly purpose?: Host['purpose']
  /** How many processes serve the app together; one unless told otherwise. */
  readonly processes?: number
  /** Where the processes that serve together tell each other how they are doing; this one is alone unless told otherwise. */
  readonly boards?: Boards | undefined
  /** The time by which jobs run; that of the system unless told otherwise. */
  readonly jobClock?: JobClock
  /** The time of requests, in milliseconds since 1970; that of the system unless told otherwise. */
  readonly time?: () => number
  /** Opens the port before the database is reached, and says on it that the app is starting. */
  readonly doorway?: Doorway
  /** Told what the start does. */
  readonly progress?: StartProgress
  /** The content of an archive is about to be put in place, and may be half there. */
  readonly imports?: boolean
}

/** A running app. */
export interface App {
  /** What it consists of: routes, parameters, operators, formats, plugins. */
  readonly outline: AppOutline
  readonly config: Config
  readonly log: Log
  readonly types: Registry
  /** The schemas as they were found: what the types are made of, with those that plugins bring. */
  readonly definitions: readonly Definition[]
  readonly routes: readonly Route[]
  /** What is enabled, with its service. */
  readonly plugins: readonly RunningPlugin[]
  readonly store: Store
  readonly content: Content
  readonly koa: Koa
  readonly entries: Host['entries']
  readonly engine: Engine
  /** The tables of all types and of what leads from one to another, in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  /** What runs the jobs of plugins, from when it listens; undefined where there are none. */
  readonly jobs: Scheduler | undefined
  /** Who asks without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Finishes what runs, then lets go of everything. */
  close(): Promise<void>
}

export async function outline(options: Omit<BootOptions, 'purpose'>): Promise<Outline> {
  const { config, log, plugins: offered, unmentioned, definitions } = options
  const { rest } = config.api
  const dialectName = rest.dialect ?? (config.project === 'stele' ? 'spec' : config.project)
  const dialect = chooseDialect(dialectName, rest.flags)
  const plugins = arrangePlugins(
    offered.filter(({ enabled }) => enabled),
    dialectName,
  )
  for (const notice of config.notices) log.warn(notice)
  announce(dialect, dialectName, plugins, log)
  const found = await readTypes({ config, plugins, offered, unmentioned, definitions, dialect, log })
  const off = async () =>
    [...offered.filter(({ enabled }) => !enabled), ...((await unmentioned?.()) ?? [])].map(
      ({ plugin }) => plugin as RawPlugin,
    )
  return { dialectName, dialect, plugins, ...found, listedInMeta: await listedInMeta(), off }
}

/** From settings to a server that can listen, top to bottom. */
export async function boot(options: BootOptions): Promise<App> {
  const { config, log, plugins: offered, unmentioned, purpose = 'serve', processes = 1, imports = false } = options
  const outlined = await outline(options)
  const { dialect, plugins, registry, definitions } = outlined
  const origins = endpointsOf(registry, plugins)
  const app = appOutline(outlined, origins, config)

  if (purpose === 'look') mustExist(config)
  const services = new Map<string, unknown>()
  const observers = observersOf(plugins, services, log)
  const { raw, progress, undo, doorway } = await reach(options, observers)
  try {
    const isHalfImported = await hasImported(raw, imports || purpose === 'look')
    const models = buildModels(registry, raw.knex)
    const tables = wantedTables(registry, raw, dialect)
    const { actions } = app
    const asleep = async () => dormantActions(registry, [...offered, ...((await unmentioned?.()) ?? [])], actions)
    const aim = isHalfImported ? 'look' : purpose
    // Whatever can refuse does so before anything is added to the database.
    await prepareLanguages(raw, registry)
    await verify(plugins, { ...app, dormantActions: asleep, purpose: aim })
    const first = await DeferredSetup.to(raw, requirementsOf(outlined, raw), { log, progress }, purpose === 'look')
    const { engine } = first
    progress.begin('starting the plugins')

    const unindexed = new Unindexed()
    const hooks = new Map<string, FoldedHooks>()
    const content = new Content(contentParts({ ...options, ...outlined, engine, models, hooks, unindexed, services }))
    const store = storeOf(engine, models)
    const entries = entriesFor(registry, content, first)
    let web: Web | undefined
    let jobs: Scheduler | undefined
    const gauges = gaugesOf(engine, content, () => web?.load())
    for (const { spec, config: settings } of plugins) {
      const service = await register(spec, {
        ...app,
        config: settings,
        log: log.child({ plugin: spec.name }),
        dormantActions: asleep,
        purpose: aim,
        processes,
        store,
        entries,
        stored: storedSettings(engine, spec.name, spec.stored ?? {}),
        lock: lockOf(engine, spec),
        counts: countsOf(engine, { spec, config: settings }, log, options.time),
        forgetPlans: () => content.forget(),
        wakeJob: name => jobs?.wake(`${spec.name}/${name}`),
        gauges,
        sent: seen => observers.outgoing?.({ plugin: spec.name, ...seen }),
        board: (options.boards ?? ownBoard)(spec.name),
        ...lookingUp(services, () => ({ engine, types: registry, tables, plugins: running })),
      })
      services.set(spec.name, service)
      undo.push(() => stop(spec, service))
    }
    for (const type of registry.types.values()) hooks.set(type.uid, foldHooks(hooksFor(type, plugins, services)))
    await first.before(() => prepareShared(raw, { registry, tables, unindexed, dialect, plugins, content, log }))
    if (!isHalfImported) await firstWork(first, { engine: raw, plugins, registry, services, log })
    const kept = refresher(plugins, services, engine, first)
    await kept.now()
    if (purpose === 'serve' && engine.versions.isRemote) log.info(await engine.versions.proof())

    const anonymous = await knowing({ actions, dormantActions: asleep }, known =>
      publicCaller(config.api.rest.public, registry, known),
    )
    web = webOf({ ...outlined, origins, config, engine, content, services, anonymous, kept, observers, log, doorway })
    const running = plugins.map(plugin => ({ ...plugin, service: services.get(plugin.spec.name) }))
    const isServing = purpose === 'serve' && !isHalfImported
    const timed = { clock: options.jobClock, observe: observers.job }
    jobs = isServing ? await jobsOf({ plugins, services, first, raw, log, ...timed }) : undefined
    const { listen, end } = withJobs(web, jobs, config.server.shutdownDeadline)
    const close = once(async () => {
      await end()
      await unwind(undo)
    })
    const parts = { outline: app, config, log, types: registry, definitions, plugins: running }
    return { ...parts, engine, tables, store, content, entries, ...web, jobs, listen, close }
  } catch (error) {
    await unwind(undo).catch(reason => log.error({ err: reason }, 'could not stop in order'))
    throw error
  }
}

/** Rows of an archive are there, and plugins have had their turn before the first of them came. */
async function hasImported(raw: Engine, mayStay: boolean): Promise<boolean> {
  const former = await ImportRecord.find(raw)
  if (former && !mayStay) throw new BootError(former.explanation, { kind: 'data' })
  return former?.hasRows === true
}

/** What plugins do once in the life of a database, and with the types that are new to it. */
async function firstWork(first: DeferredSetup, means: Parameters<typeof adoptTypes>[0]): Promise<void> {
  const { engine, plugins, services, log } = means
  await first.before(() => runOnce(engine, plugins, services, log))
  await first.before(() => adoptTypes(means))
}

/** Opens the port, where that is to be early, and the database. */
async function reach({ config, log, doorway, progress = new StartProgress(log) }: BootOptions, observers: Observers) {
  await doorway?.open()
  progress.begin('reaching the database')
  try {
    const raw = await connect(config, log, observers.statement)
    progress.begin('comparing the database with the content types')
    const undo: (() => unknown)[] = [() => raw.close(), () => doorway?.close()]
    return { raw, progress, undo, doorway }
  } catch (error) {
    // An open port would keep the process alive.
    doorway?.close()
    throw error
  }
}

/** What processes share beside the content: locks, and the counts of plugins; and what reads have to know of the tables. */
async function prepareShared(
  raw: Engine,
  {
    tables,
    content,
    log,
    ...parts
  }: Parameters<typeof prepareLocks>[1] & {
    readonly content: Content
    readonly log: Log
    readonly registry: Registry
    readonly tables: readonly WantedTable[]
    readonly unindexed: Unindexed
    readonly plugins: readonly EnabledPlugin[]
  },
): Promise<void> {
  await parts.unindexed.find(raw, parts.registry, tables)
  await prepareLocks(raw, parts)
  if (hasCounts(parts.plugins)) await prepareCounts(raw, foreignLayout)
  const searched = { registry: parts.registry, foreign: foreignLayout, log }
  if (await buildSearchIndexes(raw, searched)) content.forget()
}

/** Jobs run from when an app listens, and end with it. */
const withJobs = (web: Web, jobs: Scheduler | undefined, deadline: number) => ({
  async listen() {
    const address = await web.listen()
    jobs?.start()
    return address
  },
  end: () => Promise.all([web.close(), jobs?.stop(deadline)]),
})

/** However often it is asked for, it is done one time. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** How a plugin finds the services of others, and has all of them backed up, once all have started. */
function lookingUp(
  services: ReadonlyMap<string, unknown>,
  app: () => Parameters<typeof transferHost>[0],
): Pick<Host, 'service' | 'serviceIfOn' | 'backUp'> {
  const find = <P extends AnyPlugin>({ name }: P) => services.get(name) as ServiceOf<P>
  const backUp: Host['backUp'] = async order =>
    (await import('./tools/transfer/backup.js')).backUp(transferHost(app()), order)
  return { service: find, serviceIfOn: find, backUp }
}

/** Entries for code; of a type whose table is not there yet there are none. */
const entriesFor =
  (registry: Registry, { plain }: Content, first: DeferredSetup): Host['entries'] =>
  (uid, session) => {
    const type = registry.get(uid)
    const isAbsent = first.isAbsent(type.table) && !(session && isTransaction(session))
    return isAbsent ? noEntriesYet(type, plain) : entriesOf(type, plain, session)
  }

/** What plugins see of the engine. */
const storeOf = (engine: Engine, models: ReturnType<typeof buildModels>): Store => ({
  engine: engine.name,
  facts: engine.facts,
  knex: engine.knex,
  model: uid => models.get(uid) as never,
  reader: engine.reader,
  encode: (as, value) => engine.encode(as, value),
  decode: (as, value) => engine.decode(as, value),
  transaction: work => transact(engine, work),
})

/** One line, as there are many flags and settings: at the level debug each is named with its value. */
function announce(dialect: Dialect, name: DialectName, plugins: readonly EnabledPlugin[], log: Log): void {
  const flags = looseFlags(dialect)
  const settings = plugins.flatMap(({ spec, config }) =>
    Object.entries(spec.dialects?.[name] ?? {})
      .filter(([setting, value]) => config[setting] === value)
      .map(([setting, value]) => ({ plugin: spec.name, setting, value })),
  )
  const differs =
    flags.length + settings.length === 0
      ? ''
      : `, which differs from spec in ${counted(flags.length, 'flag')} and ${counted(settings.length, 'setting')} of plugins: LOG_LEVEL=debug lists them, the README explains them under "The two dialects"`
  log.info(
    { dialect: name, ...(flags.length > 0 && { flags: flags.join(' ') }) },
    `responses follow the dialect ${name}${differs}`,
  )
  for (const flag of flags) log.debug({ flag, value: dialect[flag as keyof Dialect] }, `the dialect sets ${flag}`)
  for (const { plugin, setting, value } of settings)
    log.debug({ plugin, setting, value }, `the dialect sets ${setting} of ${plugin}`)
}
