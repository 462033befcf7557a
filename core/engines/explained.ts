import { RequestError, UnavailableError } from '../errors.js'
import type { Engine } from './engine.js'

/** The disk of this machine is full, or it can open no more files. */
const exhausted = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']

/** What the database or the machine could not do right now, for any request, is a moment in which the server is not available. */
export function explained(engine: Pick<Engine, 'classify'>, error: unknown): unknown {
  if (error instanceof RequestError) return error
  const kind = engine.classify(error)?.kind
  const isExhausted = exhausted.includes(String((error as NodeJS.ErrnoException | undefined)?.code))
  if (!isExhausted && kind !== 'retry' && kind !== 'timeout' && kind !== 'unavailable') return error
  return Object.assign(new UnavailableError(), { cause: error })
}
