import { createHash } from 'node:crypto'
import { ConflictError, NotFoundError, UnprocessableError } from '../errors.js'
import { backOff, type Engine, type Session } from '../store/engine.js'
import type { Receipt, Receipts } from '../store/receipts.js'
import type { Body } from './runs.js'

/** A request that its client may send again without having it done twice. */
export interface Retry {
  /** Tells its key from that of any other caller and path. */
  readonly name: string
  /** A hash of what was sent under the key. */
  readonly print: string
  /** How many writes it has come to, each with a receipt of its own. */
  writes: number
  /** What it asked for had been done before. */
  isReplayed: boolean
}

/** What makes a write one that is done once: both run inside its transaction, one first and one last. */
export interface Claim {
  readonly take: (session: Session) => Promise<void>
  readonly keep: (session: Session, entry: number, answer: Body | undefined) => Promise<void>
}

/** The same for work that tells by a note of its own what it has made. */
export interface NotedClaim {
  readonly take: (session: Session) => Promise<void>
  readonly keep: (session: Session, note: string) => Promise<void>
}

/** A write and its answer. */
export interface Repeatable {
  readonly scope: string
  /** Does it under a claim. */
  readonly write: (claim: Claim) => Promise<Body | undefined>
  /** The answer for an entry that it made before, as this caller may see it now. */
  readonly read: (entry: number) => Promise<Body | undefined>
}

/** Work of any kind, and its answer: made anew from the note each time. */
export interface Notable<Answer> {
  readonly write: (claim: NotedClaim) => Promise<Answer>
  readonly read: (note: string) => Promise<Answer>
}

interface Doing<Answer> {
  /** Does it under this name. */
  readonly write: (name: string) => Promise<Answer>
  readonly again: (receipt: Receipt) => Promise<Answer>
}

/** Milliseconds for which a request waits for an earlier one with its key. */
const patience = 10_000
const attempts = 8

/** Does writes once for each key, in whichever process of the app their requests arrive. */
export class Retries {
  readonly #engine: Pick<Engine, 'classify'>
  readonly #receipts: Receipts
  readonly #running = new Map<string, Promise<void>>()

  constructor(engine: Pick<Engine, 'classify'>, receipts: Receipts) {
    this.#engine = engine
    this.#receipts = receipts
  }

  /** The answer of a write, and of the first one where it was done already. */
  once(retry: Retry, { scope, write, read }: Repeatable): Promise<Body | undefined> {
    const owner = createHash('sha256').update(scope).digest('hex')
    const keep =
      (name: string): Claim['keep'] =>
      (session, entry, answer) =>
        this.#receipts.keep(session, name, { scope: owner, entry, answer: answer && String(answer) })
    return this.#once(retry, {
      write: name => write({ take: this.#take(name, retry), keep: keep(name) }),
      // Whose rights have changed is told what they may see now.
      again: ({ answer, scope, entry }) =>
        answer !== undefined && scope === owner ? Promise.resolve(answer) : read(entry),
    })
  }

  /** The answer of work that was noted, and that of its note where it was done already. */
  noted<Answer>(retry: Retry, { write, read }: Notable<Answer>): Promise<Answer> {
    const keep =
      (name: string): NotedClaim['keep'] =>
      (session, note) =>
        this.#receipts.note(session, name, note)
    return this.#once(retry, {
      write: name => write({ take: this.#take(name, retry), keep: keep(name) }),
      again: ({ answer = '' }) => read(answer),
    })
  }

  async #once<Answer>(retry: Retry, doing: Doing<Answer>): Promise<Answer> {
    retry.writes += 1
    const name = `${retry.name}.${retry.writes}`
    const leave = await this.#enter(name)
    try {
      return await this.#firstOrAgain(name, retry, doing)
    } finally {
      leave()
    }
  }

  async #firstOrAgain<Answer>(name: string, retry: Retry, { write, again }: Doing<Answer>): Promise<Answer> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await this.#receipts.find(name)
      if (found) {
        if (found.print !== retry.print) throw reused()
        retry.isReplayed = true
        return await again(found)
      }
      try {
        const answer = await write(name)
        void this.#receipts.sweep()
        return answer
      } catch (error) {
        if (!(error instanceof Taken)) throw error
      }
      // The other one has ended: its receipt is there now, or on its way to this node of a cluster.
      await backOff(attempt)
    }
    throw stillRunning()
  }

  #take(name: string, { print }: Retry): Claim['take'] {
    return async session => {
      let isMine: boolean
      try {
        isMine = await this.#receipts.claim(session, name, print)
      } catch (error) {
        throw this.#engine.classify(error)?.kind === 'timeout' ? stillRunning() : error
      }
      if (!isMine) throw new Taken()
    }
  }

  /** One after the other in this process: whoever waits in the database keeps a connection meanwhile. */
  async #enter(name: string): Promise<() => void> {
    if (this.#running.has(name)) await this.#wait(name)
    let leave: () => void = () => undefined
    const done = new Promise<void>(resolve => {
      leave = resolve
    })
    this.#running.set(name, done)
    return () => {
      this.#running.delete(name)
      leave()
    }
  }

  async #wait(name: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(stillRunning()), patience)
    })
    try {
      for (let earlier = this.#running.get(name); earlier; earlier = this.#running.get(name))
        await Promise.race([earlier, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The entry that a request made before is not there any more, or not for this caller. */
export const goneSince = (): NotFoundError =>
  new NotFoundError('what was made with this Idempotency-Key is not to be found any more')

const reused = () =>
  new UnprocessableError(
    'Idempotency-Key: this key came with another query or body before; a request that differs needs a key of its own',
  )

const stillRunning = () =>
  new ConflictError('Idempotency-Key: an earlier request with this key is still running, try again', 1)

/** Another transaction has done what this one was to do. */
class Taken extends Error {}
