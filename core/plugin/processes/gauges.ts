import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Engine, PoolState, ReplicaState } from '../../engines/engine.js'

/** The load that the network puts on this process at this moment. */
export interface WebLoad {
  /** Requests that wait to be admitted, and the milliseconds that the next one would wait. */
  readonly queue: { readonly length: number; readonly delay: number }
  /** Requests rejected with 503 since the start, as the server was overloaded. */
  readonly refused: number
  /** Requests that have been admitted and not answered yet. */
  readonly inFlight: number
}

/** The state of this process at this moment. */
export interface Gauges extends WebLoad {
  /** Connections to the database; undefined if there is no pool. */
  readonly pool: PoolState | undefined
  /** Replicas that are read from, how many there are, and how far each is behind; undefined without replicas. */
  readonly replicas: ReplicaState | undefined
  /** Query plans in the cache, and how many have been made since the start: each of those was a miss. */
  readonly plans: Plans
  /** Milliseconds by which the event loop was late since the gauges were read last; zeros at first. */
  readonly eventLoopDelay: { readonly mean: number; readonly p99: number; readonly most: number }
}

export interface Plans {
  readonly cached: number
  readonly made: number
}

const idle: WebLoad = { queue: { length: 0, delay: 0 }, refused: 0, inFlight: 0 }

/** Reads the gauges of an app; nothing is measured before they are read for the first time. */
export class GaugeReader {
  readonly #engine: Engine
  readonly #content: { readonly plans: Plans }
  #load = (): WebLoad => idle
  #delay: IntervalHistogram | undefined

  constructor(engine: Engine, content: { readonly plans: Plans }) {
    this.#engine = engine
    this.#content = content
  }

  /** Requests have a way in from now on. */
  watch(load: () => WebLoad): void {
    this.#load = load
  }

  readonly read = (): Gauges => {
    const eventLoopDelay = delayOf(this.#delay)
    if (!this.#delay) {
      this.#delay = monitorEventLoopDelay({ resolution: 10 })
      this.#delay.enable()
    }
    this.#delay.reset()
    const { pool, replicas } = this.#engine
    return {
      ...this.#load(),
      pool: pool?.(),
      replicas: replicas?.(),
      plans: this.#content.plans,
      eventLoopDelay,
    }
  }
}

function delayOf(histogram: IntervalHistogram | undefined): Gauges['eventLoopDelay'] {
  if (!histogram || histogram.count === 0) return { mean: 0, p99: 0, most: 0 }
  const ms = (nanoseconds: number) => nanoseconds / 1e6
  return { mean: ms(histogram.mean), p99: ms(histogram.percentile(99)), most: ms(histogram.max) }
}
