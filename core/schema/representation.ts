/** The largest values that columns of a database hold; Infinity where there is no limit. */
export interface ColumnLimits {
  /** Characters of a text that is not long. */
  readonly shortText: number
  /** The largest integer; the smallest is its negative. */
  readonly integer: number
  readonly decimal: number
}

/** The name of a database for messages, and the facts about its columns. */
export interface Room {
  readonly name: string
  readonly facts: {
    readonly limits: ColumnLimits
    readonly exactDecimals: boolean
    readonly nullBytes: boolean
  }
}

/** Conversions of one representation. Engines add those of their columns and drivers in their `values.ts`. */
export interface Kind {
  /** A value of an archive as the engine's `encode` takes it; throws a string that completes "<column> ...". */
  readonly archived: (value: unknown, room: Room) => unknown
  /** A value of another representation as a request would write it into this one; otherwise as it is. */
  readonly given?: (value: unknown) => unknown
  /** The nearest value that can be written; undefined if nothing is near. */
  readonly nearest?: (value: unknown) => unknown
  /** True if the written value is all of the value; without this it always is. */
  readonly keeps?: (value: unknown, written: unknown) => boolean
}

const numeric = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
const textual = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A number, of text with no digits none. */
const nearNumber = (value: unknown): number =>
  typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)

/** Representations of values, which field types choose from; to add one is a row here, and a row in each engine's `values.ts`. */
export const representations = {
  id: { archived: wholeNumber },
  text: {
    archived(value, room) {
      const text = anyText(value, room)
      const { shortText } = room.facts.limits
      if (text.length > shortText && [...text].length > shortText)
        throw `is longer than the ${shortText} characters that ${room.name} keeps`
      return text
    },
    given: textual,
    // A shortened text is better than none.
    nearest: value => String(value).slice(0, 255),
  },
  longtext: { archived: anyText, given: textual },
  integer: { archived: wholeNumber, given: numeric, nearest: value => Math.round(nearNumber(value)) },
  bigint: {
    archived(value) {
      if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) throw 'is no whole number of 64 bits'
      if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) throw 'is no whole number of 64 bits'
      return value
    },
    given: numeric,
    nearest(value) {
      const number = nearNumber(value)
      return Number.isFinite(number) ? BigInt(Math.round(number)).toString() : undefined
    },
  },
  decimal: {
    archived(value, { name, facts }) {
      if (typeof value !== 'string' || value === '' || !Number.isFinite(Number(value))) throw 'is no decimal number'
      if (!facts.exactDecimals) return Number(value)
      if (Math.abs(Number(value)) >= Math.ceil(facts.limits.decimal)) throw `is too large for a decimal of ${name}`
      return value
    },
    given: numeric,
    // A short decimal leaves out its last digits without a word.
    keeps: (_, written) => Math.round(Number(written) * 100) / 100 === Number(written),
  },
  float: { archived: anyNumber, given: numeric },
  boolean: {
    archived(value) {
      if (typeof value !== 'boolean') throw 'is neither true nor false'
      return value
    },
  },
  date: {
    archived: matching(/^\d{4,6}-\d\d-\d\d$/, 'is no date'),
    // A date also keeps a date-time that falls on midnight.
    keeps: value => typeof value !== 'string' || value.length === 10 || /T00:00:00(\.0+)?Z$/.test(value),
  },
  time: { archived: matching(/^\d\d:\d\d:\d\d(\.\d{1,6})?$/, 'is no time') },
  datetime: { archived: instant },
  timestamp: { archived: instant },
  json: {
    archived(value) {
      if (typeof value !== 'string' || parsed(value) === undefined) throw 'is no JSON'
      return value
    },
    given(value) {
      const document = typeof value === 'string' ? parsed(value) : undefined
      return document === undefined ? value : document
    },
  },
} satisfies Readonly<Record<string, Kind>>

export type Representation = keyof typeof representations

/** The conversions of one representation. */
export const kindOf = (as: Representation): Kind => representations[as]

function anyText(value: unknown, { name, facts }: Room): string {
  if (typeof value !== 'string') throw 'is no text'
  if (!facts.nullBytes && value.includes('\0')) throw `has a null byte, which ${name} does not keep`
  return value
}

function anyNumber(value: unknown): number {
  if (typeof value !== 'number') throw 'is no number'
  return value
}

function wholeNumber(value: unknown, { name, facts }: Room): number {
  const number = anyNumber(value)
  if (!Number.isSafeInteger(number)) throw 'is no whole number'
  // Stored by hand, there may be one more below zero.
  const { integer } = facts.limits
  if (number > integer || number < -integer - 1) throw `is too large for an integer of ${name}`
  return number
}

function matching(form: RegExp, complaint: string): Kind['archived'] {
  return value => {
    if (typeof value !== 'string' || !form.test(value)) throw complaint
    return value
  }
}

function instant(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw 'is no date'
  return time
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
