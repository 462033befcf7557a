import { print } from '../kit/print.js'
import { largest, numeric, WrongValue } from './values.js'

// Operands of filters, as each kind of attribute compares them; undefined equals no value.

export const operandText = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

export function operandNumber(value: unknown, loose: boolean): unknown {
  if (value === '' && loose) return 0
  const number = numeric(value)
  if (!Number.isFinite(number)) throw new WrongValue(`${print(value)} is not a number`)
  return number
}

export function operandBig(value: unknown, loose: boolean): unknown {
  if (value === '' && loose) return '0'
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new WrongValue(`${print(value)} has more digits than a number in JSON can hold; write it as text`)
  const big = /^[+-]?\d{1,19}$/.test(String(value)) ? BigInt(String(value)) : undefined
  if (big === undefined && loose) return undefined
  if (big === undefined) throw new WrongValue(`${print(value)} is not an integer`)
  if (big > largest || big < -largest - 1n) throw new WrongValue(`${print(value)} has more than 64 bits`)
  return String(big)
}

export function operandBoolean(value: unknown, loose: boolean): boolean {
  const said = String(value).toLowerCase()
  if (['false', 'f', '0'].includes(said) || (loose && said === '')) return false
  if (loose || ['true', 't', '1'].includes(said)) return true
  throw new WrongValue(`${print(value)} is not a boolean; true, t, 1, false, f and 0 are`)
}

/** Documents are compared as their text: a word that is no JSON is meant as the string that it is. */
export function operandJson(value: unknown): unknown {
  const text = operandText(value)
  if (typeof text !== 'string') return text
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

/**
 * A number that ids are compared with, whether or not an entry can have it; undefined equals none. Code may compare with a
 * value that it does not have.
 */
export function operandId(value: unknown, loose: boolean): number | undefined {
  const isNumber = typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/.test(String(value))
  if (!isNumber && !loose && value !== undefined) {
    const hint = value === 'null' ? '; [$null]=true finds what has none' : ''
    throw new WrongValue(`${print(value)} is not an id, which is an integer${hint}`)
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
}
