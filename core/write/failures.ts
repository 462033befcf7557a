import type { Failure } from '../engines/engine.js'
import { PayloadTooLargeError, ValidationError } from '../errors.js'
import { snakeCase } from '../schema/names.js'
import type { ContentType, Field } from '../schema/types.js'
import { notUnique } from './issue.js'

/** The driver's errors that the client can fix, as messages for the client. */
export function explainFailure(
  type: ContentType,
  failure: Failure,
): ValidationError | PayloadTooLargeError | undefined {
  if (failure.kind === 'value')
    return new ValidationError(
      'A value is outside the range of its column; send one that is closer to zero, or shorter',
      { errors: [] },
    )
  if (failure.kind === 'large')
    return new PayloadTooLargeError('The entry is larger than what the database takes at once; send less')
  if (failure.kind !== 'unique') return undefined
  const field = uniqueField(type, failure.column)
  return ValidationError.of([notUnique(field ? [field.name] : [])])
}

/** The attribute that an error of the database is about: it names a column, or an index by the name that it was given. */
export const uniqueField = (type: ContentType, column = ''): Field | undefined =>
  [...type.fields.values()].find(
    known =>
      known.column === column ||
      column.endsWith(`_${known.column}_unique`) ||
      column === `${type.table}_${snakeCase(known.name)}_unique`,
  )
