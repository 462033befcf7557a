import { isDeepStrictEqual } from 'node:util'
import type { RecordedResponse } from './scripts.js'

/** A response as it arrived. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Where a response differs from the recorded one; undefined where it agrees. */
export function difference(was: RecordedResponse, reply: Reply): string | undefined {
  const shown = reply.text.slice(0, 600)
  if (reply.status !== was.status) return `it answers ${reply.status} in place of ${was.status}: ${shown}`
  if (was.status === 500) return differenceOfCrash(was, reply)
  const type = bare(reply.headers['content-type'])
  if (was.contentType !== undefined && type !== bare(was.contentType))
    return `it is ${type} in place of ${was.contentType}: ${shown}`
  for (const [name, value] of Object.entries(was.headers ?? {})) {
    const got = reply.headers[name.toLowerCase()]
    const isSame = name === 'allow' ? isDeepStrictEqual(methodsIn(got), methodsIn(value)) : matches(value, String(got))
    if (!isSame) return `its header ${name} is ${got} in place of ${value}`
  }
  // The text of a 405 is the server's own.
  if (was.body === undefined)
    return was.status === 405 || (was.text ?? '') === reply.text ? undefined : `it says ${shown}`
  const found = unlike(was.body, parsed(reply.text), 'body')
  return found === undefined ? undefined : `${found}\n  whole: ${shown}`
}

/** Of a request that fails, status and name count; the cause must not be in the response. */
function differenceOfCrash({ body }: RecordedResponse, { text }: Reply): string | undefined {
  const nameOf = (value: unknown) => (Object(value) as { error?: { name?: string } }).error?.name
  const got = parsed(text)
  if (nameOf(got) !== nameOf(body)) return `its error is ${nameOf(got)} in place of ${nameOf(body)}: ${text}`
  return /\bat .+:\d+:\d+|node_modules|\/src\//.test(text) ? `it shows the cause: ${text}` : undefined
}

const bare = (type: unknown): string => String(type ?? '').replace(/;.*/, '')

const methodsIn = (text: unknown): string[] =>
  String(text)
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== 'OPTIONS')
    .sort()

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Where two values differ, by the path to it. */
export function unlike(was: unknown, got: unknown, path: string): string | undefined {
  if (isKind(was)) return matches(was, got) ? undefined : `${path}: ${said(got)} is no ${was.$}`
  if (Array.isArray(was)) {
    if (!Array.isArray(got)) return `${path}: ${said(got)} in place of ${said(was)}`
    if (was.length !== got.length) return `${path}: ${got.length} items in place of ${was.length}: ${said(got)}`
    return first(was.map((item, at) => () => unlike(item, got[at], `${path}[${at}]`)))
  }
  if (typeof was === 'object' && was !== null) {
    if (typeof got !== 'object' || got === null || Array.isArray(got))
      return `${path}: ${said(got)} in place of ${said(was)}`
    const keys = [...new Set([...Object.keys(was), ...Object.keys(got)])]
    const [before, after] = [was, got] as Record<string, unknown>[]
    return first(
      keys.map(key => () => {
        const at = `${path}.${key}`
        if (!Object.hasOwn(got, key)) return `${at} is missing; it was ${said(before?.[key])}`
        if (!Object.hasOwn(was, key)) return `${at} was not there: ${said(after?.[key])}`
        return unlike(before?.[key], after?.[key], at)
      }),
    )
  }
  return matches(was, got) ? undefined : `${path}: ${said(got)} in place of ${said(was)}`
}

const first = (looks: readonly (() => string | undefined)[]): string | undefined => {
  for (const look of looks) {
    const found = look()
    if (found !== undefined) return found
  }
  return undefined
}

const said = (value: unknown): string => String(JSON.stringify(value)).slice(0, 160)

/** A value that varies from run to run. */
const isKind = (value: unknown): value is { readonly $: string } =>
  typeof value === 'object' && value !== null && typeof (value as { $?: unknown }).$ === 'string'

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  now: value => Math.abs(Date.now() - new Date(value as string | number).getTime()) < 600_000,
  jwt: value => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(String(value)),
  hash: value => /^\$2[aby]\$\d\d\$/.test(String(value)),
  text: value => typeof value === 'string',
  number: value => typeof value === 'number',
}

function matches(was: unknown, got: unknown): boolean {
  if (isKind(was)) return kinds[was.$]?.(got) ?? false
  if (typeof was === 'string' && typeof got === 'string') return unhashed(was) === unhashed(got)
  return Object.is(was, got)
}

/** Names of new files are chosen anew in each run. */
const unhashed = (text: string): string => text.replace(/_[0-9a-f]{10}(?=\.|$)/g, '_new')
