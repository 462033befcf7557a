import { RequestError, UnavailableError } from '../errors.js'
import type { Engine } from './engine.js'

/** What the database could not do right now, wherever it was asked, is a moment in which the server is not available. */
export function explained(engine: Pick<Engine, 'classify'>, error: unknown): unknown {
  if (error instanceof RequestError) return error
  const kind = engine.classify(error)?.kind
  if (kind !== 'retry' && kind !== 'timeout' && kind !== 'unavailable') return error
  return Object.assign(new UnavailableError(), { cause: error })
}
