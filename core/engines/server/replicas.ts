import { unversioned } from '../../cache/versions.js'
import type { DatabaseConfig } from '../../config/types.js'
import { UnavailableError } from '../../errors.js'
import type { Log } from '../../log.js'
import { within } from '../../loop/clock.js'
import type { Engine, ReplicaState, Session } from '../engine.js'
import { type Positions, positionsOf } from './positions.js'
import { Replica } from './replica.js'

/** An engine whose relaxed reads go to copies of its database, as long as they follow it closely. */
export async function withReplicas(
  primary: Engine,
  { replicas: places, maxLag, ...config }: DatabaseConfig,
  open: (config: DatabaseConfig) => Promise<Engine>,
  log: Log,
): Promise<Engine> {
  const own = {
    ...config,
    fallbacks: [],
    replicas: [],
    maxLag,
    acquireTimeout: Math.min(config.acquireTimeout, maxWait),
  }
  const members: Replica[] = []
  for (const place of places)
    members.push(new Replica(await open({ ...own, ...place }), `${place.host}:${place.port}`, log))
  const replicas = new Replicas(primary, members, maxLag)
  return {
    ...primary,
    relaxed: () => replicas.relaxed(),
    versions: unversioned('replicas of the database are read from'),
    isCrowded: () => replicas.isCrowded(),
    replicas: () => replicas.state(),
    notes: () => replicas.notes(),
    close: async () => {
      await Promise.all(members.map(({ engine }) => engine.close()))
      await primary.close()
    },
  }
}

/** Milliseconds that a read waits for a connection to a replica: the database itself can answer as well. */
const maxWait = 1000

/** Hooks may send any statement: one that writes and gives rows belongs to the database itself. */
const isRead = /^\s*(select|with)\b/i

const isCrowded = (engine: Engine): boolean => engine.isCrowded?.() ?? false

/** The position in the log of the database at a time. */
interface Mark {
  readonly time: number
  readonly position: string
}

/**
 * Knows the replicas that are near enough. They are checked when a request reads and the last check is old, so an idle server
 * asks none of them. Their responses are never older than `maxLag`: two looks are part of it.
 */
export class Replicas {
  readonly #primary: Engine
  readonly #members: readonly Replica[]
  readonly #maxLag: number
  /** Milliseconds between two looks. */
  readonly #interval: number
  #positions: Positions | undefined
  #marks: Mark[] = []
  #looking: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #turn = 0
  #isMeasured = false

  constructor(primary: Engine, members: readonly Replica[], maxLag: number) {
    this.#primary = primary
    this.#members = members
    this.#maxLag = maxLag
    this.#interval = Math.min(1000, maxLag / 5)
  }

  /** A place for the reads of one response: the next replica, and the database itself where that fails. */
  relaxed(): Session {
    const { reader } = this.#primary
    const replica = this.#next()
    if (!replica) return reader
    const all: Session['all'] = async (sql, values) => {
      if (replica.isUsed && isRead.test(sql))
        try {
          return await this.#watched(replica.all(sql, values))
        } catch (error) {
          this.#mustBeItsOwn(error, replica)
        }
      return reader.all(sql, values)
    }
    return { all, run: (sql, values) => reader.run(sql, values) }
  }

  /** A replica that says nothing any more is detected while a statement waits for it, also if no other request asks. */
  async #watched<T>(answer: T | Promise<T>): Promise<T> {
    const watch = setInterval(() => void this.#look(), this.#interval)
    try {
      return await answer
    } finally {
      clearInterval(watch)
    }
  }

  /** Notes for an operator; none while all replicas are read from. */
  async notes(): Promise<string[]> {
    await this.#look()
    const lost = this.#members.filter(({ isLost }) => isLost).length
    return lost === 0 ? [] : [`${lost} of ${this.#members.length} replicas of the database cannot be read from`]
  }

  /** The state of the replicas. Their delay is measured from the first call on. */
  state(): ReplicaState {
    this.#isMeasured = true
    if (performance.now() - this.#lookedAt > this.#interval) void this.#look()
    const lags = this.#members.flatMap(({ name, lag }) => (lag === undefined ? [] : [{ name, seconds: lag / 1000 }]))
    return { used: this.#members.filter(({ isUsed }) => isUsed).length, all: this.#members.length, lags }
  }

  /** Reads would have to wait wherever they went, or writes where they must go. */
  isCrowded(): boolean {
    const used = this.#members.filter(({ isUsed }) => isUsed)
    return isCrowded(this.#primary) || (used.length > 0 && used.every(({ engine }) => isCrowded(engine)))
  }

  #next(): Replica | undefined {
    const age = performance.now() - this.#lookedAt
    if (age > this.#interval) void this.#look()
    if (age > 2 * this.#interval) return undefined
    const used = this.#members.filter(({ isUsed }) => isUsed)
    const free = used.filter(({ engine }) => !isCrowded(engine))
    const next = free.length > 0 ? free : used
    this.#turn += 1
    return next[this.#turn % next.length]
  }

  /** A statement that was too slow, or has a wrong value, would be so everywhere. */
  #mustBeItsOwn(error: unknown, replica: Replica): void {
    const kind = this.#primary.classify(error)?.kind
    if (kind === 'timeout' || kind === 'value') throw error
    if (kind === 'unavailable' || error instanceof UnavailableError) replica.leave((error as Error).message)
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookAtAll(): Promise<void> {
    const time = performance.now()
    const window = this.#maxLag - 2 * this.#interval
    this.#marks = this.#marks.filter(mark => mark.time >= time - window)
    try {
      this.#positions ??= await this.#soon(positionsOf(this.#primary))
      this.#marks.push({ time, position: await this.#soon(this.#positions.of(this.#primary.reader)) })
    } catch (error) {
      for (const replica of this.#members) {
        replica.leave((error as Error).message)
        if (this.#isMeasured) replica.measured(time)
      }
      return
    }
    await Promise.all(this.#members.map(replica => this.#lookAt(replica, time)))
    this.#lookedAt = time
  }

  async #lookAt(replica: Replica, now: number): Promise<void> {
    const [oldest, ...later] = this.#marks as [Mark, ...Mark[]]
    let reached: Mark | undefined
    try {
      const isReached = await this.#isReached(oldest, replica)
      if (isReached) replica.join()
      else replica.rest(now, this.#maxLag)
      if (isReached && this.#isMeasured) reached = (await this.#lastReached(later, replica)) ?? oldest
    } catch (error) {
      replica.leave((error as Error).message)
    }
    if (this.#isMeasured) replica.measured(now, reached?.time)
  }

  /** The latest of these marks that a replica has come to: in most cases the first that is asked for. */
  async #lastReached(marks: readonly Mark[], replica: Replica): Promise<Mark | undefined> {
    for (const mark of marks.toReversed()) if (await this.#isReached(mark, replica)) return mark
    return undefined
  }

  #isReached({ position }: Mark, { engine }: Replica): Promise<boolean> {
    return this.#soon((this.#positions as Positions).isReached(position, engine.reader))
  }

  #soon<T>(asked: Promise<T>): Promise<T> {
    return within(2 * this.#interval, asked, () => new Error('it does not answer'))
  }
}
