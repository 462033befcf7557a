import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Clock, realClock } from './clock.js'
import type { RequestLoad } from './commit-spacing.js'
import { admission } from './constants.js'
import { QueueLimit } from './queue-limit.js'

export interface AdmissionParts {
  /** Milliseconds that a request may expect to wait until it is served; 0 rejects no request. */
  readonly maxDelay: number
  /** Milliseconds that a request may wait if many arrived at once; 0 treats a burst as overload. */
  readonly maxBurstDelay: number
  readonly serve: RequestListener
  readonly refuse: RequestListener
  /** The database has as much to do as it can: an admitted request would only wait there, with each of its statements. */
  readonly isCrowded: () => boolean
  readonly clock?: Clock
}

/** The methods of requests that only read. */
const reading: readonly string[] = ['GET', 'HEAD', 'QUERY']
const probe = /^\/_health(\/ready)?\/?(\?|$)/i

interface WaitingRequest {
  readonly since: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Admits requests. Those that arrive faster than they are served would wait unseen in their sockets, while each event-loop turn
 * takes on all of them at once. So they are queued here, and while the queue is too long, new requests are rejected for a
 * fraction of the cost of serving them. As it is never empty meanwhile, the server works at its capacity. It moves as fast as the
 * database does: admitted requests would wait for the database again and again, all of them a little longer with each one more.
 */
export class AdmissionQueue implements RequestLoad {
  readonly #parts: AdmissionParts
  readonly #clock: Clock
  readonly #queue: WaitingRequest[] = []
  /** The beginning of the work of this turn. */
  #begun: number | undefined
  #isTurning = false
  #hasNewConnection = false
  #isPaused = false
  /** The time since which turns have only accepted connections, or at which they last began to. */
  #accepting = Number.NEGATIVE_INFINITY
  /** Recent milliseconds and served requests, the older ones counting less: how fast the queue moves. */
  #pace = { time: 0, served: 0 }
  /** Requests served from the queue, and since when they are counted. */
  #count = { since: 0, served: 0 }
  readonly #limit: QueueLimit
  #reads = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? realClock
    this.#limit = new QueueLimit(parts.maxDelay, parts.maxBurstDelay)
  }

  /** Serves nothing from the queue until it is resumed: event-loop turns are short meanwhile. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
  }

  /** A connection was accepted; others may be waiting for that. */
  connected(): void {
    this.#hasNewConnection = true
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    const { refuse } = this.#parts
    const now = this.#clock.now()
    this.#begun ??= now
    if (!this.#isTurning) {
      this.#isTurning = true
      this.#count = { since: now, served: 0 }
      this.#clock.soon(this.#turn)
    }
    if (probe.test(request.url ?? '')) this.#parts.serve(request, response)
    else if (this.#isOverloaded(now)) refuse(request, response)
    else if (this.#queue.length > 0 || this.#hasNewConnection || this.#isPaused || this.#isFull(now, this.#begun))
      this.#queue.push({ since: now, request, response })
    else this.#serve(request, response)
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (reading.includes(request.method as string)) this.#reads += 1
    this.#parts.serve(request, response)
  }

  /** The number of queued requests. */
  get length(): number {
    return this.#queue.length
  }

  get reads(): number {
    return this.#reads
  }

  /** No other request is admitted at the moment. */
  #isFull(now: number, begun: number): boolean {
    return now - begun >= admission.slice || this.#isCrowded()
  }

  #isCrowded(): boolean {
    return this.#parts.maxDelay > 0 && this.#parts.isCrowded()
  }

  #isOverloaded(now: number): boolean {
    if (this.#parts.maxDelay <= 0) return false
    return this.#limit.isTooLong(this.#queue.length, this.delay, now) || this.#isStuck(now)
  }

  /** True if nothing has been served from the queue for so long that its requests are rejected. */
  #isStuck(now: number): boolean {
    if (!this.#isTurning || !this.#isCrowded()) return false
    return now - this.#count.since > this.#longestWait(now, admission.standstill)
  }

