import type { ContentType, Field } from '../schema/types.js'
import type { Json } from './attributes.js'
import type { InputOptions } from './checked-input.js'

/** Attributes whose values are made when the entry is stored, each with the text that they are made from. */
export interface Made {
  made?: Map<Field, string>
}

/** An attribute that an object of a body does not give. */
interface NotGiven {
  readonly type: ContentType
  readonly field: Field
  readonly data: Json
}

/** Takes note of an attribute whose value follows from the text of another one; false where it does not. */
export function noteMade(
  found: Made,
  { type: { kind, fields }, field, data }: NotGiven,
  { makes, set }: Pick<InputOptions, 'makes' | 'set'>,
): boolean {
  const source = makes && kind !== 'component' ? fields.get(field.madeFrom ?? '') : undefined
  if (!source) return false
  const { name, attribute } = source
  const text = Object.hasOwn(set, name) ? set[name] : Object.hasOwn(data, name) ? data[name] : attribute.default
  if (typeof text !== 'string' || text.trim() === '') return false
  found.made ??= new Map()
  found.made.set(field, text)
  return true
}
