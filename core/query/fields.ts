import { bracketed, InvalidParameter } from '../errors.js'
import type { Field } from '../schema/types.js'
import type { Place } from './params.js'
import { asList } from './raw.js'
import { readableFields } from './visitor.js'

/** `fields[0]=title`, `fields=title` or `fields=*`: the columns to return, in the order they were asked for. */
export function readFields(raw: unknown, place: Place): readonly Field[] {
  const { type, path, visitor, only } = place
  const list = asList(raw) ?? [raw]
  const asked = new Set<Field>()
  let everything = false
  for (const [index, item] of list.entries()) {
    const at = Array.isArray(raw) ? [...path, String(index)] : path
    if (typeof item !== 'string')
      throw new InvalidParameter(
        at,
        'takes the name of a field: fields[0]=<field>',
        String(Object.keys(Object(item))[0] ?? ''),
      )
    const name = item.trim()
    if (name.includes(','))
      throw new InvalidParameter(at, `takes one field; write several as ${listOf(name, path)}`, name)
    if (name === '*') everything = true
    else if (name !== 'id') asked.add(visitor.field(type, name, at, only))
  }
  return everything ? readableFields(type) : [...asked]
}

/** `fields=a,b` as it has to be written. */
const listOf = (names: string, path: readonly string[]): string =>
  names
    .split(',', mostShown)
    .map((name, index) => `${bracketed([...path, String(index)])}=${name.trim().slice(0, 100)}`)
    .join('&')

const mostShown = 10
