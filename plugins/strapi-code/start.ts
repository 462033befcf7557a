import { BootError, type Definition, type FoundApp, type Host, type Job } from '../../core/index.js'
import { announce } from './announce.js'
import { withBroken } from './check/broken.js'
import { extendSchema } from './plugins/ours/graphql/index.js'
import { tellReplaced } from './plugins/ours/users-permissions/replaced.js'
import { keep, loadCode, type OwnRuntime, stopWhereBroken } from './runtime.js'
import { destroyAll, endsBefore, runAll } from './stages.js'
import type { AppParts, Bag, Loose, Settings } from './types.js'
import { hearProcess } from './unheard.js'

/** The last time of which the cron tasks have been begun, in all processes. */
const stored = { cron: 0 }

/** The parts of the plugin that follow from the code of an app, which is loaded for that. */
export async function partsOfCode({
  app: config,
  config: settings,
  definitions,
  dialectName: dialect,
  purpose,
  log,
}: FoundApp<Settings>): Promise<Loose> {
  const { appDir, project } = config
  const app = { appDir, config, project, dialect, definitions, purpose }
  try {
    const runtime = await loadCode(app, settings, log)
    try {
      return partsOf(runtime)
    } catch (error) {
      runtime.release()
      throw error
    }
  } catch (error) {
    // Commands that look at a project, or fix it, have to run on one that does not start.
    if (purpose === 'serve' || !(error instanceof BootError)) throw error
    log.warn(`the code of the project is left aside: ${error.message.split('\n', 1)[0]}`)
    return undefined
  }
}

function partsOf(runtime: OwnRuntime): AppParts & {
  readonly definitions: (found: readonly Definition[]) => readonly Definition[]
} {
  const { config: app, definitions: found } = runtime.app
  const routes = withBroken(runtime.project, { app, definitions: found }, runtime.http.routesOf())
  stopWhereBroken(runtime)
  const own: AppParts = {
    routes,
    actions: runtime.http.actionsOf(),
    middleware: runtime.http.middlewareOf(),
    shares: { stored },
    jobs: [cronJob],
    register: (host: Host) => {
      tellReplaced(host, routes)
      return new Service(runtime, host as Loose)
    },
  }
  const parts = [runtime.plugins.partsOf(), runtime.data.partsOf(), own].reduce<Bag>(joined, {})
  return {
    ...(parts as AppParts),
    definitions: all => withFieldTypes(runtime.plugins.definitionsOf(all), runtime.customFields),
  }
}

/** Parts of two rooms as one: lists are joined, and objects are put together. */
function joined(one: Bag, other: Bag): Bag {
  const both: Bag = { ...one }
  for (const [part, value] of Object.entries(other))
    if (Array.isArray(both[part])) both[part] = [...both[part], ...value]
    else if (both[part] === undefined || typeof value === 'function') both[part] = value
    else both[part] = joined(both[part], value)
  return both
}

/** Custom fields that the code has registered are stored as the type that it says. */
function withFieldTypes(
  definitions: readonly Definition[],
  fields: ReadonlyMap<string, string>,
): readonly Definition[] {
  const isOpen = (attribute: unknown) => {
    const { type, customField } = Object(attribute) as Bag
    return type === 'customField' && fields.has(customField)
  }
  return definitions.map(definition => {
    const attributes = Object(definition.schema.attributes) as Record<string, Bag>
    if (!Object.values(attributes).some(isOpen)) return definition
    const typed = Object.entries(attributes).map(([name, attribute]) => [
      name,
      isOpen(attribute)
        ? { ...attribute, baseType: attribute.baseType ?? fields.get(attribute.customField) }
        : attribute,
    ])
    return { ...definition, schema: { ...definition.schema, attributes: Object.fromEntries(typed) } }
  })
}

/** Cron tasks of the code: one process of all begins those of a turn. */
const cronJob: Job<Service> = {
  name: 'cron',
  describe: 'begins the cron tasks of the project',
  isNeeded: service => service.hasCron,
  at: service => service.nextCron(),
  run: ({ now }, service) => service.runCron(now),
}

/** The code of an app while it runs. */
class Service {
  readonly #runtime: OwnRuntime
  readonly #host: Host<Settings, typeof stored>
  readonly #since = Date.now()
  #hasBegun = false
  #deafen: () => void = () => undefined

  constructor(runtime: OwnRuntime, host: Host<Settings, typeof stored>) {
    this.#runtime = runtime
    this.#host = host
    keep(runtime)
    runtime.host = host as Host
    runtime.codeLog.to(host.log)
    const { db, entityService } = runtime.data.open(host as Host)
    Object.assign(runtime.strapi, { db, entityService })
    extendSchema(runtime, host as Host)
    runtime.cronTasks.onChange(() => this.hasCron && host.purpose === 'serve' && host.wakeJob('cron'))
  }

  /** Runs what follows once there is a database: cron tasks of the settings, `bootstrap` of plugins and project. */
  async begin(): Promise<void> {
    const runtime = this.#runtime
    const { strapi, cronTasks } = runtime
    if (strapi.config.get('server.cron.enabled') === true) cronTasks.add(strapi.config.get('server.cron.tasks', {}))
    this.#hasBegun = true
    this.#deafen = hearProcess(runtime)
    await runAll(runtime, 'bootstrap')
    runtime.http.check()
    stopWhereBroken(runtime)
    strapi.isLoaded = true
    announce(runtime, this.#host as Host)
  }

  async close(): Promise<void> {
    const runtime = this.#runtime
    try {
      if (this.#hasBegun) await destroyAll(runtime)
      runtime.cronTasks.clear()
      const deadline = performance.now() + runtime.app.config.server.shutdownDeadline
      if (!(await endsBefore(deadline, runtime.cronTasks.ended())))
        runtime.log.warn('cron tasks have not ended at the deadline and are left')
    } finally {
      this.#deafen()
      runtime.release()
    }
  }

  /** Code that speaks of cron may add tasks at any time. */
  get hasCron(): boolean {
    const { cronTasks, mentions } = this.#runtime
    return cronTasks.size > 0 || mentions.has('cron')
  }

  async nextCron(): Promise<Date | undefined> {
    return this.#runtime.cronTasks.next(await this.#cronFrom())
  }

  /** Begins each task that had a turn since the last time, once. Turns of the time before this process are not made up for. */
  async runCron(now: Date): Promise<void> {
    const from = await this.#cronFrom()
    await this.#host.shares.stored.set('cron', now.getTime())
    this.#runtime.cronTasks.run(from, now, { strapi: this.#runtime.strapi })
  }

  async #cronFrom(): Promise<Date> {
    return new Date(Math.max(this.#since, await this.#host.shares.stored.get('cron')))
  }
}
