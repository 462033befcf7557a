import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { InjectOptions } from 'light-my-request'
import { fixture, keyOf } from '../../strapi4/fixture.js'
import type { ProjectFolder } from '../../strapi4/project.js'

/** An operation as Strapi 4 answered it. */
export interface RecordedOperation {
  readonly id: number
  readonly group: string
  readonly auth: string
  readonly query?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly http?: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly status: number
  readonly contentType?: string
  readonly body?: RecordedAnswer
  readonly text?: string
}

export interface RecordedAnswer {
  readonly data?: unknown
  readonly errors?: readonly RecordedError[]
  readonly error?: unknown
}

interface RecordedError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code?: string; readonly error?: { readonly name?: string } }
}

export const recordedOperations = (): RecordedOperation[] =>
  readFileSync(join(fixture, 'recorded-graphql.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as RecordedOperation)

/** Gives a copy of the project the plugin, as it had it when it was recorded. */
export function withGraphql({ folder }: Pick<ProjectFolder, 'folder'>, shape = 'v4'): void {
  const manifest = join(folder, 'package.json')
  const { dependencies, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'))
  writeFileSync(
    manifest,
    JSON.stringify({ ...rest, dependencies: { ...dependencies, '@strapi/plugin-graphql': '4.26.2' } }),
  )
  const file = join(folder, 'config/plugins.js')
  const settings = `graphql: { config: { shape: '${shape}', apolloServer: { introspection: true } } },`
  writeFileSync(file, readFileSync(file, 'utf8').replace('=> ({', `=> ({\n  ${settings}`))
}

/** Turns off the cache of responses of a project, so that all statements are run. */
export function withoutCache(folder: string): void {
  const file = join(folder, 'config/api.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('rest: {', 'rest: {\n      responseCache: 0,'))
}

/** The request that was recorded, ready to be sent. */
export function operationRequest(recorded: RecordedOperation): InjectOptions {
  const { auth, http, query, variables, operationName } = recorded
  const key = keyOf(auth)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  if (!http)
    return {
      method: 'POST',
      url: '/graphql',
      headers: { ...authorization, 'content-type': 'application/json' },
      payload: JSON.stringify({ query, variables, operationName }),
    }
  const { method, path, headers = {}, body } = http
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return {
    method: method as 'GET',
    url: path,
    headers: { ...authorization, ...headers },
    ...(payload !== undefined && { payload }),
  }
}

/** The facts of an error that answers have in common. */
const errorFacts = ({ path, extensions }: RecordedError, hasPath: boolean): string =>
  JSON.stringify([extensions.code, extensions.error?.name, hasPath ? path : undefined])

const isCrash = ({ extensions, message }: RecordedError): boolean =>
  extensions.code === 'INTERNAL_SERVER_ERROR' && !message.startsWith('Cannot return null for non-nullable field')

/** The first difference between an answer and the recorded one; undefined if they agree. */
export function differenceOf(recorded: RecordedOperation, status: number, payload: string): string | undefined {
  const { body, text } = recorded
  if (body?.errors?.some(isCrash)) return status < 500 ? undefined : `it fails with ${status}`
  if (status !== recorded.status) return `it answers ${status} in place of ${recorded.status}: ${payload.slice(0, 400)}`
  // Texts are informative.
  if (body === undefined) return text === undefined || payload !== '' ? undefined : 'it has no text'
  if (status === 204) return undefined
  const answer = parsed(payload)
  if (!answer) return `it answers the text ${payload}`
  const [was, is] = [settled(body.data), settled(answer.data)]
  if (body.error !== undefined) return answer.error === undefined ? `it has no error: ${payload}` : undefined
  if (!isDeepStrictEqual(was, is)) return firstDifference(was, is, payload)
  const facts = (errors: readonly RecordedError[] = []) =>
    errors.map((error, index) => errorFacts(error, body.errors?.[index]?.path !== undefined)).sort()
  return isDeepStrictEqual(facts(answer.errors), facts(body.errors))
    ? undefined
    : `expected the errors ${facts(body.errors)} and got ${facts(answer.errors)}: ${payload.slice(0, 300)}`
}

/** Data as it is meant: the other server answered hashes of passwords, and the last digits of large numbers are lost there. */
function settled(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => settled(item))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settled(inner, name)]))
  if (typeof value !== 'string') return value
  if (key === 'secret') return null
  return /^90071992\d{8}$/.test(value) ? String(Number(value)) : value
}

function parsed(payload: string): RecordedAnswer | undefined {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

function firstDifference(was: unknown, is: unknown, payload: string): string {
  const [expected, got] = [JSON.stringify(was) ?? 'nothing', JSON.stringify(is) ?? payload.slice(0, 400)]
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at += 1
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 150)
  return `expected …${part(expected)}… and got …${part(got)}…${payload.includes('"errors"') ? payload.slice(0, 300) : ''}`
}
