import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { within } from '../../loop/clock.js'
import type { SideConnection } from './side-connection.js'

/** A server that accepts connections and does not respond: it has been stopped, or the network between is gone. */
export class Unresponsive extends Error {
  override readonly name = 'Unresponsive'
}

/** A statement that the server still runs long after its time limit, as it does where it cannot look at the clock. */
export class Overdue extends Error {
  override readonly name = 'Overdue'
}

/** A connection to a server; a second one can tell whether it still works. */
export interface WatchedConnection {
  /** What arrives on it. */
  readonly stream: Readable & { readonly bytesRead: number }
  /** The second connection, to the same server. */
  sideConnection(): SideConnection
  /** Gives up the connection and those that were opened before it; a server that is well is still used. */
  cut(isServerWell: boolean): void
}

/** What a server does for a connection: it waits for a question, works on a reply, or its state is unknown. */
export type Doing = 'waits' | 'works' | undefined

/** Asks the server, on the second connection, about the first one. */
export interface Probe {
  doing(): Promise<Doing>
  /** Ends its session, and with it what its transaction has locked. */
  end(): Promise<unknown>
}

/** Milliseconds beyond the time limit of a statement, in which a very busy server ends it itself. */
const grace = 4000
/** Milliseconds without a response after which the server is asked on a second connection; doubled each time. */
const doubt = 400
/** Milliseconds that the second connection may take. */
const maxWait = 1000
/** Milliseconds in which a response that was sent arrives. */
const delay = 100

/**
 * The result of a statement, under a watchdog. A connection that lost a statement or its result is cut as soon as the
 * server says that it waits for a statement; a connection to a server that does not respond at all is cut at the time limit.
 * The operating system would wait for hours.
 */
export async function withWatchdog<T>(
  answer: Promise<T>,
  statementTimeout: number,
  watched: WatchedConnection,
): Promise<T> {
  const end = statementTimeout > 0 ? performance.now() + statementTimeout + grace : Number.POSITIVE_INFINITY
  let isOver = false
  let watch: NodeJS.Timeout | undefined
  const unresponsive = new Promise<never>((_, reject) => {
    const giveUp = (reason: Error, isServerWell: boolean) => {
      // The connection reports its end only afterwards.
      reject(reason)
      watched.cut(isServerWell)
    }
    const look = async (pause: number) => {
      const isLate = performance.now() >= end
      await inquire(watched, isLate, reason => giveUp(reason, true))
      if (isOver) return
      if (isLate) giveUp(new Unresponsive('the database server has not answered in time'), false)
      else lookAfter(pause * 2)
    }
    const lookAfter = (pause: number) => {
      watch = setTimeout(look, Math.min(pause, Math.max(0, end - performance.now())), pause)
    }
    lookAfter(doubt)
  })
  try {
    return await Promise.race([answer, unresponsive])
  } finally {
    isOver = true
    clearTimeout(watch)
  }
}

/** Gives up, and ends the session, if a statement or its result was lost or the server works beyond the time limit. */
async function inquire(watched: WatchedConnection, isLate: boolean, giveUp: (reason: Error) => void): Promise<void> {
  const { bytesRead } = watched.stream
  const beside = watched.sideConnection()
  let isWell = false
  try {
    const probe = await inTime(beside.probe)
    const doing = await inTime(probe.doing())
    isWell = true
    if (doing === undefined || (doing === 'works' && !isLate)) return
    await wait(delay)
    // What has arrived since may be the result, and another statement may be running by now.
    if (watched.stream.bytesRead !== bytesRead || watched.stream.isPaused()) return
    giveUp(
      doing === 'works'
        ? new Overdue('the database server has not ended a statement in time')
        : new Unresponsive('a statement, or its reply, was lost on the way'),
    )
    await inTime(probe.end())
  } catch {
    // Without a reply from the probe, nothing counts as lost.
  } finally {
    beside.leave(isWell)
  }
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(maxWait, work, () => new Unresponsive('the database server does not answer'))
