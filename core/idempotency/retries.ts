import { createHash } from 'node:crypto'
import { backOff, type Engine, type Session, type TransactionSession } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { ConflictError, NotFoundError, UnprocessableError } from '../errors.js'
import { DoneMeanwhile } from '../layout/marks.js'
import { within } from '../loop/clock.js'
import type { Body } from '../loop/long-text.js'
import type { Receipt, Receipts } from './receipts.js'

/** A request that its client may send again without having it done twice. */
export interface Retry {
  /** Tells its key from that of any other caller and path. */
  readonly name: string
  /** A hash of the data sent under the key. */
  readonly print: string
  /** The number of writes so far, each with a receipt of its own. */
  writes: number
  /** True if a write of the request had been done before. */
  isReplayed: boolean
}

/** The result of a write. */
export interface WriteResult {
  readonly entry: number
  readonly answer: Body | undefined
}

/** Runs work in one transaction. */
export type Transact<T> = (work: (session: TransactionSession) => Promise<T>) => Promise<T>

/** A write and its response. */
export interface Repeatable {
  readonly scope: string
  /** Prepares it, and runs its statements in this transaction. */
  readonly write: (transaction: Transact<WriteResult>) => Promise<WriteResult>
  /** The response for an entry that it made before, as this caller may see it now. */
  readonly read: (entry: number) => Promise<Body | undefined>
}

/** The steps that make work be done once: both run inside its transaction, one first and one last. */
export interface NotedClaim {
  /** The request has a key: the work has to be stored together with the claim. */
  readonly isNeeded: boolean
  readonly take: (session: Session) => Promise<void>
  readonly keep: (session: Session, note: string) => Promise<void>
}

/** Work of any kind, and its response: made anew from the note each time. */
export interface Notable<Answer> {
  readonly write: (claim: NotedClaim) => Promise<Answer>
  readonly read: (note: string) => Promise<Answer>
}

/** Milliseconds for which a request waits for an earlier one with its key. */
const maxWait = 10_000
const attempts = 8

/** Does writes once for each key, in whichever process of the app their requests arrive. */
export class Retries {
  readonly #engine: Pick<Engine, 'classify' | 'transaction'>
  readonly #receipts: Receipts
  readonly #running = new Map<string, Promise<void>>()

  constructor(engine: Pick<Engine, 'classify' | 'transaction'>, receipts: Receipts) {
    this.#engine = engine
    this.#receipts = receipts
  }

  /** The response of a write, and of the first one where it was done already. */
  once(retry: Retry, { scope, write, read }: Repeatable): Promise<Body | undefined> {
    const owner = createHash('sha256').update(scope).digest('hex')
    return this.#attempt(retry, async name => {
      const receipt = await this.#receiptOf(name, retry)
      // A caller whose permissions have changed gets the entry as it may be seen now.
      if (receipt) return receipt.scope === owner && receipt.answer !== undefined ? receipt.answer : read(receipt.entry)
      const { answer } = await write(work =>
        transact(this.#engine, async session => {
          await this.#claim(session, name, retry)
          const { entry, answer } = await work(session)
          await this.#receipts.keep(session, name, { scope: owner, entry, answer: answer && String(answer) })
          return { entry, answer }
        }),
      )
      void this.#receipts.sweep()
      return answer
    })
  }

  /** The response of work that was noted, and that of its note where it was done already. */
  noted<Answer>(retry: Retry, { write, read }: Notable<Answer>): Promise<Answer> {
    return this.#attempt(retry, async name => {
      const receipt = await this.#receiptOf(name, retry)
      if (receipt) return read(receipt.answer ?? '')
      const answer = await write({
        isNeeded: true,
        take: session => this.#claim(session, name, retry),
        keep: (session, note) => this.#receipts.note(session, name, note),
      })
      void this.#receipts.sweep()
      return answer
    })
  }

  /** Begins again where another request takes the name first; a request may come to several writes, each with a name. */
  async #attempt<Answer>(retry: Retry, work: (name: string) => Promise<Answer>): Promise<Answer> {
    retry.writes += 1
    const name = `${retry.name}.${retry.writes}`
    const leave = await this.#enter(name)
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        try {
          return await work(name)
        } catch (error) {
          if (!(error instanceof DoneMeanwhile)) throw error
        }
        // The other one has ended: its receipt is there now, or on its way to this node of a cluster.
        await backOff(attempt)
      }
      throw stillRunning()
    } finally {
      leave()
    }
  }

  async #receiptOf(name: string, retry: Retry): Promise<Receipt | undefined> {
    const receipt = await this.#receipts.find(name)
    if (receipt && receipt.print !== retry.print) throw reused()
    if (receipt) retry.isReplayed = true
    return receipt
  }

  async #claim(session: Session, name: string, { print }: Retry): Promise<void> {
    let isMine: boolean
    try {
      isMine = await this.#receipts.claim(session, name, print)
    } catch (error) {
      throw this.#engine.classify(error)?.kind === 'timeout' ? stillRunning() : error
    }
    if (!isMine) throw new DoneMeanwhile()
  }

  /** One after the other in this process: a retry that waits in the database would occupy a connection meanwhile. */
  async #enter(name: string): Promise<() => void> {
    if (this.#running.has(name)) await within(maxWait, this.#ended(name), stillRunning)
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

  async #ended(name: string): Promise<void> {
    for (let earlier = this.#running.get(name); earlier; earlier = this.#running.get(name)) await earlier
  }
}

/** The entry that a request made before is not there any more, or not for this caller. */
export const goneSince = (): NotFoundError =>
  new NotFoundError('The entry created with this Idempotency-Key no longer exists')

const reused = () =>
  new UnprocessableError(
    'Idempotency-Key: this key came with another query or body before; a request that differs needs a key of its own',
  )

const stillRunning = () =>
  new ConflictError('Idempotency-Key: an earlier request with this key is still running, try again', 1)
