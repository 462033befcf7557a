import { driverMessage } from '../driver-errors.js'
import type { Failure } from '../engine.js'
import { Overdue, Unresponsive } from '../server/watchdog.js'

const retried = ['40001', '40P01', '55P03']
const lost = ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']

/** The kind of failure of an error of a PostgreSQL server or its driver. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof Overdue) return { kind: 'timeout' }
  if (error instanceof Unresponsive) return { kind: 'unavailable' }
  const message = driverMessage(error)
  if (message === undefined) return undefined
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  if (code === '23505') return { kind: 'unique', ...(constraint !== undefined && { column: constraint }) }
  if (code === '23503') return { kind: 'missing' }
  if (retried.includes(code)) return { kind: 'retry' }
  if (code === '57014') return { kind: 'timeout' }
  if (
    lost.includes(code) ||
    code.startsWith('08') ||
    // Connections, memory or the disk are used up, or the disk fails.
    code.startsWith('53') ||
    code.startsWith('58') ||
    /Connection terminated|not queryable/.test(message)
  )
    return { kind: 'unavailable' }
  if (code.startsWith('22')) return { kind: 'value' }
  return undefined
}
