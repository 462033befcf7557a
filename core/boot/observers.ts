import type { Log } from '../log.js'
import { observersOf } from '../observe/observers.js'
import type { Observers } from '../observe/seen.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import type { Services } from '../plugin/services.js'

/** What observes in an app. A plugin is notified of nothing before it has started. */
export const observersIn = (plugins: readonly EnabledPlugin[], services: Services, log: Log): Observers =>
  observersOf(
    plugins.flatMap(({ spec: { name, observe } }) =>
      observe
        ? [{ plugin: name, observe, hasStarted: () => services.has(name), service: () => services.get(name) }]
        : [],
    ),
    log,
  )
