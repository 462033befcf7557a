import { isDeepStrictEqual } from 'node:util'
import type { EngineName } from '../support/engine-choice.js'
import type { RecordedRead, RecordedResponse } from './fixture.js'

/** Keys whose values differ from run to run. */
const moments = ['createdAt', 'updatedAt', 'publishedAt', 'published_on']
/** The recordings were made after this; the data of the project is older. */
const recordedSince = '2026-01-01'
const newHash = /_[0-9a-f]{10}(?=["./]|$)/g

/** An answer without what differs from run to run: times of the run, tokens, names of new files. */
function settled(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => settled(item))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settled(inner, name)]))
  if (typeof value !== 'string') return value
  if (moments.includes(key) && value > recordedSince) return 'a time of the run'
  if (key === 'jwt') return 'a token'
  // SQLite's driver of the older server reads these through a double.
  if (key === 'bigviews') return String(Number(value))
  return value.replace(newHash, '_of-this-run')
}

export interface Reply {
  readonly statusCode: number
  readonly payload: string
}

type Change = (value: unknown) => unknown

/** The first difference between a response and the recorded one; undefined if they agree. A crash of the older server is no response. */
export function difference(was: RecordedResponse, reply: Reply, change: Change = value => value): string | undefined {
  if (was.status >= 500) return reply.statusCode < 500 ? undefined : `it fails with ${reply.statusCode}`
  if (reply.statusCode !== was.status)
    return `it answers ${reply.statusCode} in place of ${was.status}: ${reply.payload.slice(0, 300)}`
  if (was.body === undefined) return was.text === undefined || was.text === reply.payload ? undefined : reply.payload
  const [expected, got] = [change(settled(was.body)), change(settled(parsed(reply.payload)))]
  return isDeepStrictEqual(expected, got) ? undefined : firstDifference(JSON.stringify(expected), JSON.stringify(got))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function firstDifference(expected: string, got: string): string {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at += 1
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 120)
  return `expected …${part(expected)}… and got …${part(got)}…`
}

/**
 * New files without their ids: Strapi 4 stores the files of one request at the same time, so which gets which id is
 * chance. The project has 40 files.
 */
export function withoutFileIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFileIds)
  if (typeof value !== 'object' || value === null) return value
  const { id, attributes = value } = value as Readonly<Record<string, unknown>>
  const { name } = attributes as Readonly<Record<string, unknown>>
  const isNewFile = Number(id) > 40 && typeof name === 'string' && /\.\w+$/.test(name)
  const inner = Object.entries(value).map(([key, one]) => [key, withoutFileIds(one)])
  return { ...Object.fromEntries(inner), ...(isNewFile && { id: 'a new file' }) }
}

/** The recorded responses that count on an engine, any one of them. */
export const expectedOn: Readonly<Record<EngineName, (read: RecordedRead) => readonly RecordedResponse[]>> = {
  sqlite: read => [read],
  // Strapi 4 leaves the order of lists without a sort to MariaDB; if it follows the ids, it is the common one.
  mysql: read => [read.mariadb ?? read, read],
  postgres: read => [read.postgres ?? read],
}
