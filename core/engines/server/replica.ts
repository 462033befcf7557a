import type { Log } from '../../log.js'
import type { Engine, RawRow, Session } from '../engine.js'

/** One copy of the database, while it is near enough to it and while it is not. */
export class Replica {
  readonly engine: Engine
  readonly name: string
  /** Milliseconds by which it was behind at most when it was looked at last; undefined where that is not measured. */
  lag: number | undefined
  /** The last state of the database that it is known to have come to. */
  #reachedAt: number | undefined
  readonly #log: Log
  /** The functions that end the reads that run on it. */
  readonly #running = new Set<(reason: Error) => void>()
  #isUsed = false
  /** The reason that it is not used; told once. */
  #fault: string | undefined
  #restsSince: number | undefined

  constructor(engine: Engine, name: string, log: Log) {
    this.engine = engine
    this.name = name
    this.#log = log.child({ replica: name })
  }

  get isUsed(): boolean {
    return this.#isUsed
  }

  get isLost(): boolean {
    return this.#fault !== undefined
  }

  /** Like `Session.all`, and given up as soon as the replica is left: its result may never come. */
  all: Session['all'] = (sql, values) =>
    new Promise<readonly RawRow[]>((resolve, reject) => {
      this.#running.add(reject)
      Promise.resolve(this.engine.reader.all(sql, values))
        .finally(() => this.#running.delete(reject))
        .then(resolve, reject)
    })

  join(): void {
    if (this.#fault !== undefined) this.#log.info('the replica is read from again')
    this.#fault = undefined
    this.#restsSince = undefined
    this.#isUsed = true
  }

  /**
   * It was not found near enough. If it was not checked for a while there is only a mark of this moment to reach, so that
   * alone is no fault.
   */
  rest(now: number, maxLag: number): void {
    this.#isUsed = false
    this.#restsSince ??= now
    if (now - this.#restsSince > maxLag) this.leave(`it is more than ${maxLag} ms behind`)
  }

  /** It was looked at, and had come to the state that the database had at a time, if that could be told. */
  measured(now: number, reachedAt = this.#reachedAt ?? now): void {
    this.#reachedAt = reachedAt
    this.lag = now - reachedAt
  }

  leave(reason: string): void {
    if (this.#fault === undefined) this.#log.warn({ reason }, `the replica is not read from: ${reason}`)
    this.#fault = reason
    this.#isUsed = false
    for (const reject of this.#running) reject(new ReplicaLeft(reason))
    this.#running.clear()
  }
}

/** The replica went away under a read. */
export class ReplicaLeft extends Error {
  override readonly name = 'ReplicaLeft'
}
