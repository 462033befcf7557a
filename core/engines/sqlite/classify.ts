import { driverMessage } from '../driver-errors.js'
import type { Failure } from '../engine.js'
import { inTime } from './connection.js'

/** The kind of failure of an error of SQLite. */
export function classify(error: unknown): Failure | undefined {
  const message = driverMessage(error)
  if (message === undefined) return undefined
  const unique = /UNIQUE constraint failed: (?:index '([^']+)'|\S+?\.(\w+))/.exec(message)
  if (unique) return { kind: 'unique', ...(unique[2] !== undefined && { column: unique[2] }) }
  if (message.includes(inTime)) return { kind: 'timeout' }
  if (/database is locked|database table is locked|SQLITE_BUSY/i.test(message)) return { kind: 'retry' }
  if (/disk (is )?full|disk I\/O error|disk image is malformed|readonly database|unable to open/i.test(message))
    return { kind: 'unavailable' }
  return undefined
}
