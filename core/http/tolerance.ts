/** Milliseconds for which a line may be too long, and how many times: the process may only have stood still for a moment. */
const respite = 1000
const crowd = 2
/** The share of its length that a line keeps where nothing else is gained by it, and the fewest in it. */
const kept = 1 / 8
const fewest = 4
/** How many are refused for each that is served where that is so. */
const many = 0.5

/**
 * How long a line may be. Somewhat too long for a moment is a burst, which will be over. Where some more come than can be
 * served, a line makes most of them come less often, as they wait. Where many more come, it only stays: as many are
 * refused as without it, and who is served has waited in vain. So it is kept short then.
 */
export class Tolerance {
  readonly #maxDelay: number
  /** Since when the line has been too long, until it is half as long as it may be, and at the end of how many turns. */
  #late: { readonly since: number; turns: number } | undefined
  /** Who was served from the line and who was refused in the second that is not over, and whether it is kept short in it. */
  #second = { since: Number.NEGATIVE_INFINITY, served: 0, refused: 0, isShort: false }

  /** `maxDelay` is how many milliseconds one may expect to wait. */
  constructor(maxDelay: number) {
    this.#maxDelay = maxDelay
  }

  /** Whether the line is kept short. */
  isExhausted(now: number): boolean {
    return this.#second.isShort && !this.#isOutdated(now)
  }

  /** No turn has looked at it for so long that there can be no line. */
  #isOutdated(now: number): boolean {
    return now - this.#second.since >= 2 * respite
  }

  /** Whether one more is too many in a line of so many, in which the last one waits for `delay` milliseconds. */
  isTooLong(length: number, delay: number, now: number): boolean {
    const isTooLong = this.isExhausted(now)
      ? length > fewest && delay > this.#maxDelay * kept
      : // What a single turn took says little.
        this.#late !== undefined && this.#late.turns > 1 && delay > this.#most(now - this.#late.since)
    if (isTooLong) this.#second.refused += 1
    return isTooLong
  }

  #most(late: number): number {
    return late > respite ? this.#maxDelay : crowd * this.#maxDelay
  }

  /** Nobody waits. */
  emptied(): void {
    this.#late = undefined
  }

  /** At the end of a turn in which so many were served from the line. */
  turned(served: number, delay: number, now: number): void {
    if (delay > this.#maxDelay) {
      this.#late ??= { since: now, turns: 0 }
      this.#late.turns += 1
    } else if (delay <= this.#maxDelay / 2) this.#late = undefined
    const second = this.#second
    second.served += served
    if (now - second.since < respite) return
    const isShort = !this.#isOutdated(now) && second.refused > second.served * many
    this.#second = { since: now, served: 0, refused: 0, isShort }
  }
}
