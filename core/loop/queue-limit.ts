import { burst, queueLimit } from './constants.js'

/**
 * The maximum length of the queue. A queue that only gets shorter is a burst, which will be over. If somewhat more requests
 * arrive than can be served, a queue makes most clients send fewer, because they wait. If many more arrive, it only stays: as
 * many are rejected as without it, and served requests have waited for nothing. Then the limit is tightened.
 */
export class QueueLimit {
  readonly #maxDelay: number
  /**
   * The time since which the queue has been too long, and the number of turns that ended with it so; until it is half as long as
   * it may be.
   */
  #late: { readonly since: number; turns: number } | undefined
  /** Requests served from the queue and rejected in the current second, and whether the limit is tightened in it. */
  #second = { since: Number.NEGATIVE_INFINITY, served: 0, rejected: 0, isTightened: false }
  readonly #burst: Burst

  /** Milliseconds that a request may expect to wait, and that it may wait in a burst. */
  constructor(maxDelay: number, maxBurstDelay: number) {
    this.#maxDelay = maxDelay
    this.#burst = new Burst(maxBurstDelay)
  }

  /** True if the queued requests may be those of a burst. */
  isBurst(now: number): boolean {
    return this.#burst.isPossible(now)
  }

  /** True if the queue has to be short: many requests are being rejected. */
  isTightened(now: number): boolean {
    return this.#second.isTightened && !this.#isOutdated(now)
  }

  /** No turn has ended for so long that nothing can be queued. */
  #isOutdated(now: number): boolean {
    return now - this.#second.since >= 2 * queueLimit.respite
  }

  /** True if one more request is too many for a queue of this length, the last of which waits for `delay` milliseconds. */
  isTooLong(length: number, delay: number, now: number): boolean {
    this.#burst.arrived()
    const isTooLong = this.isTightened(now)
      ? length > queueLimit.tightened.least && delay > this.#maxDelay * queueLimit.tightened.share
      : // The time of a single turn says little.
        this.#late !== undefined && this.#late.turns > 1 && delay > this.#most(now - this.#late.since)
    if (!isTooLong || this.#burst.admits(length, delay, now)) return false
    this.#burst.rejected(now)
    this.#second.rejected += 1
    return true
  }

  #most(late: number): number {
    return late > queueLimit.respite ? this.#maxDelay : queueLimit.crowd * this.#maxDelay
  }

  /** The queue is empty, or short. */
  emptied(): void {
    this.#late = undefined
    this.#burst.end()
  }

  /** The end of a turn in which so many requests were served from the queue. */
  turned(served: number, delay: number, now: number): void {
    if (delay > this.#maxDelay) {
      this.#late ??= { since: now, turns: 0 }
      this.#late.turns += 1
      this.#burst.begin(now)
    } else if (delay <= this.#maxDelay / 2) this.emptied()
    this.#burst.turned(served, now)
    const second = this.#second
    second.served += served
    if (now - second.since < queueLimit.respite) return
    const isTightened = !this.#isOutdated(now) && second.rejected > second.served * queueLimit.manyRejected
    this.#second = { since: now, served: 0, rejected: 0, isTightened }
  }
}

interface LongQueue {
  readonly since: number
  /** The beginning of the current look, and the requests counted since. */
  look: { readonly since: number; arrived: number; served: number; rejected: number }
  /** Looks in a row in which more requests arrived than were served, and those of them in which some were rejected. */
  grown: number
  full: number
}

const lookFrom = (since: number): LongQueue['look'] => ({ since, arrived: 0, served: 0, rejected: 0 })

/**
 * Tells a burst from overload. Both begin with a queue that is too long, but that of a burst only gets shorter, while that
 * of overload grows on. As the first moment does not tell which of them it is, requests are admitted until the queue has
 * grown for too long; those that have waited too long by then are rejected after all.
 */
export class Burst {
  readonly #maxDelay: number
  #queue: LongQueue | undefined
  /** The last queue has grown for too long, or began too soon after a rejected request. */
  #isOverload = false
  #overloadedAt = Number.NEGATIVE_INFINITY

  /** `maxDelay` is how many milliseconds a request of a burst may wait; 0 treats every queue as overload. */
  constructor(maxDelay: number) {
    this.#maxDelay = maxDelay
  }

  /** True if the queued requests may be those of a burst. */
  isPossible(now: number): boolean {
    return this.#maxDelay > 0 && !(this.#isOverload && this.#wasOverloaded(now))
  }

  #wasOverloaded(now: number): boolean {
    return now - this.#overloadedAt < burst.rest
  }

  /** The queue is too long, now or since it was told before. */
  begin(now: number): void {
    if (this.#queue) return
    this.#queue = { since: now, look: lookFrom(now), grown: 0, full: 0 }
    this.#isOverload = this.#wasOverloaded(now)
  }

  /** The queue is short again. */
  end(): void {
    this.#queue = undefined
  }

  /** True if a request may join a queue that is too long: of `length` requests, the last of which waits for `delay` milliseconds. */
  admits(length: number, delay: number, now: number): boolean {
    if (!this.#queue || !this.isPossible(now) || length >= burst.longest) return false
    const age = now - this.#queue.since
    return age <= this.#maxDelay / 2 && (age <= burst.settled || delay <= this.#maxDelay)
  }

  arrived(): void {
    if (this.#queue) this.#queue.look.arrived += 1
  }

  rejected(now: number): void {
    if (this.#queue) this.#queue.look.rejected += 1
    this.#overloadedAt = now
  }

  /** The end of a turn in which so many requests were served from the queue. */
  turned(served: number, now: number): void {
    const queue = this.#queue
    if (!queue) return
    queue.look.served += served
    if (now - queue.look.since < burst.look) return
    const { arrived, served: moved, rejected } = queue.look
    queue.grown = arrived > moved ? queue.grown + 1 : 0
    queue.full = queue.grown > 0 && rejected > 0 ? queue.full + 1 : 0
    if (queue.grown >= burst.looks || queue.full >= burst.fullLooks) {
      this.#isOverload = true
      this.#overloadedAt = now
    }
    queue.look = lookFrom(now)
  }
}
