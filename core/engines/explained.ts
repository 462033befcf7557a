import { RequestError, UnavailableError } from '../errors.js'
import type { Engine } from './engine.js'

/** The disk of this machine is full, or it can open no more files. */
const exhausted = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']

/**
 * An error that the server is unavailable for a moment, for failures of the database or the machine that any request would meet.
 */
export function explained(engine: Pick<Engine, 'classify'>, error: unknown): unknown {
  if (error instanceof RequestError) return error
  const kind = engine.classify(error)?.kind
  const isExhausted = exhausted.includes(String((error as NodeJS.ErrnoException | undefined)?.code))
  if (!isExhausted && kind !== 'retry' && kind !== 'timeout' && kind !== 'unavailable') return error
  return Object.assign(new UnavailableError(), { cause: error })
}
