import type { IncomingMessage, ServerResponse } from 'node:http'
import { WriteQueue } from '../../core/engines/sqlite/writing.js'
import { AdmissionQueue } from '../../core/loop/admission-queue.js'
import { CommitSpacing } from '../../core/loop/commit-spacing.js'
import { SimulatedClock } from '../support/simulated-clock.js'

/** Milliseconds of work, in the proportions that the soak measures on SQLite. */
const costs = { arrival: 0.03, rejection: 0.02, hit: 0.1, miss: 1.5, write: 0.6, commit: 0.4 }
/** Different reads, of which each is cached until the next commit. */
const reads = 400

export interface Response {
  readonly isServed: boolean
  readonly isWrite: boolean
  readonly arrived: number
  /** Milliseconds in the queue, and until the response. */
  readonly queued: number
  readonly took: number
}

export interface ServerOptions {
  readonly maxDelay?: number
  readonly maxBurstDelay?: number
  /** Milliseconds in which the disk flushes a commit; only writes wait for it. */
  readonly flush?: number
  /** The share of requests that write. */
  readonly writes?: number
}

interface Client {
  readonly isWrite: boolean
  readonly arrived: number
  readonly done: (response: Response) => void
}

/** The same numbers each time, from 0 to 1. */
function numbers(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A server on SQLite without sockets, statements and disk: the policies are its own, and what they manage is counted. */
export class SimulatedServer {
  readonly clock = new SimulatedClock()
  readonly responses: Response[] = []
  commits = 0
  stored = 0
  readonly #random = numbers()
  readonly #admission: AdmissionQueue
  readonly #writes: WriteQueue
  readonly #cached = new Set<number>()
  readonly #waiting = new Map<IncomingMessage, Client>()
  readonly #flush: number
  readonly #share: number
  #worked = 0
  #strain = { at: 0, worked: 0 }

  constructor({ maxDelay = 200, maxBurstDelay = 0, flush = 1, writes = 1 / 6 }: ServerOptions = {}) {
    const { clock } = this
    this.#flush = flush
    this.#share = writes
    this.#admission = new AdmissionQueue({
      maxDelay,
      maxBurstDelay,
      clock,
      serve: request => void this.#serve(request),
      refuse: request => this.#refuse(request),
      isCrowded: () => false,
    })
    const spacing = new CommitSpacing(
      {
        requests: () => this.#admission,
        strain: () => this.#strainSince(),
      },
      clock,
    )
    const nothing = () => undefined
    const isFull = () => false
    const steps = { rollback: nothing, save: nothing, release: nothing, undo: nothing, rest: nothing, isFull }
    this.#writes = new WriteQueue({ ...steps, begin: async () => nothing(), commit: () => this.#commit() }, spacing)
  }

  /** Milliseconds that the next request would queue for. */
  get delay(): number {
    return this.#admission.delay
  }

  /** Requests that arrive at a rate for so many seconds, whatever becomes of those before them. */
  async load(perSecond: number, seconds: number): Promise<readonly Response[]> {
    const [before, begun] = [this.responses.length, this.clock.now()]
    const end = begun + seconds * 1000
    let arrived = 0
    const arrive = () => {
      if (this.clock.now() >= end) return
      arrived += 1
      this.#arrive(() => undefined)
    }
    // Each is due at a time of its own: a server that is late finds all at once that have arrived meanwhile.
    let due = begun
    const plan = () => {
      due -= (1000 / perSecond) * Math.log(1 - this.#random())
      if (due < end) this.clock.after(due - this.clock.now(), both)
    }
    const both = () => {
      plan()
      arrive()
    }
    plan()
    await this.clock.until(() => this.clock.now() >= end)
    const soon = this.clock.now() + 2000
    await this.clock.until(() => this.responses.length - before >= arrived || this.clock.now() > soon)
    return this.responses.slice(before)
  }

  /** Clients that send the next request as soon as they have a response; responses a second. */
  async saturate(clients: number, seconds: number): Promise<number> {
    const [before, begun] = [this.responses.length, this.clock.now()]
    const end = begun + seconds * 1000
    const ask = () => {
      if (this.clock.now() < end) this.#arrive(() => this.clock.soon(ask))
    }
    for (let count = 0; count < clients; count += 1) this.clock.after(0, ask)
    await this.clock.until(() => this.clock.now() >= end)
    const served = this.responses.slice(before).filter(({ isServed }) => isServed).length
    await this.clock.until(() => this.#waiting.size === 0)
    return served / seconds
  }

  #arrive(done: Client['done']): void {
    this.#work(costs.arrival)
    const isWrite = this.#random() < this.#share
    const request = { method: isWrite ? 'PUT' : 'GET', url: '/', socket: {} } as IncomingMessage
    this.#waiting.set(request, { isWrite, arrived: this.clock.now(), done })
    this.#admission.enter(request, {} as ServerResponse)
  }

  async #serve(request: IncomingMessage): Promise<void> {
    const queued = this.clock.now()
    const { isWrite } = this.#waiting.get(request) as Client
    if (isWrite)
      await this.#writes.add(async () => {
        this.#work(costs.write)
        this.stored += 1
      })
    else this.#read(Math.floor(this.#random() * reads))
    this.#end(request, queued, true)
  }

  #read(what: number): void {
    this.#work(this.#cached.has(what) ? costs.hit : costs.miss)
    this.#cached.add(what)
  }

  #refuse(request: IncomingMessage): void {
    this.#work(costs.rejection)
    this.#end(request, this.clock.now(), false)
  }

  #end(request: IncomingMessage, queued: number, isServed: boolean): void {
    const { isWrite, arrived, done } = this.#waiting.get(request) as Client
    this.#waiting.delete(request)
    const took = this.clock.now() - arrived
    const response = { isServed, isWrite, arrived, queued: queued - arrived, took }
    this.responses.push(response)
    done(response)
  }

  async #commit(): Promise<void> {
    this.#work(costs.commit)
    this.#cached.clear()
    this.commits += 1
    await new Promise<void>(resolve => this.clock.after(this.#flush, resolve))
  }

  #work(milliseconds: number): void {
    this.#worked += milliseconds
    this.clock.work(milliseconds)
  }

  #strainSince(): number {
    const { at, worked } = this.#strain
    this.#strain = { at: this.clock.now(), worked: this.#worked }
    return (this.#worked - worked) / Math.max(1, this.clock.now() - at)
  }
}
