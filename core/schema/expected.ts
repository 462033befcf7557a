import type { ErrorObject } from 'ajv'
import type { Words } from '../ajv.js'
import { nearest } from '../kit/nearest.js'
import { print } from '../kit/print.js'

interface Form {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Form
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, object>>
}

/** The words of schema files; never the validator's own. */
export const words: Words = {
  place: placeOf,
  unknown: 'is unknown',
  name: path => `"${path.at(-1)}"`,
  others: known => `accepted are ${known.join(', ')}`,
  wrong: wrongForm,
}

function wrongForm(place: string, error: ErrorObject): string {
  const { keyword, params, data, propertyName } = error
  const form = error.parentSchema as Form
  if (keyword === 'required') return missing(place, params.missingProperty, form)
  if (propertyName !== undefined || keyword === 'propertyNames')
    return `the name "${propertyName ?? params.propertyName}" in ${place} is invalid; expected ${form.description ?? 'another one'}`
  const meant = form.enum && typeof data === 'string' ? nearest(data, form.enum.map(String)) : undefined
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
  return `${place === '' ? 'it' : place} is ${short(data)}; expected ${expected(form)}${hint}`
}

function missing(place: string, key: string, { properties = {} }: Form): string {
  const { description } = (properties[key] ?? {}) as Form
  const within = place === '' ? '' : `${place}.`
  return `${within}${key} is missing${description === undefined ? '' : `; expected ${description}`}`
}

/** `indexes`, `0` and `name` are `indexes[0].name`. */
function placeOf(path: readonly string[]): string {
  return path.reduce(
    (place, key) => (/^\d+$/.test(key) ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`),
    '',
  )
}

const short = (value: unknown): string =>
  Array.isArray(value)
    ? value.length === 0
      ? 'an empty list'
      : 'a list'
    : typeof value === 'object' && value !== null
      ? 'an object'
      : print(value)

function expected({ description, type, items, minItems = 0, ...form }: Form): string {
  if (description !== undefined) return description
  if (form.enum) return `one of ${form.enum.join(', ')}`
  if (type !== 'array') return `${typeWords[String(type)] ?? 'another value'}${bounds(form)}`
  const of = items ? ` of ${items.enum?.join(', ') ?? expected(items)}` : ''
  return `a ${minItems > 0 ? 'non-empty list' : 'list'}${of}`
}

const typeWords: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  'number,string': 'a number',
}

function bounds({ minimum, maximum }: Form): string {
  const least = minimum === undefined ? '' : ` of at least ${minimum}`
  return maximum === undefined ? least : `${least} and at most ${maximum}`
}
