import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Tally } from '../../content/tally.js'
import type { Log } from '../../log.js'
import type { Caller } from '../../query/ask.js'

/** The cost of a response, up to the moment at which its headers are sent. */
export interface ResponseCost {
  /** Milliseconds since the server began to serve the request; time in the queue is not part of it. */
  readonly ms: number
  /** Statements that ran for the entries of the response, the rows that they read or changed, and their time added up. */
  readonly statements: number
  readonly rows: number
  readonly statementMs: number
  /** The time to read and check its query, and to write its statements; 0 if its plan was in the cache. */
  readonly parseMs: number
  readonly planMs: number
  /** Milliseconds from the end of its last statement until now: hooks, and the writing of JSON. 0 without statements. */
  readonly serializeMs: number
  /** A hit, if the response was in the cache; undefined if it could not be. */
  readonly cached: 'hit' | 'miss' | undefined
}

/** The request of a response. */
export interface ResponseFor {
  /** The headers of the request. */
  readonly headers: IncomingHttpHeaders
  /** Undefined if nothing had to know the caller. */
  readonly caller: Caller | undefined
}

type Headers = Readonly<Record<string, string>>

/** A plugin that adds headers to responses. */
export interface HeaderSource {
  readonly plugin: string
  readonly headersFor: (cost: ResponseCost, to: ResponseFor) => Headers
}

/**
 * The headers of all plugins for a response, as one flat list; undefined if no plugin adds any. Values of two plugins under one
 * name become a list; a function that fails, or gives no header, is logged and adds nothing.
 */
export function costHeaders(plugins: readonly HeaderSource[], log: Log): ((tally: Tally) => string[]) | undefined {
  if (plugins.length === 0) return undefined
  return tally => {
    const cost = costOf(tally)
    const said = new Map<string, string>()
    for (const { plugin, headersFor } of plugins) {
      try {
        for (const [name, value] of Object.entries(headersFor(cost, tally))) {
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

function costOf({ begun, stated, statements, rows, statementMs, parseMs, planMs, cached }: Tally): ResponseCost {
  const now = performance.now()
  const serializeMs = stated === undefined ? 0 : now - stated
  return { ms: now - begun, statements, rows, statementMs, parseMs, planMs, serializeMs, cached }
}
