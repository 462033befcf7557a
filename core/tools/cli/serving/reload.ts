import { isSection } from '../../../config/merge.js'
import type { Config } from '../../../config/types.js'
import { BootError } from '../../../errors.js'
import type { App } from '../../../kernel.js'
import type { Reload } from '../../../plugin/parts.js'
import { loadDefinitions } from '../../../schema/load.js'
import type { Definition } from '../../../schema/types.js'

type ReloadableApp = Pick<App, 'config' | 'definitions' | 'log' | 'plugins'>

/** Reloads the settings and files that a running app can take over without a restart. */
export class Reloader {
  readonly #app: ReloadableApp
  readonly #read: () => Promise<Config>
  #last: Promise<void> = Promise.resolve()

  /** `read` gives the settings as the files have them at that moment. */
  constructor(app: ReloadableApp, read: () => Promise<Config>) {
    this.#app = app
    this.#read = read
  }

  /** Reads the files again: all that can be taken over is, or nothing where something is wrong. */
  run(): Promise<void> {
    this.#last = this.#last.then(() => this.#run())
    return this.#last
  }

  async #run(): Promise<void> {
    const { log } = this.#app
    try {
      const next = await this.#read()
      const schemas = loadDefinitions(next.appDir)
      const steps = await this.#prepare(next)
      for (const { apply } of steps) await apply()
      const reloaded = steps.map(({ describe }) => describe)
      const { level } = next.log
      if (level !== log.level) reloaded.push(`the level of the log: ${level}`)
      // The message must be logged, at the former level or at the new one.
      if (!log.isLevelEnabled('info')) log.level = level
      this.#tell(reloaded, [...this.#differing(next), ...this.#changedSchemas(schemas)])
      log.level = level
    } catch (error) {
      const known = error instanceof BootError
      log.error(known ? {} : { err: error }, `the settings stay as they were: ${(error as Error).message}`)
    }
  }

  /** Reads and checks everything before anything changes. */
  async #prepare(next: Config): Promise<Reload[]> {
    const { plugins } = this.#app
    const steps: Reload[] = []
    for (const { spec, service } of plugins) steps.push(...((await spec.reload?.prepare(next, service)) ?? []))
    return steps
  }

  #differing(next: Config): string[] {
    const { config, plugins } = this.#app
    const isTaken = new Set<string>(plugins.flatMap(({ spec }) => spec.reload?.files ?? []))
    const files = ['server', 'database', 'api', 'plugins', 'permissions', 'webhooks', 'console', 'log'] as const
    return files
      .filter(file => !isTaken.has(file))
      .flatMap(file => differences(config[file], next[file], `config/${file}`))
      .filter(path => path !== 'config/log: level')
  }

  #changedSchemas(now: readonly Definition[]): string[] {
    const before = new Map(this.#app.definitions.map(({ source, schema }) => [source, JSON.stringify(schema)]))
    const after = new Map(now.map(({ source, schema }) => [source, JSON.stringify(schema)]))
    return [...new Set([...before.keys(), ...after.keys()])].filter(file => before.get(file) !== after.get(file))
  }

  #tell(reloaded: readonly string[], restart: readonly string[]): void {
    const { log } = this.#app
    const list = reloaded.length === 0 ? 'nothing that can be reloaded has changed' : `reloaded ${reloaded.join(', ')}`
    if (restart.length === 0) log.info({ reloaded }, list)
    else log.warn({ reloaded, restart }, `${list}; these changes need a restart: ${restart.join(', ')}`)
  }
}

/** The names of settings that differ; their values may be secret. */
function differences(one: unknown, other: unknown, path: string): string[] {
  if (isSection(one) && isSection(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    const inside = (name: string) => (path.includes(': ') ? `${path}.${name}` : `${path}: ${name}`)
    return names.flatMap(name => differences(one[name], other[name], inside(name)))
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [path]
}
