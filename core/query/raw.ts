import qs from 'qs'
import { InvalidParameter, ValidationError } from '../errors.js'

/** A parsed query string: nested plain objects, lists and texts, nothing else. */
export type Raw = Readonly<Record<string, unknown>>

export interface RawOptions {
  readonly maxParameters: number
  /** Refuses text that cannot be decoded; otherwise it stays as it was written. */
  readonly strict: boolean
}

/** Levels of names in brackets, or of JSON text. */
export const deepest = 500

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
    throw /depth/i.test(cause.message) ? tooDeep() : tooMany(maxParameters)
  }
}

/** The beginning of an object or a list in JSON: no name and no number begins so. */
export const isJson = (raw: unknown): raw is string => typeof raw === 'string' && /^[ \t\n\r]*[[{]/.test(raw)

/** The parameters that take objects or lists and no text that begins like JSON. */
export const foldable = ['fields', 'sort', 'filters', 'populate', 'on', 'pagination']

/** A query, or a part of it that has parameters, with those that are JSON text unfolded. */
export function unfoldIn(raw: Raw, unfold: (text: string, name: string) => unknown): Raw {
  const folded = foldable.flatMap(name => (isJson(raw[name]) ? [[name, unfold(raw[name], name)]] : []))
  return folded.length === 0 ? raw : { ...raw, ...Object.fromEntries(folded) }
}

export const tooDeep = (): ValidationError =>
  refusal(`The query is nested more than ${deepest} levels deep; ask for less`)

export const tooMany = (most: number): ValidationError =>
  refusal(`The query has more than ${most} parameters; ask for less, or raise rest.maxParameters`)

const refusal = (message: string): ValidationError =>
  new ValidationError(message, { errors: [{ path: [], message, name: 'ValidationError' }] })

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

/** The words that mean yes and no in a query: true, t, 1 and false, f, 0. */
export function readTruth(raw: unknown): boolean | undefined {
  if (raw === true || raw === 'true' || raw === 't' || raw === '1' || raw === 1) return true
  if (raw === false || raw === 'false' || raw === 'f' || raw === '0' || raw === 0) return false
  return undefined
}
