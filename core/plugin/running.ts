import type { EnabledPlugin } from './arrange.js'
import { commandsIn } from './declared.js'
import type { AppOutline } from './outline.js'
import type { Check, Command, Finding, GivenCall } from './parts.js'

/** A plugin of an app that runs, with its settings and its service. */
export interface RunningPlugin extends EnabledPlugin {
  readonly service: unknown
}

/** The plugins of an app, each with the service that it has made. */
export const runningOf = (plugins: readonly EnabledPlugin[], services: ReadonlyMap<string, unknown>): RunningPlugin[] =>
  plugins.map(plugin => ({ ...plugin, service: services.get(plugin.spec.name) }))

/** A plugin's command, with its service and its settings. */
export interface AppCommand extends Omit<Command, 'run'> {
  readonly run: (call: GivenCall) => unknown
}

/** A plugin's check, with its service. */
export interface AppCheck extends Omit<Check, 'run'> {
  readonly plugin: string
  readonly run: (report: (finding: Finding) => void) => void | Promise<void>
}

interface CommandedApp {
  readonly outline: AppOutline
  readonly plugins: readonly RunningPlugin[]
}

/** The commands that plugins add to the command line. */
export const commandsOf = (app: CommandedApp): AppCommand[] =>
  app.plugins.flatMap(({ spec, config, service }) =>
    commandsIn(spec).map(command => ({
      ...command,
      run: (call: GivenCall) => command.run({ ...call, app: app.outline, config }, service),
    })),
  )

/** The checks that plugins add to `stele doctor`. */
export const checksOf = (plugins: readonly RunningPlugin[]): AppCheck[] =>
  plugins.flatMap(({ spec, service }) =>
    (spec.checks ?? []).flatMap(check => {
      if (!('run' in check)) return []
      const { name, describe, run } = check
      return [{ plugin: spec.name, name, describe, run: (report: (finding: Finding) => void) => run(service, report) }]
    }),
  )
