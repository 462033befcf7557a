import { type Query, withQuery } from '../../pages/values/query-text.js'
import type { Model, TypeInfo } from './metadata.js'
import type { BuilderState } from './state.js'

export const methods = { find: 'GET', findOne: 'GET', create: 'POST', update: 'PUT', delete: 'DELETE' } as const

/** The path of a request, without its query. */
export function pathOf({ action, id }: BuilderState, { path = '', kind }: TypeInfo): string {
  const one = kind === 'collectionType' && ['findOne', 'update', 'delete'].includes(action)
  return one ? `${path}/${encodeURIComponent(id.trim() || ':id')}` : path
}

/** Servers and proxies take addresses of some length only. */
const longestUrl = 8000

export interface RequestText {
  readonly method: string
  readonly url: string
  /** The JSON body; undefined if there is none. */
  readonly body?: unknown
}

/** The request for a state: a query that is too long for an address is sent as a body. */
export function requestOf(
  model: Model,
  state: BuilderState,
  { query, data }: { query: Query; data?: unknown },
): RequestText {
  const url = urlOf(model, state, query)
  const long = url.length > longestUrl ? queryRequestOf(model, state, query) : undefined
  return long ?? { method: methods[state.action], url, ...(data !== undefined && { body: { data } }) }
}

/** The same read with its query in a body; undefined where the app does not take any, and for writes. */
export function queryRequestOf(model: Model, state: BuilderState, query: Query): RequestText | undefined {
  const type = model.type(state.uid)
  if (!type || !model.meta.queryBody || methods[state.action] !== 'GET') return undefined
  return { method: 'POST', url: `${pathOf(state, type)}/query`, body: query }
}

export function urlOf(model: Model, state: BuilderState, query: Query): string {
  const type = model.type(state.uid)
  if (!type) return ''
  return withQuery(pathOf(state, type), query)
}
