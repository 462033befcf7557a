import type { Engine, EngineName, Representation } from '../store/engine.js'
import type { ColumnKind } from './archive.js'

/** How statements and the driver know a kind of column. */
export const representationOf = (kind: ColumnKind): Representation => (kind === 'order' ? 'float' : kind)

/** A stored value in the form that is the same for every engine. */
export function outward(engine: Engine, kind: ColumnKind, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null
  if (kind === 'json') return compactJson(stored)
  if (kind === 'decimal') return plainDecimal(String(stored))
  return engine.decode(representationOf(kind), stored)
}

/** Documents stay the text that they are, but for spaces that some engines add. */
function compactJson(stored: unknown): string {
  if (typeof stored !== 'string') return JSON.stringify(stored)
  try {
    JSON.parse(stored)
  } catch {
    // Text that is no JSON, from older rows, is answered as the string that it is.
    return JSON.stringify(stored)
  }
  return stored.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1')
}

/** Engines differ in the zeros at the end. */
const plainDecimal = (text: string): string => (/^-?\d+\.\d*0*$/.test(text) ? text.replace(/\.?0+$/, '') : text)

/** A value of an archive as this engine's `encode` takes it; throws a string that completes "<column> ...". */
export function inward(engine: EngineName, kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'text':
    case 'longtext':
      return textOf(engine, kind, value)
    case 'id':
    case 'integer':
    case 'float':
    case 'order':
      return numberOf(engine, kind, value)
    case 'bigint':
      if (
        typeof value !== 'string' ||
        !/^-?\d{1,19}$/.test(value) ||
        BigInt.asIntN(64, BigInt(value)) !== BigInt(value)
      )
        throw 'is no whole number of 64 bits'
      return value
    case 'decimal':
      return decimalOf(engine, value)
    case 'boolean':
      if (typeof value !== 'boolean') throw 'is neither true nor false'
      return value
    case 'date':
    case 'time':
      if (typeof value !== 'string' || !clock[kind].test(value)) throw `is no ${kind}`
      return value
    case 'datetime':
    case 'timestamp': {
      const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
      if (Number.isNaN(time)) throw 'is no date'
      return time
    }
    case 'json':
      if (typeof value !== 'string' || !isJson(value)) throw 'is no JSON'
      return value
  }
}

const clock = { date: /^\d{4,6}-\d\d-\d\d$/, time: /^\d\d:\d\d:\d\d(\.\d{1,6})?$/ }
/** What a varchar of the layout holds where that is enforced. */
const shortText = 255

function textOf(engine: EngineName, kind: 'text' | 'longtext', value: unknown): string {
  if (typeof value !== 'string') throw 'is no text'
  if (engine === 'sqlite') return value
  if (kind === 'text' && value.length > shortText && [...value].length > shortText)
    throw `is longer than the ${shortText} characters that ${engine} keeps`
  if (engine === 'postgres' && value.includes('\0')) throw 'has a null byte, which postgres does not keep'
  return value
}

const largest = 2 ** 31

function numberOf(engine: EngineName, kind: 'id' | 'integer' | 'float' | 'order', value: unknown): number {
  if (typeof value !== 'number') throw 'is no number'
  if (kind !== 'id' && kind !== 'integer') return value
  if (!Number.isSafeInteger(value)) throw 'is no whole number'
  if (engine !== 'sqlite' && (value >= largest || value < -largest)) throw `is too large for an integer of ${engine}`
  return value
}

function decimalOf(engine: EngineName, value: unknown): unknown {
  if (typeof value !== 'string' || value === '' || !Number.isFinite(Number(value))) throw 'is no decimal number'
  if (engine === 'sqlite') return Number(value)
  if (Math.abs(Number(value)) >= 1e8) throw `is too large for a decimal of ${engine}`
  return value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
