import type { Statement } from '../engine.js'

/** Values of one statement, at most: the text of one with more is long. */
const mostValues = 200
/** The most blocks that are cached. */
const mostKnown = 5000
/** Nothing in the text of a part may end its block, or hide the end of it. */
const isPart = (sql: string): boolean =>
  /^(?:select|insert|update|delete|start transaction|commit)\b/i.test(sql) && !/;|--|#|\/\*/.test(sql)

/** The block of some statements, known by the way to it: a text of its own would be put together, and read, each time. */
interface KnownBlock {
  /** None where one of them cannot be in a block. */
  readonly text: string | undefined
  /** The same as a statement, once it has been asked for. */
  block?: string
  readonly followed: Map<string, KnownBlock>
}

let start: KnownBlock = { text: '', followed: new Map() }
let count = 0

function follow({ text, followed }: KnownBlock, sql: string): KnownBlock {
  const next = text !== undefined && isPart(sql) ? `${text} ${sql};` : undefined
  const known: KnownBlock = { text: next, followed: new Map() }
  followed.set(sql, known)
  count += 1
  return known
}

/** The way through these texts. */
function wayOf(statements: readonly Statement[]): KnownBlock {
  if (count > mostKnown) {
    start = { text: '', followed: new Map() }
    count = 0
  }
  let known = start
  for (const { sql } of statements) known = known.followed.get(sql) ?? follow(known, sql)
  return known
}

/** True if these statements can be sent as one. */
export function fitInOne(statements: readonly Statement[]): boolean {
  let count = 0
  for (const { values } of statements) count += values.length
  return count <= mostValues && wayOf(statements).text !== undefined
}

/**
 * A block of these statements, which a server runs one after the other until one of them fails; undefined where they cannot be
 * asked as one.
 */
export function inOne(statements: readonly Statement[]): Statement | undefined {
  const known = wayOf(statements)
  const values: unknown[] = []
  for (const statement of statements) values.push(...statement.values)
  if (known.text === undefined || values.length > mostValues) return undefined
  known.block ??= `begin not atomic${known.text} end`
  return { sql: known.block, values }
}
