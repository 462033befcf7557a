import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Aside } from './aside.js'

/** A server that listens and says nothing: it has been stopped, or the network between is gone. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** A statement that the server goes on with when its time has been over for long, as it does where it cannot look at the clock. */
export class Overdue extends Error {
  override readonly name = 'Overdue'
}

/** A connection to a server, of which another one can tell whether it is still heard. */
export interface Line {
  /** What arrives on it. */
  readonly stream: Readable & { readonly bytesRead: number }
  /** Another connection to the same server. */
  beside(): Aside
  /** Gives the connection up, and those that were opened before it; where its server is well, that is used on. */
  cut(isServerWell: boolean): void
}

/** What a server does for a connection: it waits for a question, works on an answer, or nobody can tell. */
export type Doing = 'waits' | 'works' | undefined

/** The other connection, and what the server says there of the first one. */
export interface Witness {
  doing(): Promise<Doing>
  /** Ends its session, and with it what its transaction has locked. */
  end(): Promise<unknown>
}

/** Milliseconds after the time in which the server itself ends a statement; one that is very busy takes its time for that. */
const grace = 4000
/** Milliseconds without an answer after which the server is asked on another connection; each time it takes twice as long. */
const doubt = 400
/** Milliseconds for what the other connection tells. */
const patience = 1000
/** Milliseconds in which an answer that was sent arrives. */
const delay = 100

/**
 * The answer to a statement, which may take as long as statements may. A connection on which the question or the answer was
 * lost is cut as soon as the server says that it waits for a question, and one to a server that says nothing at all when
 * its time is over: the system would wait for hours before it takes the other side for gone.
 */
export async function heard<T>(answer: Promise<T>, statementTimeout: number, line: Line): Promise<T> {
  const end = statementTimeout > 0 ? performance.now() + statementTimeout + grace : Number.POSITIVE_INFINITY
  let isOver = false
  let watch: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    const giveUp = (reason: Error, isServerWell: boolean) => {
      // Before its end is heard on the connection.
      reject(reason)
      line.cut(isServerWell)
    }
    const look = async (pause: number) => {
      const isLate = performance.now() >= end
      await inquire(line, isLate, reason => giveUp(reason, true))
      if (isOver) return
      if (isLate) giveUp(new Silence('the database server has not answered in time'), false)
      else lookAfter(pause * 2)
    }
    const lookAfter = (pause: number) => {
      watch = setTimeout(look, Math.min(pause, Math.max(0, end - performance.now())), pause)
    }
    lookAfter(doubt)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    isOver = true
    clearTimeout(watch)
  }
}

/** Gives up where question or answer were lost on the way, or a server works that should not any more, and ends the session. */
async function inquire(line: Line, isLate: boolean, giveUp: (reason: Error) => void): Promise<void> {
  const { bytesRead } = line.stream
  const beside = line.beside()
  let isWell = false
  try {
    const witness = await inTime(beside.witness, patience)
    const doing = await inTime(witness.doing(), patience)
    isWell = true
    if (doing === undefined || (doing === 'works' && !isLate)) return
    await wait(delay)
    // What has come since may be the answer, and somebody else may be asking by now.
    if (line.stream.bytesRead !== bytesRead || line.stream.isPaused()) return
    giveUp(
      doing === 'works'
        ? new Overdue('the database server has not ended a statement in time')
        : new Silence('a statement, or its answer, was lost on the way'),
    )
    await inTime(witness.end(), patience)
  } catch {
    // Nobody can tell: it was not lost.
  } finally {
    beside.leave(isWell)
  }
}

/** What takes longer than that many milliseconds is a silence. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, who = 'the database server'): Promise<T> {
  let late: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(new Silence(`${who} does not answer`)), milliseconds)
      }),
    ])
  } finally {
    clearTimeout(late)
  }
}
