import { FormatError, PreconditionFailedError, ValidationError } from '../errors.js'
import type { ContentType } from '../schema/types.js'
import { parseInstant } from '../schema/values.js'

/** Takes the time of the last change of a locked entry; throws if another one was expected. */
export type Expectation = (changed: number | null) => void

/** Reads an `If-Match` header: it expects one of the times at which the entry was changed last, or that it is there. */
export function expectation(sent: string, type: ContentType): Expectation {
  if (sent.trim() === '*') return () => undefined
  const times = sent.split(',').map(timeOf)
  return changed => {
    if (changed === null || !times.includes(changed)) throw notAsExpected(type, changed)
  }
}

function timeOf(sent: string): number {
  const one = sent.trim()
  const shown = one.slice(0, 100) || '""'
  if (one.startsWith('W/')) throw refused(`${shown} is weak, and weak tags match nothing`)
  try {
    return parseInstant(one.replace(/^"(.*)"$/, '$1'))
  } catch (reason) {
    throw reason instanceof FormatError ? refused(`${shown} is no time`) : reason
  }
}

const refused = (why: string): ValidationError =>
  new ValidationError(`If-Match: ${why}; it takes the updatedAt of the entry in quotes, or *`, { header: 'If-Match' })

function notAsExpected({ fields }: ContentType, changed: number | null): PreconditionFailedError {
  if (changed === null || fields.get('updatedAt')?.readable !== true)
    return new PreconditionFailedError('The entry has been changed; read it again')
  const updatedAt = new Date(changed).toISOString()
  return new PreconditionFailedError(`The entry has been changed: its updatedAt is now ${updatedAt}`, { updatedAt })
}
