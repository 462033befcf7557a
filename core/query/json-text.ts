import { InvalidParameter, ValidationError } from '../errors.js'
import { brokenAt } from '../kit/broken-json.js'
import { print } from '../kit/print.js'
import type { Budget } from './budget.js'
import { deepest, isJson, tooDeep, tooMany } from './raw.js'

/** The limits of reading JSON text in a query. */
export interface JsonLimits {
  readonly budget: Budget
  /** A name that no query may have is rejected; otherwise it is dropped, as from names in brackets. */
  readonly strict: boolean
}

/** The object or the list that a JSON text stands for; its values count like values in brackets. */
export function unfold(text: string, path: readonly string[], { budget: { values }, strict }: JsonLimits): object {
  const value = parse(text, path)
  values.left -= settle(value, path, strict) - 1
  if (values.left < 0) throw tooMany(values.most)
  return value
}

/** A hint for a wrong value that was meant as JSON: values are compared as plain text. */
export const hintAt = (raw: unknown): string =>
  isJson(raw) ? '; a value is not read as JSON, all of filters is: filters={...}' : ''

function parse(text: string, path: readonly string[]): object {
  try {
    return JSON.parse(text)
  } catch {
    // The message is complete in every dialect: no client of another server sends JSON here.
    const { message, details } = new InvalidParameter(path, whyBroken(text))
    throw new ValidationError(message, { ...details })
  }
}

function whyBroken(text: string): string {
  const at = brokenAt(text)
  return at < text.length
    ? `is not valid JSON: character ${at + 1}, at ${print(text.slice(at, at + 20))}, is not expected there`
    : `is not valid JSON: it ends after ${at} characters and is not complete; & and + in it are written %26 and %2B`
}

/** Checks names and depth without recursion, and returns how many values there are. */
function settle(value: object, path: readonly string[], strict: boolean): number {
  let values = 0
  let level: object[] = [value]
  for (let depth = path.length - 1; level.length > 0; depth += 1) {
    if (depth >= deepest) throw tooDeep()
    const below: object[] = []
    for (const one of level) {
      if (Object.hasOwn(one, '__proto__')) dropPrototype(one, path, strict)
      const inner = Object.values(one)
      if (inner.length === 0) values += 1
      for (const part of inner)
        if (typeof part === 'object' && part !== null) below.push(part)
        else values += 1
    }
    level = below
  }
  return values
}

function dropPrototype(object: object, path: readonly string[], strict: boolean): void {
  if (strict) throw new InvalidParameter([...path, '__proto__'], '"__proto__" is not a parameter')
  Reflect.deleteProperty(object, '__proto__')
}