  /** Milliseconds after which a request that still waits is rejected, or that share of them for a burst. */
  #longestWait(now: number, share = 1): number {
    const { maxDelay, maxBurstDelay } = this.#parts
    return Math.max(admission.longestWait * maxDelay, this.#limit.isBurst(now) ? share * maxBurstDelay : 0)
  }

  /** Milliseconds that the next request would have to wait. */
  get delay(): number {
    const { time, served } = this.#pace
    return served > 0 ? (this.#queue.length * time) / served : 0
  }

  /**
   * Milliseconds by which a commit may be delayed without making any client wait longer: other requests queue for as long,
   * or many are rejected.
   */
  get flushSlack(): number {
    return this.#limit.isTightened(this.#clock.now()) ? this.#parts.maxDelay : this.delay
  }

  /** Ends a turn: calls queued requests for the next one, after requests that arrive meanwhile have been looked at. */
  readonly #turn = (): void => {
    this.#begun = undefined
    const isAccepting = this.#isAccepting()
    if (this.#count.served > 0) this.#measure()
    this.#isTurning = this.#queue.length > 0
    if (!this.#isTurning) {
      this.#limit.emptied()
      return
    }
    this.#rejectOverdue()
    if (isAccepting || this.#isPaused) this.#clock.soon(this.#turn)
    else if (this.#isCrowded()) this.#clock.after(admission.retry, this.#turn)
    else {
      // New requests are looked at first, and their time is not taken from those that have waited.
      this.#clock.soon(this.#open)
      // Each in a callback of its own, so that it comes as far as it can before the next one begins.
      for (let k = Math.min(this.#queue.length, this.#batchSize()); k > 0; k -= 1) this.#clock.soon(this.#next)
      this.#clock.soon(this.#turn)
    }
  }

  /** The number of requests admitted in one turn: admitting more than it has time for is useless. */
  #batchSize(): number {
    const { time, served } = this.#pace
    const { least, most, factor } = admission.batch
    return time > 0 ? Math.min(most, Math.ceil((factor * admission.slice * served) / time) + least) : least
  }

  /**
   * Node accepts one connection a turn: while there are more, they are accepted before the queue moves on, and then it
   * moves on for as long.
   */
  #isAccepting(): boolean {
    const hasMore = this.#hasNewConnection
    this.#hasNewConnection = false
    const now = this.#clock.now()
    if (hasMore && now - this.#accepting >= 2 * admission.accepting) this.#accepting = now
    return hasMore && now - this.#accepting < admission.accepting
  }

  /** Rejects requests that have waited for too long, while their clients are still there. */
  #rejectOverdue(): void {
    const { maxDelay, refuse } = this.#parts
    if (maxDelay <= 0 || this.#isPaused) return
    const now = this.#clock.now()
    const oldest = now - this.#longestWait(now)
    for (let [first] = this.#queue; first && first.since < oldest; [first] = this.#queue) {
      this.#queue.shift()
      if (!first.request.socket.destroyed) refuse(first.request, first.response)
    }
  }

  #measure(): void {
    const now = this.#clock.now()
    const took = now - this.#count.since
    const { served } = this.#count
    const rest = admission.memory ** Math.min(1, took / admission.slice)
    this.#pace = { time: this.#pace.time * rest + took, served: this.#pace.served * rest + served }
    this.#count = { since: now, served: 0 }
    this.#limit.turned(served, this.delay, now)
  }

  readonly #open = (): void => {
    this.#begun = undefined
  }

  readonly #next = (): void => {
    const now = this.#clock.now()
    this.#begun ??= now
    if (this.#isFull(now, this.#begun)) return
    const first = this.#queue.shift()
    // No client waits any more for a request whose connection is gone.
    if (!first || first.request.socket.destroyed) return
    this.#count.served += 1
    this.#serve(first.request, first.response)
  }
}
