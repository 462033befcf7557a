import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import type { Services } from '../plugin/services.js'
import { observersOf } from '../services/observe/observers.js'
import type { Observers } from '../services/observe/seen.js'

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
