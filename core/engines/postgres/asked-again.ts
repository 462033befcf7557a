import type { RawRow } from '../engine.js'
import type { Settle } from '../server/watchdog.js'

/** The parts of its connection to which the driver lets a query write. */
export interface Wire {
  readonly stream: { readonly writable: boolean; write(message: Uint8Array): unknown }
  sendCopyFail(reason: string): void
}

/** Reads a value that is not the text in which it arrives. */
type Parse = (text: string) => unknown

/** Everything but small numbers and booleans arrives as text and is decoded by representation. */
const parsed = new Map<number, Parse>([
  [16, text => text === 't'],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
])
const asIs: Parse = text => text
export const parseOf = (type: number): Parse => parsed.get(type) ?? asIs

/** A statement that a connection has prepared. The server refuses it once its columns have become others. */
export interface KnownStatement {
  /** The beginning of the message that binds its values. */
  readonly head: Buffer
  /** The columns that are not text. */
  readonly parsed: readonly { readonly at: number; readonly parse: Parse }[]
}

/** A statement that is asked again, with other values. */
export interface RepeatedStatement {
  readonly known: KnownStatement
  readonly values: readonly (string | null)[]
}

/** The rows of a statement, and the number of rows that it gave or changed. */
export interface Answer {
  readonly rows: readonly RawRow[]
  readonly count: number
  /** The transaction was rolled back in place of its commit. */
  readonly isRollback?: boolean
}

/** A statement once the driver has asked it, as it is asked from then on. */
export function knownAs(name: string, columns: readonly { readonly dataTypeID: number }[]): KnownStatement {
  const parses = columns.map(({ dataTypeID }, at) => ({ at, parse: parseOf(dataTypeID) }))
  return { head: Buffer.from(`B\0\0\0\0\0${name}\0\0\0`), parsed: parses.filter(({ parse }) => parse !== asIs) }
}

/** A value as it is sent; undefined where only the driver knows how. */
function sentAs(value: unknown): string | null | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'undefined':
      return null
    case 'object':
      if (value === null) return null
      return Array.isArray(value) && value.every(Number.isSafeInteger) ? `{${value.join()}}` : undefined
    default:
      return undefined
  }
}

/** The same for all values of a statement. */
export function allSentAs(values: readonly unknown[]): readonly (string | null)[] | undefined {
  const sent: (string | null)[] = []
  for (const value of values) {
    const text = sentAs(value)
    if (text === undefined) return undefined
    sent.push(text)
  }
  return sent
}

/** All that the driver would say in several messages, each with an object and a write of its own: no formats, all rows. */
const behindValues = Buffer.from('\0\0E\0\0\0\x09\0\0\0\0\0')
const sync = Buffer.from('S\0\0\0\x04')

/** A value of so many letters is written one by one: calls of the buffer take longer, and a message has dozens of them. */
const short = 24
/** The most bytes that UTF-8 takes for one unit of a text. */
const widest = 3

const roomFor = (value: string): number => (value.length <= short ? value.length * widest : Buffer.byteLength(value))

/** Statements in one piece. Those behind an error are not run, up to the end of the piece. */
function messageOf(statements: readonly RepeatedStatement[]): Buffer {
  let most = sync.length
  for (const { known, values } of statements) {
    most += known.head.length + 2 + 4 * values.length + behindValues.length
    for (const value of values) if (value !== null) most += roomFor(value)
  }
  const message = Buffer.allocUnsafe(most)
  let at = 0
  for (const { known, values } of statements) {
    const begun = at
    known.head.copy(message, at)
    at = message.writeUInt16BE(values.length, at + known.head.length)
    for (const value of values) {
      const length = value === null ? -1 : written(message, value, at + 4)
      at = message.writeInt32BE(length, at) + Math.max(length, 0)
    }
    // Without the letter in front, and with the number itself; the formats of the columns still belong to it.
    message.writeInt32BE(at + 2 - begun - 1, begun + 1)
    behindValues.copy(message, at)
    at += behindValues.length
  }
  sync.copy(message, at)
  return message.subarray(0, at + sync.length)
}

/** Writes a value and tells how many bytes it has. */
function written(message: Buffer, value: string, at: number): number {
  if (value.length > short) return message.write(value, at)
  for (let index = 0; index < value.length; index += 1) {
    const letter = value.charCodeAt(index)
    if (letter > 127) return message.write(value, at)
    message[at + index] = letter
  }
  return value.length
}

/**
 * Statements that a connection has prepared, as a query of one's own for the driver: one write, and rows that are taken as
 * the driver has read them.
 */
export class RepeatedQuery {
  readonly #message: Buffer
  readonly #statements: readonly RepeatedStatement[]
  /** As far as they have come, also where there is an error then. */
  readonly #answers: Answer[]
  readonly #settle: Settle<readonly Answer[]>
  #rows: RawRow[] = []

  constructor(statements: readonly RepeatedStatement[], answers: Answer[], settle: Settle<readonly Answer[]>) {
    this.#statements = statements
    this.#answers = answers
    this.#settle = settle
    this.#message = messageOf(statements)
  }

  submit({ stream }: Wire): void {
    // Of a connection that has ended, the driver is about to say so.
    if (stream.writable) stream.write(this.#message)
  }

  handleDataRow({ fields: row }: { readonly fields: unknown[] }): void {
    const { parsed } = (this.#statements[this.#answers.length] as RepeatedStatement).known
    for (const { at, parse } of parsed) {
      const text = row[at]
      if (text !== null) row[at] = parse(text as string)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // `INSERT 0 3`, `SELECT 3`, `BEGIN`.
    const count = Number(text.slice(text.lastIndexOf(' ') + 1))
    this.#answers.push({ rows: this.#rows, count: count || 0, isRollback: text === 'ROLLBACK' })
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#settle(undefined, this.#answers)
  }

  handleError(error: unknown): void {
    this.#settle(error)
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('nothing is copied here')
  }

  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleRowDescription(): void {}
}
