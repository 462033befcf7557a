import path from 'node:path'
import { BootError } from '../../core/index.js'
import { NotCarried } from './not-carried.js'
import { failureOf } from './project/failure.js'
import type { OwnRuntime } from './runtime.js'
import type { LifeFunctions } from './types.js'

/** Ways to start all the same, where the code of a project cannot run. */
export const waysOut =
  "to start without the code of the project, use --no-code; to serve what can be loaded and to answer the rest with 501, set 'strapi-code': { config: { broken: 'serve' } } in config/plugins"

type Stage = 'register' | 'bootstrap' | 'destroy'

/** Something that is run in stages; of a plugin that was installed, its name. */
interface StagedPart {
  readonly of: LifeFunctions
  readonly file: string
  readonly package?: string | undefined
}

/** Plugins, APIs and `src/index`, in this order. */
function partsOf({ project }: OwnRuntime): readonly StagedPart[] {
  return [
    ...[...project.plugins.values()].map(({ name, server, from, file }) => ({
      of: server,
      file: file ?? `the plugin ${name}`,
      // A package cannot be fixed in the project: it goes on without what it has not got.
      package: from === 'installed' ? name : undefined,
    })),
    ...[...project.apis.values()].flatMap(({ name, index }) =>
      index ? [{ of: index, file: `src/api/${name}/index` }] : [],
    ),
    { of: project.index, file: project.index.file ?? 'src/index' },
  ]
}

/** Runs one stage of the code before it serves; what is thrown says where it comes from, and ends the start. */
export async function runAll(runtime: OwnRuntime, stage: 'register' | 'bootstrap'): Promise<void> {
  const { strapi, app, log } = runtime
  for (const part of partsOf(runtime)) {
    if (typeof part.of[stage] !== 'function') continue
    try {
      await watched(runtime, stage, part, () => runtime.within(() => part.of[stage]?.({ strapi })))
    } catch (error) {
      if (part.package !== undefined && error instanceof NotCarried) {
        log.error(`${stage} of the plugin ${part.package} has ended before its end: ${error.message}`)
        continue
      }
      const { says } = failureOf(app.appDir, path.resolve(app.appDir, part.file), error)
      const hint =
        stage === 'register' && isEarly(error) ? '; strapi.db and strapi.entityService are there from bootstrap on' : ''
      throw new BootError(`${stage} of the project's code failed: ${says}${hint}\n${waysOut}`, { cause: error })
    }
  }
}

/** Runs `destroy` of all, each however the others end; together they have as much time as requests have when a server stops. */
export async function destroyAll(runtime: OwnRuntime): Promise<void> {
  const { strapi, app, log } = runtime
  const deadline = performance.now() + app.config.server.shutdownDeadline
  for (const { of, file } of partsOf(runtime)) {
    if (typeof of.destroy !== 'function') continue
    const place = shown(app.appDir, file)
    try {
      const work = runtime.within(async () => of.destroy?.({ strapi }))
      if (!(await endsBefore(deadline, work))) log.warn(`destroy of ${place} has not ended at the deadline and is left`)
    } catch (error) {
      log.error({ err: error }, `destroy of ${place} failed`)
    }
  }
}

/** True where work has ended by then; its failure is the caller's, unless it comes later. */
export async function endsBefore(deadline: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds after which a start says what it waits for, and again after as many. */
const apart = 10_000

/** Runs a function of the code during a start: if it takes long, or ends the process, the log says so. */
async function watched(
  { app, log }: OwnRuntime,
  stage: Stage,
  { file }: StagedPart,
  work: () => unknown,
): Promise<void> {
  const place = shown(app.appDir, file)
  const began = performance.now()
  const tell = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000)
    log.warn(`${stage} of ${place} has not ended after ${seconds} s; nothing is served before it does`)
  }, apart)
  const gone = (code: number) => log.error(`${stage} of ${place} has ended the process, with the exit code ${code}`)
  process.once('exit', gone)
  try {
    await work()
  } finally {
    clearInterval(tell)
    process.off('exit', gone)
  }
}

const shown = (appDir: string, file: string): string =>
  path.isAbsolute(file) && !path.relative(appDir, file).startsWith('..') ? path.relative(appDir, file) : file

/** True where something was read of what only a start with a database has. */
const isEarly = (error: unknown): boolean =>
  /of undefined \(reading '(?:query|connection|transaction|lifecycles|metadata|findOne|findMany|create|update|delete|count)'\)/.test(
    String((error as Error)?.message),
  )
