import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { within } from '../../loop/clock.js'
import { noted } from '../driver-errors.js'
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
  /** The bytes that arrive on it. */
  readonly stream: Readable & { readonly bytesRead: number }
  /** The second connection, to the same server. */
  sideConnection(): SideConnection
  /** Gives up the connection and those that were opened before it; a server that is well is still used. */
  cut(isServerWell: boolean): void
}

/** Milliseconds beyond the time limit of a statement, in which a very busy server ends it itself. */
const grace = 4000
/** Milliseconds without a response after which the server is asked on a second connection; doubled each time. */
const doubt = 400
/** Milliseconds that the second connection may take. */
const maxWait = 1000
/** Milliseconds in which a response that was sent arrives. */
const delay = 100

/** Ends a statement with an error or its result. */
export type Settle<T> = (error: unknown, result?: T) => void

/**
 * The result of a statement, under a watchdog. A connection that lost a statement or its result is cut as soon as the
 * server says that it waits for a statement; a connection to a server that does not respond at all is cut at the time limit.
 * The operating system would wait for hours. Several statements that were asked in one piece have the time of all.
 */
export function underWatchdog<T>(
  ask: (settle: Settle<T>) => void,
  statementTimeout: number,
  watched: WatchedConnection,
  statements = 1,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = new Watch(watched, reject, statementTimeout, statements)
    ask((error, result) => {
      watch.end()
      if (error) reject(noted(error))
      else resolve(result as T)
    })
  })
}

/** The same for a driver that gives promises. */
export const withWatchdog = <T>(answer: Promise<T>, statementTimeout: number, watched: WatchedConnection): Promise<T> =>
  underWatchdog(
    settle => {
      answer.then(result => settle(undefined, result), settle)
    },
    statementTimeout,
    watched,
  )

/** Looks after one statement until it has ended. */
class Watch {
  readonly #watched: WatchedConnection
  readonly #reject: (reason: Error) => void
  /** The time at which the server should have ended a statement itself, and all that were asked with it in one piece. */
  readonly #limit: number
  readonly #last: number
  #timer: NodeJS.Timeout
  #isOver = false

  constructor(
    watched: WatchedConnection,
    reject: (reason: Error) => void,
    statementTimeout: number,
    statements: number,
  ) {
    this.#watched = watched
    this.#reject = reject
    const limit = (time: number) => (time > 0 ? performance.now() + time + grace : Number.POSITIVE_INFINITY)
    this.#limit = limit(statementTimeout)
    this.#last = statements > 1 ? limit(statementTimeout * statements) : this.#limit
    this.#timer = this.#lookAfter(doubt)
  }

  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #lookAfter(pause: number): NodeJS.Timeout {
    const now = performance.now()
    const limit = now < this.#limit ? this.#limit : this.#last
    return setTimeout(look, Math.min(pause, Math.max(0, limit - now)), this, pause)
  }

  async look(pause: number): Promise<void> {
    const now = performance.now()
    const isLate = now >= this.#last
    const isWell = await inquire(this.#watched, isLate, reason => this.#giveUp(reason, true))
    if (this.#isOver) return
    // A server that responds has the time of all statements, another one that of the first.
    if (isLate || (now >= this.#limit && !isWell))
      this.#giveUp(new Unresponsive('the database server has not answered in time'), false)
    else this.#timer = this.#lookAfter(pause * 2)
  }

  #giveUp(reason: Error, isServerWell: boolean): void {
    // The connection reports its end only afterwards.
    this.#reject(reason)
    this.end()
    this.#watched.cut(isServerWell)
  }
}

const look = (watch: Watch, pause: number): Promise<void> => watch.look(pause)

/**
 * Gives up, and ends the session, if a statement or its result was lost or the server works beyond the time limit. Resolves
 * to whether the server responds.
 */
async function inquire(watched: WatchedConnection, isLate: boolean, giveUp: (reason: Error) => void): Promise<boolean> {
  const { bytesRead } = watched.stream
  const beside = watched.sideConnection()
  let isWell = false
  try {
    const probe = await inTime(beside.probe)
    const doing = await inTime(probe.doing())
    isWell = true
    if (doing === undefined || (doing === 'works' && !isLate)) return isWell
    await wait(delay)
    // Bytes that have arrived since may be the result, and another statement may be running by now.
    if (watched.stream.bytesRead !== bytesRead || watched.stream.isPaused()) return isWell
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
  return isWell
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(maxWait, work, () => new Unresponsive('the database server does not answer'))
