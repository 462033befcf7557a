import type { Issue } from '../errors.js'
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
