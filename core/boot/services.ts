import { Content } from '../content/content.js'
import { entriesOf, noEntriesYet } from '../content/entries.js'
import { type FoldedHooks, foldHooks } from '../content/hooks/hooks.js'
import { isTransaction, type Store } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { BodyParser } from '../http/body.js'
import type { DeferredSetup } from '../layout/deferred-setup.js'
import { prepareLocks } from '../layout/marks.js'
import { buildSearchIndexes } from '../layout/search-indexes.js'
import { UnindexedFields } from '../layout/unindexed.js'
import { type EnabledPlugin, hooksFor } from '../plugin/arrange.js'
import { hasCounts, jobsIn } from '../plugin/declared.js'
import { type Refresher, refresher } from '../plugin/each-request.js'
import type { Host } from '../plugin/parts.js'
import { ownBoard } from '../plugin/processes/board.js'
import { GaugeReader } from '../plugin/processes/gauges.js'
import { runningOf } from '../plugin/running.js'
import { begin, countsOf, lockOf, recorderOf, register, type Services, seenOf, stop } from '../plugin/services.js'
import type { UsedPlugin } from '../plugin/spec.js'
import { adoptTypes } from './adopt.js'
import { contentParts } from './content-parts.js'
import type { Database } from './database.js'
import { runOnce } from './run-once.js'
import { schemasOf } from './schema-plans.js'
import type { Start } from './start.js'
import { storedSettings } from './stored-settings.js'
import type { JobRunner } from './wings.js'

/** The means by which plugins work with the content and the process. */
interface HostServices {
  readonly content: Content
  readonly store: Store
  readonly entries: Host['entries']
  readonly gauges: GaugeReader
  /** Parses the bodies of requests. */
  readonly parser: BodyParser
  /** Runs the jobs of plugins; undefined where there are none, and where the app does not serve. */
  readonly jobs: JobRunner | undefined
}

/** The content, and the plugins that work with it, each with its service. */
export interface AppServices extends HostServices {
  /** The services of the plugins, by their names. */
  readonly byPlugin: Services
  /** Brings up to date the parts of the database that plugins keep in memory. */
  readonly refresher: Refresher
}

/** Starts the plugins of an app on its content, and runs the steps that are done once in the life of the database. */
export async function startServices(start: Start, database: Database): Promise<AppServices> {
  const { options, outline, observers, started, progress } = start
  const { config, log, wings, time = Date.now } = options
  const { registry, plugins, dialect } = outline
  const { engine, setup, models, purpose } = database
  progress.begin('starting the plugins')
  const unindexed = new UnindexedFields()
  const hooks = new Map<string, FoldedHooks>()
  const content = new Content(
    contentParts({
      ...{ config, log, time, registry, dialect, plugins, services: started, foreign: wings.foreign.layout },
      ...{ engine, models, hooks, unindexed, listedInMeta: outline.listedInMeta },
    }),
  )
  const hasJobs = purpose === 'serve' && plugins.some(plugin => jobsIn(plugin).length > 0)
  const means: HostServices = {
    content,
    store: storeOf(database),
    entries: entriesFor(start, database, content),
    gauges: new GaugeReader(engine, content),
    parser: new BodyParser(config.server.body, plugins.flatMap(typesOfBodies)),
    jobs: hasJobs ? await wings.jobs.open({ engine, log, time, observe: observers.job }) : undefined,
  }
  for (const plugin of plugins) await startPlugin(plugin, start, database, means)
  for (const type of registry.types.values()) hooks.set(type.uid, foldHooks(hooksFor(type, plugins, started)))
  await prepareShared(start, database, { content, unindexed })
  if (purpose !== 'look') {
    await setup.before(raw => runOnce(raw, plugins, started, log))
    await setup.before(raw => adoptTypes({ engine: raw, plugins, registry, services: started, log }))
  }
  if (purpose === 'serve') for (const { spec } of plugins) await begin(spec, started.get(spec.name))
  const refreshes = refresher(plugins, started, engine, setup)
  await refreshes.now()
  if (purpose === 'serve' && engine.versions.isRemote) log.info(await engine.versions.proof())
  if (means.jobs) await declareJobs(means.jobs, start, setup)
  return { ...means, byPlugin: started, refresher: refreshes }
}

