import path from 'node:path'
import { BootError, type Config, type Log } from '../../core/index.js'
import { CronTasks } from './cron.js'
import { createData } from './data/index.js'
import { createEventHub } from './events.js'
import { type CodeHttp, createHttp } from './http/index.js'
import { CodeLog } from './log.js'
import { createPlugins } from './plugins/index.js'
import { readConfig } from './project/config.js'
import { answerImportsOfPackages } from './project/es-imports.js'
import { type Language, languageOf } from './project/language.js'
import { addRoot } from './project/modules.js'
import { ProvidedPackages } from './project/packages.js'
import { loadProject } from './project/project.js'
import { runAll, waysOut } from './stages.js'
import { createStrapi, makeGlobal, setRuntime, within } from './strapi.js'
import type { AppFacts, Bag, Failure, Loose, Project, Runtime, Settings } from './types.js'

/** A runtime as the plugin itself drives it. */
export interface OwnRuntime extends Runtime {
  readonly http: CodeHttp
  readonly language: Language
  readonly codeLog: CodeLog
  readonly cronTasks: CronTasks
  /** The types of custom fields, by `plugin::name.field`, as the code has registered them. */
  readonly customFields: ReadonlyMap<string, string>
  /** Lets go of its modules, and of the global `strapi`. */
  release(): void
}

/** The last runtime of each folder, until it has a database. */
const unopened = new Map<string, OwnRuntime>()

/** Tells that an app is being served by its code, and will release it when it stops. */
export const keep = (runtime: OwnRuntime): void => {
  if (unopened.get(runtime.app.appDir) === runtime) unopened.delete(runtime.app.appDir)
}

/** Loads the code of an app, and runs what a start runs before there is a database: `register` of plugins and of the project. */
export async function loadCode(app: AppFacts, settings: Settings, log: Log): Promise<OwnRuntime> {
  // A command that has only looked at an app has left nothing that would have to be closed.
  unopened.get(app.appDir)?.release()
  const runtime = makeRuntime(app, settings, log)
  unopened.set(app.appDir, runtime)
  try {
    await runtime.within(async () => {
      fill(runtime)
      await runtime.plugins.load()
      stopWhereBroken(runtime)
      await runAll(runtime, 'register')
    })
    return runtime
  } catch (error) {
    runtime.release()
    throw error
  }
}

function makeRuntime(app: AppFacts, settings: Settings, log: Log): OwnRuntime {
  const { appDir, purpose } = app
  const language = languageOf(appDir)
  const codeLog = new CodeLog()
  codeLog.to(log)
  const failures: Failure[] = []
  const mentions = new Set<string>()
  const customFields = new Map<string, string>()
  const cronTasks = new CronTasks((message, error) => log.error(error === undefined ? {} : { err: error }, message))
  const undo: (() => void)[] = []
  const runtime = { app, settings, log, language, codeLog, cronTasks, customFields, mentions } as Loose
  const packages = new ProvidedPackages(() => runtime)
  undo.push(
    addRoot({
      appDir,
      compiledTo: language.compiledTo,
      cache: purpose === 'serve' ? path.join(appDir, '.tmp/strapi-code') : undefined,
      provide: request => packages.provide(request),
      loaded: (_, text) => {
        for (const [word] of text.matchAll(/\b(?:cron|requestContext|subscribe|eventHub|server\.use)\b/g))
          mentions.add(word)
      },
    }),
  )
  const fail = (failure: Failure) => void failures.push(failure)
  const strapi = createStrapi({
    runtime: () => runtime,
    config: readConfig(app.config, language, fail),
    log: codeLog.log,
    eventHub: createEventHub((error, event) => log.error({ err: error }, `a listener of the event ${event} failed`)),
    cron: {
      add: (tasks: Loose) => cronTasks.add(tasks),
      remove: (name: string) => cronTasks.remove(name),
      get jobs() {
        return cronTasks.jobs
      },
      start: () => undefined,
      stop: () => undefined,
      destroy: () => cronTasks.clear(),
    },
    customFields: {
      register(fields: Loose) {
        for (const field of [fields].flat()) registerField(customFields, field)
      },
    },
    isLocalized: schema => isEnabled(app.config, 'i18n') && schema.pluginOptions?.i18n?.localized === true,
  })
  const project: Project = {
    appDir,
    compiledTo: language.compiledTo,
    config: strapi.config,
    apis: new Map(),
    policies: new Map(),
    middlewares: new Map(),
    extensions: new Map(),
    index: {},
    plugins: new Map(),
    files: new WeakMap(),
    failures,
  }
  Object.assign(runtime, {
    strapi,
    project,
    fail,
    typeOf: (uid: string) => runtime.host?.types.get(uid),
    within: <T>(work: () => T) => within(strapi, work),
    release() {
      for (const step of undo.splice(0).reverse()) step()
    },
  })
  setRuntime(runtime)
  undo.push(makeGlobal(strapi))
  Object.assign(runtime, { http: createHttp(runtime), data: createData(runtime), plugins: createPlugins(runtime) })
  answerImportsOfPackages(appDir, request => packages.provide(request))
  return runtime
}

const isEnabled = ({ plugins }: Config, name: string): boolean => plugins[name]?.enabled !== false

function registerField(fields: Map<string, string>, field: Bag): void {
  const { name, plugin, type } = Object(field) as Bag
  if (!name || !type) throw new Error('a custom field needs a name and a type')
  fields.set(plugin ? `plugin::${plugin}.${name}` : `global::${name}`, type)
}

/** Puts what the folders hold where all rooms find it. */
function fill({ app, language, project, fail }: OwnRuntime): void {
  Object.assign(project, loadProject(app.appDir, language, fail))
}

/** All that is wrong with the files is told at once. */
export function stopWhereBroken({ project, settings }: Pick<Runtime, 'project' | 'settings'>): void {
  const { failures } = project
  if (failures.length === 0 || settings.broken === 'serve') return
  const list = failures.map(({ says }) => `  ${says}`)
  throw new BootError(['the code of the project cannot run:', ...list, waysOut].join('\n'))
}
