import { createHmac } from 'node:crypto'
import type { Counts } from '../../../core/index.js'
import type { Attempt, Limiter, Rate } from './limiter.js'

/** The counts shared by all machines, and the secret that they share. */
export interface SharedPlace {
  readonly counts: Counts
  readonly secret: string
}

/** Counts in the database. Its rows tell neither addresses nor accounts, not even to a reader who guesses them. */
export class SharedLimiter implements Limiter {
  readonly max: number
  readonly #interval: number
  readonly #place: SharedPlace

  constructor({ max, interval }: Rate, place: SharedPlace) {
    this.max = max
    this.#interval = interval
    this.#place = place
  }

  async attempt(key: string): Promise<Attempt> {
    const { count, left } = await this.#place.counts.add(this.#hashed(key), this.#interval, this.max)
    return { consumedPoints: count, remainingPoints: Math.max(0, this.max - count), msBeforeNext: left }
  }

  forget(key: string): Promise<void> {
    return this.#place.counts.forget(this.#hashed(key), this.#interval)
  }

  #hashed(key: string): string {
    return createHmac('sha256', this.#place.secret).update(`attempts ${key}`).digest('hex')
  }
}
