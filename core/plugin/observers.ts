import type { StatementSeen } from '../engines/observed.js'
import type { RequestSeen } from '../http/observing.js'
import type { Log } from '../log.js'
import type { JobSeen } from './job.js'

/** A request that a plugin has sent to another server. */
export interface OutgoingSeen {
  readonly plugin: string
  /** Its kind, by a name of which there are few: `webhook build`. */
  readonly name: string
  readonly method: string
  /** Scheme, host and port. There may be secrets in the rest of an address, in its path as well. */
  readonly origin: string
  readonly ms: number
  /** The status of the response; undefined if none came. */
  readonly status: number | undefined
  /** 1, and more where it was sent before. */
  readonly attempt: number
  /** The W3C `traceparent` of the request that it was sent for. */
  readonly cause?: string | undefined
  /** The error in place of a response. */
  readonly error?: unknown
}

/** The observations that a plugin is notified of. An error of its is logged and changes nothing; it is not waited for. */
export interface Observe<Service = unknown> {
  request?(seen: RequestSeen, service: Service): unknown
  statement?(seen: StatementSeen, service: Service): unknown
  job?(seen: JobSeen, service: Service): unknown
  outgoing?(seen: OutgoingSeen, service: Service): unknown
}

/** The observers of all plugins as one function each; absent if there is none. */
export interface Observers {
  readonly request?: (seen: RequestSeen) => void
  readonly statement?: (seen: StatementSeen) => void
  readonly job?: (seen: JobSeen) => void
  readonly outgoing?: (seen: OutgoingSeen) => void
}

/** A plugin, as far as it observes. */
interface ObservingPlugin {
  readonly spec: { readonly name: string; readonly observe?: Readonly<Partial<Record<keyof Observe, unknown>>> }
}

/**
 * One function for each kind of observation, bound once; an error of an observer is logged, and nothing waits for it. A plugin is
 * notified of nothing before it has started.
 */
export function observersOf(
  plugins: readonly ObservingPlugin[],
  services: ReadonlyMap<string, unknown>,
  log: Log,
): Observers {
  const bind = <Kind extends keyof Observe>(kind: Kind) => {
    const tellers = plugins.flatMap(({ spec: { name: plugin, observe } }) => {
      const tell = observe?.[kind] as ((seen: unknown, service: unknown) => unknown) | undefined
      if (!tell) return []
      const failed = (error: unknown) => log.error({ err: error, plugin, observe: kind }, 'an observer failed')
      return [
        (seen: unknown) => {
          if (!services.has(plugin)) return
          try {
            const given = tell(seen, services.get(plugin))
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
