import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onSqlite } from './engines.js'
import { onEveryEngine } from './every-engine.js'
import { type Answer, type Api, type Body, serve, type World } from './server.js'

export { type Answer, type Api, type Body, type Server, serve, start, startOn, type World } from './server.js'

/** A refusal as a test states it: everything that is named must be found. */
export interface Refusal {
  readonly status: number
  readonly name?: string
  /** The parameter at fault as it is written in a URL: `filters[title][$foo]`. */
  readonly parameter?: string
  readonly message?: RegExp | string
}

/** The same suite on every engine, each with a server and a database of its own. */
export function contract(title: string, world: World, suite: (api: Api) => void): void {
  onEveryEngine(title, engine => suite(serve(engine, world)))
}

/** The same where no engine has a part in it, such as headers, and bodies that cannot be read. */
export function contractOnce(title: string, world: World, suite: (api: Api) => void): void {
  onSqlite(title, engine => suite(serve(engine, world)))
}

/** A row of a table about reading: `ask` follows the path, and `gives` is the suite's view of the response. */
export interface ReadCase {
  readonly says: string
  readonly ask: string
  readonly gives?: unknown
  readonly fails?: Refusal
  /** The largest number of SQL statements: a total that is known from before is not read again. */
  readonly statements?: number
}

/** Declares a test for every row: GET, and the view of the body is what `gives` says, or the refusal is. */
export function reads(api: Api, path: string, view: (body: Body) => unknown, cases: readonly ReadCase[]): void {
  for (const { says, ask, gives, fails, statements } of cases) {
    // A query that is wrong reaches no database: SQLite shows it for all.
    const declare = fails?.status === 400 && api.engine.name !== 'sqlite' ? it.skip : it
    declare(`${says}: ${path}${shortened(ask)}`, async () => {
      const answer = await api.get(`${path}${ask}`)
      if (fails) return refused(answer, fails)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(view(answer.body), gives)
      if (statements !== undefined) assert.ok(answer.statements.length <= statements, answer.statements.join('\n'))
    })
  }
}

/** The answer is a refusal in the one form of all errors, and says what the test says. */
export function refused(answer: Answer, { status, name, parameter, message }: Refusal): void {
  assert.equal(answer.status, status, answer.text)
  const { data, error } = answer.body
  assert.equal(data, null)
  assert.equal(error.status, status)
  assert.equal(typeof error.name, 'string')
  assert.equal(typeof error.message, 'string')
  if (name !== undefined) assert.equal(error.name, name)
  if (parameter !== undefined) assert.equal(error.details?.parameter, parameter, answer.text)
  if (typeof message === 'string') assert.equal(error.message, message)
  else if (message) assert.match(error.message, message)
}

/** Views that many suites share: one attribute of each entry, in the order of the answer. */
export const each =
  (attribute: string) =>
  ({ data }: Body): unknown[] =>
    data.map((entry: Body) => (attribute === 'id' ? entry.id : entry.attributes[attribute]))

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text)

/** The ids of what was populated: a list, one, or null. */
export function idsOf(answer: Answer, name: string): unknown {
  const { data } = answer.body?.data?.attributes?.[name] ?? {}
  return Array.isArray(data) ? data.map(({ id }) => id) : (data?.id ?? null)
}

/** Status and message of a refusal, or the status alone. */
export const said = ({ status, body }: Pick<Answer, 'status' | 'body'>): unknown[] => [status, body?.error?.message]
