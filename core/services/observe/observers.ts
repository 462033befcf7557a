import type { Log } from '../../log.js'
import type { Observe, Observers } from './seen.js'

/** A plugin that observes; its service is there once it has started. */
export interface Observing {
  readonly plugin: string
  readonly observe: Observe
  readonly hasStarted: () => boolean
  readonly service: () => unknown
}

/** One function for each kind of observation, bound once; what an observer throws is logged, and nothing waits for it. */
export function observersOf(plugins: readonly Observing[], log: Log): Observers {
  const bind = <Kind extends keyof Observe>(kind: Kind) => {
    const tellers = plugins.flatMap(({ plugin, observe, hasStarted, service }) => {
      const tell = observe[kind] as ((seen: unknown, service: unknown) => unknown) | undefined
      if (!tell) return []
      const failed = (error: unknown) => log.error({ err: error, plugin, observe: kind }, 'an observer failed')
      return [
        (seen: unknown) => {
          if (!hasStarted()) return
          try {
            const given = tell(seen, service())
            if (given instanceof Promise) given.catch(failed)
          } catch (error) {
            failed(error)
          }
        },
      ]
    })
    const [only] = tellers
    if (!only) return {}
    const each = (seen: unknown) => {
      for (const tell of tellers) tell(seen)
    }
    const all = tellers.length === 1 ? only : each
    return { [kind]: all }
  }
  return { ...bind('request'), ...bind('statement'), ...bind('job'), ...bind('outgoing') }
}
