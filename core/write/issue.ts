import type { Failure } from '../engines/engine.js'
import { type Issue, PayloadTooLargeError, ValidationError } from '../errors.js'
import { indexedColumns, wantedIndexName } from '../layout/layout.js'
import { snakeCase } from '../schema/names.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique, type WrongValue } from '../schema/values.js'

/** One complaint about one place of a body. */
export const issue = (path: readonly string[], message: string): Issue => ({
  path: [...path],
  message,
  name: 'ValidationError',
})

/** The complaint about a value that is wrong. */
export const wrongAt = (path: readonly string[], { reason, older }: WrongValue): Issue => ({
  ...issue(path, `${dotted(path)} ${reason}`),
  ...(older !== undefined && { older: `${dotted(path)} ${older}` }),
})

/** `slides[0].caption` */
export function dotted(path: readonly string[]): string {
  return path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** The complaint about a value that another entry has. */
export const notUnique = (path: readonly string[]): Issue => ({
  ...issue(
    path,
    path.length === 0
      ? 'The values of attributes must be unique together; another entry has these'
      : `${dotted(path)} must be unique; another entry has this value`,
  ),
  older: 'This attribute must be unique',
})

/** True if the only fault is that other entries have the values of these attributes. */
export function areTaken({ details }: ValidationError, names: readonly string[]): boolean {
  const errors = (details?.errors ?? []) as readonly Issue[]
  const isTaken = ({ path, message }: Issue) => names.includes(path.join('.')) && message === notUnique(path).message
  return errors.length > 0 && errors.every(isTaken)
}

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
  const together = uniqueTogether(type, failure.column)
  if (together) return ValidationError.of([together])
  const inPart = pathInParts(type, failure.column)
  if (inPart) return ValidationError.of([notUnique(inPart)])
  const field = uniqueField(type, failure.column)
  const place = notUnique(field ? [field.name] : [])
  // The first column of an index over several is named like one that is unique by itself.
  return ValidationError.of([field && !isUnique(field) ? { ...place, message: notUnique([]).message } : place])
}

/** The complaint when the index of a relation refuses an entry: engines name the index, or the first of its columns. */
function uniqueTogether(type: ContentType, column = ''): Issue | undefined {
  const index = type.indexes.find(one => {
    const [first] = indexedColumns(type, one)
    const isOfLink = one.unique === true && one.attributes.some(name => type.links.has(name))
    return isOfLink && (first === column || wantedIndexName(type, one) === column)
  })
  if (!index) return undefined
  const { attributes } = index
  if (attributes.length === 1) return notUnique(attributes)
  return issue([attributes[0] as string], `${attributes.join(' and ')} must be unique together: another entry has them`)
}

/** The attribute of a component that an index is about, which is named after its table; a place in a list is not known. */
function pathInParts(type: ContentType, index = '', above: readonly ContentType[] = []): string[] | undefined {
  if (above.includes(type)) return undefined
  const parts = [...type.links.values()].flatMap(link =>
    link.embedded ? link.types().map(part => ({ name: link.name, part })) : [],
  )
  for (const { name, part } of parts) {
    const field = index.startsWith(`${part.table}_`) ? uniqueField(part, index) : undefined
    const inside = field && isUnique(field) ? [field.name] : pathInParts(part, index, [...above, type])
    if (inside) return [name, ...inside]
  }
  return undefined
}

/** The attribute that an error of the database is about: it names a column, or an index by the name that it was given. */
export const uniqueField = (type: ContentType, column = ''): Field | undefined =>
  [...type.fields.values()].find(
    known =>
      known.column === column ||
      column.endsWith(`_${known.column}_unique`) ||
      column === `${type.table}_${snakeCase(known.name)}_unique`,
  )
