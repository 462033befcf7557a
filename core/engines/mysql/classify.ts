import { driverMessage } from '../driver-errors.js'
import type { Failure } from '../engine.js'
import { Overdue, Unresponsive } from '../server/watchdog.js'
import { UnfitNode } from './galera.js'

const lost = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
]

/**
 * The server cannot serve now: its disk is full, or its memory, too many connections, it is being stopped, a connection was
 * killed, a node of a cluster has lost the others or cannot reach them at a commit.
 */
const gone = [1021, 1037, 1040, 1041, 1047, 1053, 1114, 1180, 1927]

/** The kind of failure of an error of a MySQL server or its driver. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof Overdue) return { kind: 'timeout' }
  if (error instanceof Unresponsive || error instanceof UnfitNode) return { kind: 'unavailable' }
  const message = driverMessage(error)
  if (message === undefined) return undefined
  const { errno, code } = error as { errno?: number; code?: string }
  if (errno === 1062) {
    const column = /for key '(?:[^'.]*\.)?([^']+)'/.exec(message)?.[1]
    return { kind: 'unique', ...(column !== undefined && { column }) }
  }
  // Deadlock, lock wait, a changed row under snapshot isolation.
  if (errno === 1213 || errno === 1205 || errno === 1020) return { kind: 'retry' }
  if (errno === 1452) return { kind: 'missing' }
  // A packet, or the changes that a transaction sends to the other nodes of a cluster.
  if (errno === 1153 || (errno === 1105 && /writeset|ws_size/i.test(message))) return { kind: 'large' }
  if (errno === 1969 || errno === 3024) return { kind: 'timeout' }
  if (
    (errno !== undefined && gone.includes(errno)) ||
    (code !== undefined && lost.includes(code)) ||
    /closed state/.test(message)
  )
    return { kind: 'unavailable' }
  // Out of range, too long, no such character, no date; and no JSON, which MariaDB checks with a constraint.
  if (errno !== undefined && [1264, 1406, 1366, 1292, 3140, 4025].includes(errno)) return { kind: 'value' }
  return undefined
}
