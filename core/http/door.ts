import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Tolerance } from './tolerance.js'

export interface DoorParts {
  /** Milliseconds that a request may expect to wait until it is served; 0 lets everybody in. */
  readonly maxDelay: number
  readonly serve: RequestListener
  readonly refuse: RequestListener
  /** The database has as much to do as it takes: whoever came in now would only wait there, with each of its statements. */
  readonly isCrowded: () => boolean
}

/** Milliseconds of work, after which the event loop looks for what has arrived. */
const slice = 5
/** Requests that are called up for a turn of the event loop: at least, at most, and for each that it serves by the pace of late. */
const called = { least: 4, most: 256, times: 2 }
/** Milliseconds for which connections are accepted before those who have come are called up. */
const acceptance = 75
/** How many times as long anybody waits in line at most: the line may move on more slowly than it did. */
const patience = 2.25
/** Milliseconds until it is looked at again. */
const pause = 1
/** What a slice counts for after the next one. */
const memory = 0.9

const probe = /^\/_health(\/ready)?\/?(\?|$)/i

interface Waiting {
  readonly since: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Where requests come in. Those that arrive faster than they are served would wait in their sockets, nobody knows for how
 * long, while each turn of the event loop takes on all of them at once. So they stand in a line here, and while that is
 * too long, new ones are refused for a fraction of what serving them would cost. As it is never empty meanwhile, what can
 * be served is served. It moves on as fast as the database does: those who were let in would wait for it again and again,
 * all of them a little longer with each one more.
 */
export class Door {
  readonly #parts: DoorParts
  readonly #line: Waiting[] = []
  /** When the work of this turn began. */
  #begun: number | undefined
  #isTurning = false
  #hasNewConnection = false
  #isHeld = false
  /** Since when turns have only accepted connections, or when they did last. */
  #accepting = Number.NEGATIVE_INFINITY
  /** Milliseconds and requests of late, the older ones counting less: how fast the line moves on. */
  #pace = { time: 0, served: 0 }
  /** Since when those are counted that were served from the line, and how many there were. */
  #count = { since: 0, served: 0 }
  readonly #tolerance: Tolerance

  constructor(parts: DoorParts) {
    this.#parts = parts
    this.#tolerance = new Tolerance(parts.maxDelay)
  }

  /** Calls nobody up from the line until it is told so: turns of the event loop are short meanwhile. */
  hold(): void {
    this.#isHeld = true
  }

  goOn(): void {
    this.#isHeld = false
  }

  /** A connection was accepted; others may be waiting for that. */
  connected(): void {
    this.#hasNewConnection = true
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    const { serve, refuse } = this.#parts
    const now = performance.now()
    this.#begun ??= now
    if (!this.#isTurning) {
      this.#isTurning = true
      this.#count = { since: now, served: 0 }
      setImmediate(this.#turn)
    }
    if (probe.test(request.url ?? '')) serve(request, response)
    else if (this.#isOverloaded(now)) refuse(request, response)
    else if (this.#line.length > 0 || this.#hasNewConnection || this.#isHeld || this.#isFull(now, this.#begun))
      this.#line.push({ since: now, request, response })
    else serve(request, response)
  }

  /** Nobody else is let in at the moment. */
  #isFull(now: number, begun: number): boolean {
    return now - begun >= slice || this.#isCrowded()
  }

  #isCrowded(): boolean {
    return this.#parts.maxDelay > 0 && this.#parts.isCrowded()
  }

  #isOverloaded(now: number): boolean {
    if (this.#parts.maxDelay <= 0) return false
    return this.#tolerance.isTooLong(this.#line.length, this.delay, now) || this.#isStuck(now)
  }

  /** Nobody has been called up for so long that those in line are sent away. */
  #isStuck(now: number): boolean {
    return this.#isTurning && this.#isCrowded() && now - this.#count.since > patience * this.#parts.maxDelay
  }

  /** Milliseconds for which whoever comes next would have to wait. */
  get delay(): number {
    const { time, served } = this.#pace
    return served > 0 ? (this.#line.length * time) / served : 0
  }

  /** Milliseconds for which nobody gains anything if answers are given sooner: others stand in line as long, or are refused in numbers. */
  get leeway(): number {
    return this.#tolerance.isExhausted(performance.now()) ? this.#parts.maxDelay : this.delay
  }

  /** The end of a turn: what waits in line is called up for the next one, after what arrives meanwhile was looked at. */
  readonly #turn = (): void => {
    this.#begun = undefined
    const isAccepting = this.#isAccepting()
    if (this.#count.served > 0) this.#measure()
    this.#isTurning = this.#line.length > 0
    if (!this.#isTurning) {
      this.#tolerance.emptied()
      return
    }
    this.#sendAway()
    if (isAccepting || this.#isHeld) setImmediate(this.#turn)
    else if (this.#isCrowded()) setTimeout(this.#turn, pause)
    else {
      // Who comes first is looked at, and what that takes is not taken from those who have waited.
      setImmediate(this.#open)
      // Each in a callback of its own, so that it comes as far as it can before the next one begins.
      for (let k = Math.min(this.#line.length, this.#called()); k > 0; k -= 1) setImmediate(this.#next)
      setImmediate(this.#turn)
    }
  }

  /** How many are called up for one turn: those whom it has no time for are called in vain. */
  #called(): number {
    const { time, served } = this.#pace
    const { least, most, times } = called
    return time > 0 ? Math.min(most, Math.ceil((times * slice * served) / time) + least) : least
  }

  /**
   * Node accepts one connection a turn: while there are more, they are let into the line before it moves on, and it does
   * for as long after that.
   */
  #isAccepting(): boolean {
    const hasMore = this.#hasNewConnection
    this.#hasNewConnection = false
    const now = performance.now()
    if (hasMore && now - this.#accepting >= 2 * acceptance) this.#accepting = now
    return hasMore && now - this.#accepting < acceptance
  }

  /** Those whose turn has not come yet: they hear of it while they are still there. */
  #sendAway(): void {
    const { maxDelay, refuse } = this.#parts
    const oldest = performance.now() - patience * maxDelay
    if (maxDelay <= 0 || this.#isHeld) return
    for (let [first] = this.#line; first && first.since < oldest; [first] = this.#line) {
      this.#line.shift()
      if (!first.request.socket.destroyed) refuse(first.request, first.response)
    }
  }

  #measure(): void {
    const now = performance.now()
    const took = now - this.#count.since
    const { served } = this.#count
    const rest = memory ** Math.min(1, took / slice)
    this.#pace = { time: this.#pace.time * rest + took, served: this.#pace.served * rest + served }
    this.#count = { since: now, served: 0 }
    this.#tolerance.turned(served, this.delay, now)
  }

  readonly #open = (): void => {
    this.#begun = undefined
  }

  readonly #next = (): void => {
    const now = performance.now()
    this.#begun ??= now
    if (this.#isFull(now, this.#begun)) return
    const first = this.#line.shift()
    // Nobody waits any more for what was asked on a connection that is gone.
    if (!first || first.request.socket.destroyed) return
    this.#count.served += 1
    this.#parts.serve(first.request, first.response)
  }
}
