import qs from 'qs'
import { InvalidParameter, ValidationError } from '../errors.js'

/** A parsed query string: nested plain objects, lists and texts, nothing else. */
export type Raw = Readonly<Record<string, unknown>>

export interface RawOptions {
  readonly maxParameters: number
  /** Refuse what cannot be decoded; otherwise it stays as it was written. */
  readonly strict: boolean
}

const deepest = 500

/** Turns the text behind the question mark into nested objects, or says which part of it cannot be read. */
export function parseRaw(text: string, { maxParameters, strict }: RawOptions): Raw {
  if (text === '') return {}
  if (strict) checkText(text)
  try {
    return qs.parse(text, {
      strictNullHandling: true,
      plainObjects: true,
      depth: deepest,
      strictDepth: true,
      parameterLimit: maxParameters,
      arrayLimit: maxParameters,
      throwOnLimitExceeded: true,
    }) as Raw
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const reason = /depth/i.test(cause.message)
      ? `the query is nested more than ${deepest} levels deep`
      : `the query has more than ${maxParameters} parameters; ask for less, or raise rest.maxParameters`
    throw new ValidationError(reason, { errors: [{ path: [], message: reason, name: 'ValidationError' }] })
  }
}

function checkText(text: string): void {
  if (!text.includes('%') && !text.includes('__proto__')) return
  for (const pair of text.split('&')) {
    const [key = ''] = pair.split('=', 1)
    let decoded: string
    try {
      decoded = decodeURIComponent(key)
      decodeURIComponent(pair.slice(key.length))
    } catch {
      throw new InvalidParameter(names(key), 'is not valid percent-encoded UTF-8')
    }
    if (decoded.includes('__proto__')) throw new InvalidParameter(names(decoded), '"__proto__" is not a parameter')
  }
}

const names = (key: string): string[] =>
  key
    .replace(/%5B/gi, '[')
    .replace(/%5D/gi, ']')
    .split(/[[\]]+/)
    .filter(part => part !== '')
    .slice(0, 20)
    .map(part => part.slice(0, 100))

/** Plain objects only: a date, or a value that is filled in later, is one value. */
export function isObject(raw: unknown): raw is Raw {
  if (typeof raw !== 'object' || raw === null) return false
  const prototype = Object.getPrototypeOf(raw)
  return prototype === null || prototype === Object.prototype
}

/** A list however it was written: `a[0]=x`, `a[]=x`, repeated keys, or an object whose keys are indexes. */
export function asList(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw
  if (!isObject(raw)) return undefined
  const keys = Object.keys(raw)
  if (keys.length === 0 || !keys.every(key => /^\d+$/.test(key))) return undefined
  return keys.sort((a, b) => Number(a) - Number(b)).map(key => raw[key])
}
