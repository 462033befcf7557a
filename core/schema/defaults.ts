import { FormatError } from '../errors.js'
import { print } from '../kit/print.js'
import type { ColumnLimits } from './representation.js'
import type { Field } from './types.js'
import { WrongValue } from './values.js'

/** Limits of columns depend on the database; a default beyond them fails when it is written. */
const unlimited: ColumnLimits = { shortText: Infinity, integer: Infinity, decimal: Infinity }

/** A message about a default that would make the server refuse every new entry without a value. */
export function wrongDefault(field: Field): string | undefined {
  const { default: value } = field.attribute
  if (value === undefined || value === null) return undefined
  try {
    field.type.write(value, field, unlimited)
    return undefined
  } catch (reason) {
    if (reason instanceof WrongValue) return `default is ${print(value)}; it ${reason.reason}`
    if (reason instanceof FormatError) return `default is ${print(value)}; ${reason.terse}`
    throw reason
  }
}
