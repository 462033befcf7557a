import type { Failure } from '../engines/engine.js'
import { type Issue, PayloadTooLargeError, ValidationError } from '../errors.js'
import { snakeCase } from '../schema/names.js'
import type { ContentType, Field } from '../schema/types.js'
import type { WrongValue } from '../schema/values.js'

/** One complaint about one place of a body. */
export const issue = (path: readonly string[], message: string): Issue => ({
  path: [...path],
  message,
  name: 'ValidationError',
})

/** What a value at a place is refused for. */
export const wrongAt = (path: readonly string[], { reason, older }: WrongValue): Issue => ({
  ...issue(path, `${dotted(path)} ${reason}`),
  ...(older !== undefined && { older: `${dotted(path)} ${older}` }),
})

/** `slides[0].caption` */
export function dotted(path: readonly string[]): string {
  return path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** What is said of a value that another entry has. */
export const notUniqueMessage = 'This attribute must be unique'
export const notUnique = (path: readonly string[]): Issue => issue(path, notUniqueMessage)

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
