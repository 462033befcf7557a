import type { ErrorObject } from 'ajv'
import { foremost, type Numbers, validatorOf } from '../ajv.js'
import { isSection, merge } from './merge.js'

/** A value as a schema accepts it, and the parts that had to be left out or read otherwise for that. */
export interface FittedSettings {
  readonly value: unknown
  /** One error for each value that is left out or has become another; null says nothing and is left out unsaid. */
  readonly changed: readonly ChangedValue[]
  /** The keys that cannot be left out, as the whole needs them. */
  readonly missing: readonly ErrorObject[]
}

export interface ChangedValue {
  readonly error: ErrorObject
  /** The value that is used in its place; undefined is none. */
  readonly used: unknown
}

type Holder = Record<string, unknown>

/** A key that another server may know is no reason to leave its value out. */
const harmless = new Set(['additionalProperties', 'propertyNames'])

/**
 * Reads a value that was written for another server, whose code takes what it gets: texts of digits are numbers,
 * numbers are texts, and everything is true or false. A value that cannot be read so is left out.
 */
export function fitTo(given: unknown, schema: object, numbers: Numbers = 'any'): FittedSettings {
  const root: Holder = { value: merge(undefined, given) }
  const validate = validatorOf(schema, numbers)
  const changed: ChangedValue[] = []
  // Each round settles at least one place, and values that are left out are not looked at again.
  for (;;) {
    if (validate(root.value)) return { value: withoutDefaults(root.value, given), changed, missing: [] }
    const errors = foremost(validate.errors).filter(({ keyword }) => !harmless.has(keyword))
    const wrong = errors.filter(({ keyword, instancePath }) => keyword !== 'required' || instancePath !== '')
    if (wrong.length === 0) return { value: withoutDefaults(root.value, given), changed, missing: errors }
    const places = new Map(wrong.map(error => [error.instancePath, error]))
    // A value that holds one that is settled first may be right afterwards.
    const inner = [...places].filter(([path]) => ![...places.keys()].some(other => other.startsWith(`${path}/`)))
    // Items that are left out of a list move the later ones.
    const settled = inner.toReversed().map(([path, error]) => ({ error, used: settle(root, path, error) }))
    // Null says nothing.
    changed.push(...settled.filter(({ error }) => error.data !== null).toReversed())
  }
}

/** Validators put defaults in; values that were not given are for others to choose. */
function withoutDefaults(value: unknown, given: unknown): unknown {
  if (!isSection(value) || !isSection(given)) return value
  const said = Object.entries(value).filter(([key]) => Object.hasOwn(given, key))
  return Object.fromEntries(said.map(([key, inner]) => [key, withoutDefaults(inner, given[key])]))
}

/** Puts the used value at the place of an error, and gives it back; undefined is nothing. */
function settle(root: Holder, path: string, { data, parentSchema = {} }: ErrorObject): unknown {
  const keys = ['value', ...path.split('/').slice(1).map(unescaped)]
  const last = keys.pop() as string
  const holder = keys.reduce((at, key) => at[key] as Holder, root)
  const value = path === '' ? undefined : readAs(parentSchema.type, data)
  if (value !== undefined) holder[last] = value
  else if (path === '') holder[last] = {}
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return value
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The value as JavaScript reads it where it wants one of these types; undefined if it could not be used so. */
function readAs(wanted: unknown, value: unknown): unknown {
  if (wanted === 'boolean') return Boolean(value)
  const types = [wanted].flat()
  if (typeof value === 'number' && Number.isFinite(value) && types.includes('string')) return String(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  const fits =
    (types.includes('integer') && Number.isInteger(number)) || (types.includes('number') && Number.isFinite(number))
  return fits ? number : undefined
}