/** Gives a plugin its means, and keeps the service that it makes of them. */
async function startPlugin(
  plugin: EnabledPlugin,
  start: Start,
  database: Database,
  { content, store, entries, gauges, parser, jobs }: HostServices,
): Promise<void> {
  const { options, outline, app, dormantActions, observers, port, started, undo } = start
  const { log, wings, processes = 1, boards = ownBoard, time = Date.now } = options
  const { engine, tables, purpose } = database
  const { spec, config } = plugin
  const { name } = spec
  const find = (used: UsedPlugin) => started.get('optional' in used ? used.optional.name : used.name) as never
  const service = await register(spec, {
    ...seenOf(app),
    config,
    log: log.child({ plugin: name }),
    dormantActions,
    purpose,
    store,
    entries,
    service: find,
    shares: {
      stored: storedSettings(spec, engine, wings.foreign.layout.settingsTable),
      lock: lockOf(engine, spec),
      counts: countsOf(plugin, wings.counts, { engine, log, time }),
      board: boards(name),
      processes,
    },
    wakeJob: job => jobs?.wake(`${name}/${job}`),
    record: recorderOf(started, name),
    sent: seen => observers.outgoing?.({ plugin: name, ...seen }),
    gauges: gauges.read,
    readBody: ctx => parser.early(ctx),
    get server() {
      return port.server
    },
    forgetPlans: () => content.forget(),
    schemas: schemasOf(start, database),
    backUp: order => {
      const plugins = runningOf(outline.plugins, started)
      return wings.archives.backUp({ engine, types: outline.registry, tables, plugins }, order)
    },
  })
  started.set(name, service)
  undo.push(() => stop(spec, service))
}

/** The media types that a plugin reads. */
const typesOfBodies = ({ spec: { bodies = [] } }: EnabledPlugin): string[] => bodies.map(({ type }) => type)

/** Makes the tables and indexes that processes share beside the content, and looks which indexes reads may rely on. */
async function prepareShared(
  { options, outline }: Start,
  { setup, tables }: Database,
  { content, unindexed }: { readonly content: Content; readonly unindexed: UnindexedFields },
): Promise<void> {
  const { log, wings } = options
  const { registry, plugins, dialect } = outline
  const foreign = wings.foreign.layout
  await setup.before(async raw => {
    await unindexed.find(raw, registry, tables)
    await prepareLocks(raw, { registry, unindexed, dialect, plugins })
    if (hasCounts(plugins)) await wings.counts.prepare(raw, foreign)
    if (await buildSearchIndexes(raw, { registry, foreign, log })) content.forget()
  })
}

/** Hands over the jobs that have something to do in this app; without any nothing of them is stored. */
async function declareJobs(runner: JobRunner, { options, outline, started }: Start, setup: DeferredSetup) {
  const jobs = outline.plugins.flatMap(enabled => {
    const plugin = enabled.spec.name
    return jobsIn(enabled)
      .map(job => ({ plugin, job, service: started.get(plugin) }))
      .filter(({ job, service }) => job.isNeeded?.(service) ?? true)
  })
  await runner.declare(jobs)
  const { jobs: wing, foreign } = options.wings
  if (jobs.length > 0) await setup.before(raw => wing.prepare(raw, foreign.layout))
}

/** Entries for code; of a type whose table is not there yet there are none. */
const entriesFor =
  ({ outline }: Start, { setup }: Database, { entries }: Content): Host['entries'] =>
  (uid, session) => {
    const type = outline.registry.get(uid)
    const isAbsent = setup.isAbsent(type.table) && !(session && isTransaction(session))
    return isAbsent ? noEntriesYet(type, entries) : entriesOf(type, entries, session)
  }

/** The engine, as far as plugins see it. */
const storeOf = ({ engine, models }: Database): Store => ({
  engine: engine.name,
  facts: engine.facts,
  knex: engine.knex,
  model: uid => models.get(uid) as never,
  reader: engine.reader,
  encode: (as, value) => engine.encode(as, value),
  decode: (as, value) => engine.decode(as, value),
  transaction: (work, longest) => transact(engine, work, longest),
})
