import type { Failure } from '../engines/engine.js'
import { ForbiddenError, RequestError, UnavailableError } from '../errors.js'
import type { Ask } from '../query/ask.js'
import { tooSlow } from '../query/budget.js'
import type { ContentType } from '../schema/types.js'
import { mayLink } from '../write/attributes.js'
import { explainFailure } from '../write/issue.js'
import type { ContentParts } from './parts.js'
import type { Query } from './query.js'

/** The work that failed. */
interface FailedWork {
  readonly type: ContentType
  readonly parts: Pick<ContentParts, 'engine' | 'statementTimeout'>
  readonly read?: Query
  /** Other code has opened the transaction. */
  readonly inner?: boolean
}

/** The client can fix it. */
const fixable: readonly Failure['kind'][] = ['unique', 'value', 'large']

/** The refusal of the database, in words that are meant for the client. */
export function explained(error: unknown, { type, parts, read, inner }: FailedWork): unknown {
  if (error instanceof RequestError) return error
  const { engine, statementTimeout } = parts
  const failure = engine.classify(error)
  // A database server may have been busy with others; without one, it was the query that took so long.
  if (failure?.kind === 'timeout' && read && (read.prepared.plan.isHeavy || engine.words.inTime))
    return tooSlow(statementTimeout)
  // The code that opened the transaction must see that it can be retried.
  if (!failure || (inner && !fixable.includes(failure.kind))) return error
  return explainFailure(type, failure) ?? Object.assign(new UnavailableError(), { cause: error })
}

/** The refusal of a write after which the entry would be outside the rules of the caller. */
export function outOfReach(ask: Ask, data: Readonly<Record<string, unknown>>): ForbiddenError {
  const { type, permission = ask.action } = ask
  const outside = `the entry would be outside the row rule of the caller for ${permission} on ${type.uid}`
  // A relation that was left out is often why the entry is not the caller's.
  const leftOut = [...type.links.values()]
    .filter(link => Object.hasOwn(data, link.name) && !link.embedded && !mayLink(link, ask))
    .map(({ name, targets = [] }) => `${name} was not written: the caller needs find on ${targets.join(' or ')}`)
  return new ForbiddenError().because([outside, ...leftOut].join('; '))
}
