import type { Query } from '../../pages/values/query-text.js'
import type { Model } from './metadata.js'
import type { BuilderState } from './state.js'
import { queryRequestOf, type RequestText, requestOf } from './url.js'

/** The request of a state in the form of other programs. */
export interface Request {
  readonly origin: string
  readonly query: Query
  /** The request's `data`; undefined if it has none. */
  readonly data?: unknown
  readonly hasToken: boolean
}

/** The request itself: its method, its address, and its body below them. */
export const plainOf = ({ method, url, body }: RequestText): string =>
  `${method} ${url}${body === undefined ? '' : `\n\n${JSON.stringify(body, null, 2)}`}`

export function curlOf(model: Model, state: BuilderState, request: Request): string {
  const { method, url, body } = requestOf(model, state, request)
  const parts = [
    `curl -g ${method === 'GET' ? '' : `-X ${method} `}${quoted(request.origin + url)}`,
    ...(request.hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A call of `stele/client`. */
export function clientOf(model: Model, state: BuilderState, { query, data }: Request): string {
  const type = model.type(state.uid)
  const [, name = ''] = /\/([^/]+)$/.exec(type?.path ?? '') ?? []
  const isSingle = type?.kind === 'singleType'
  const method = isSingle && state.action === 'findOne' ? 'find' : state.action
  const id = state.id.trim()
  const given = [
    ...(!isSingle && ['findOne', 'update', 'delete'].includes(method) ? [/^\d+$/.test(id) ? id : literal(id)] : []),
    ...(data === undefined ? [] : [literal(data)]),
    ...(Object.keys(query).length > 0 ? [literal(query)] : []),
  ]
  const member = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${literal(name)}]`
  return `const { data, error } = await api${member}.${method}(${given.join(', ')})`
}

/** `POST /articles/query` and its body; undefined where the app takes no query in a body. */
export function queryBodyOf(model: Model, state: BuilderState, { query }: Request): string | undefined {
  const sent = queryRequestOf(model, state, query)
  return sent && plainOf(sent)
}

/** A value as it stands in a program: names without quotes, short things in one line. */
export function literal(value: unknown, indent = '', width = 80): string {
  if (Array.isArray(value)) {
    const items = value.map(item => literal(item, `${indent}  `, width))
    return laidOut(items, ['[', ']'], indent, width)
  }
  if (typeof value === 'object' && value !== null) {
    const items = Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${literal(inner, `${indent}  `, width)}`)
    return laidOut(items, ['{', '}'], indent, width)
  }
  return typeof value === 'string' ? text(value) : JSON.stringify(value)
}

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const keyOf = (key: string): string => (/^[\w$]+$/.test(key) && !/^\d/.test(key) ? key : text(key))

function laidOut(items: readonly string[], [open, close]: readonly [string, string], indent: string, width: number) {
  if (items.length === 0) return `${open}${close}`
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length + indent.length <= width && !line.includes('\n')) return line
  return `${open}\n${items.map(item => `${indent}  ${item}`).join(',\n')},\n${indent}${close}`
}
