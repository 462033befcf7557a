import { FormatError, InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique, WrongValue } from '../schema/values.js'
import type { Condition } from './tree.js'
import { type QueryPlace, readableFields } from './visitor.js'

/** A unique attribute and its value, as they stand in an address. */
export interface ByValue {
  readonly field: string
  readonly value: string
}

/** The attributes that an entry can be named by in an address. */
export const namingFields = (type: ContentType): Field[] => readableFields(type).filter(isUnique)

/** The entries with a value of a unique attribute. */
export function readByValue({ field: name, value }: ByValue, { type, visitor }: QueryPlace): Condition {
  const path = ['by', name.slice(0, 100)]
  const field = visitor.field(type, name, path)
  if (!isUnique(field)) {
    const names = namingFields(type).map(one => one.name)
    throw new InvalidParameter(path, `is not unique; entries can be named by ${names.join(', ')}`, name)
  }
  visitor.budget.spend('conditions', path)
  return { kind: 'compare', field, operator: 'eq', values: [operandOf(field, value, path)] }
}

function operandOf(field: Field, value: string, path: readonly string[]): unknown {
  if (value.includes('\0')) throw new InvalidParameter(path, 'must not contain a null byte')
  try {
    return field.type.operand(value, false)
  } catch (reason) {
    if (reason instanceof WrongValue) throw new InvalidParameter(path, reason.reason)
    throw reason instanceof FormatError ? reason.inQuery(path, print(value).slice(0, 100)) : reason
  }
}
