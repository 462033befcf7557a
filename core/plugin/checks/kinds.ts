import { BootError } from '../../errors.js'
import { isPromise } from '../../query/ask.js'

/** The kind of value of a part. */
export type PartKind = 'text' | 'list' | 'object' | 'function'

const tests: Readonly<Record<PartKind, (given: unknown) => boolean>> = {
  text: given => typeof given === 'string',
  list: Array.isArray,
  object: given => typeof given === 'object' && given !== null && !Array.isArray(given),
  function: given => typeof given === 'function',
}
const articles: Readonly<Record<PartKind, string>> = {
  text: 'text',
  list: 'a list',
  object: 'an object',
  function: 'a function',
}

/** Refuses a part of another kind, which only a request would find out. Undefined parts are left out. */
export function checkKind(plugin: string, part: string, given: unknown, kinds: readonly PartKind[]): void {
  if (given === undefined || kinds.some(kind => tests[kind](given))) return
  const expected = kinds.map(kind => articles[kind]).join(' or ')
  throw new BootError(`plugin ${plugin}: ${part} is ${nameOf(given)}; expected ${expected}`)
}

/** The list that a function of the settings, or of a type, gives. */
export function mustBeList<Item>(plugin: string, part: string, given: readonly Item[]): readonly Item[] {
  if (Array.isArray(given)) return given
  throw new BootError(`plugin ${plugin}: ${part} gives ${nameOf(given)}; expected a list`)
}

/** Refuses a value that is no function; undefined stands for a part that is left out. */
export function mustBeFunction(plugin: string, what: string, given: unknown): void {
  if (given === undefined || typeof given === 'function') return
  throw new BootError(`plugin ${plugin}: ${what} is ${nameOf(given)}; expected a function`)
}

/** An async function where the result is needed at once would fail with every request. */
export function mustNotWait(plugin: string, what: string, given: unknown): void {
  if (isAsync(given))
    throw new BootError(`plugin ${plugin}: ${what} is async; expected a function that returns its result at once`)
}
export const isAsync = (given: unknown): boolean => Object.prototype.toString.call(given) === '[object AsyncFunction]'

/** A value in a message. */
export function nameOf(given: unknown): string {
  if (isPromise(given)) return 'a promise'
  if (given === undefined) return 'missing'
  return typeof given === 'string' || given === null ? JSON.stringify(given) : `of type ${typeof given}`
}
