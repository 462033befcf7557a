import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Log } from '../log.js'
import type { Tally } from './tally.js'

/** What a response has cost until its headers are sent. */
export interface ResponseCost {
  /** Since the server began to serve the request; time in the queue is not part of it. */
  readonly ms: number
  /** Statements that ran for the entries of the response, the rows that they read or changed, and their time added up. */
  readonly statements: number
  readonly rows: number
  readonly statementMs: number
  /** Whether a response that could be cached was; undefined where it could not be. */
  readonly cached: 'hit' | 'miss' | undefined
}

type Headers = Readonly<Record<string, string>>

/** A plugin that adds headers to responses. */
export interface Heading {
  readonly plugin: string
  readonly headersFor: (cost: ResponseCost) => Headers
}

/**
 * The headers of all plugins for a response, as one flat list; undefined where no plugin adds any. What two plugins say
 * under one name becomes a list; what fails, or is no header, is logged and adds nothing.
 */
export function costHeaders(plugins: readonly Heading[], log: Log): ((tally: Tally) => string[]) | undefined {
  if (plugins.length === 0) return undefined
  return ({ begun, statements, rows, statementMs, cached }) => {
    const cost: ResponseCost = { ms: performance.now() - begun, statements, rows, statementMs, cached }
    const said = new Map<string, string>()
    for (const { plugin, headersFor } of plugins) {
      try {
        for (const [name, value] of Object.entries(headersFor(cost))) {
          validateHeaderName(name)
          validateHeaderValue(name, value)
          const former = said.get(name)
          said.set(name, former === undefined ? value : `${former}, ${value}`)
        }
      } catch (error) {
        log.error({ err: error, plugin }, 'headers of a response failed')
      }
    }
    return [...said].flat()
  }
}
