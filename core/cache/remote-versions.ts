import { within } from '../loop/clock.js'
import { type Change, Changes } from './changes.js'
import { anything } from './footprint.js'
import type { Versions } from './versions.js'

/** The functions by which a kind of database names its visible state. */
export interface StateNames<Connection> {
  /** Opens the connection on which the state is asked for. */
  open(): Promise<Connection>
  close(connection: Connection): void
  /** Looks at the server of a new connection; `NamelessState` says that it never names its states. */
  inspect?(connection: Connection): Promise<void>
  /** Changes when connections are lost: the next ones may reach another server, or one that has lost writes. */
  generation(): number
  /** Names the visible state. No two states have the same name, as long as the connection lives. */
  name(connection: Connection): Promise<string>
  /** The changes between two names that were given one after the other; undefined if there may be any. */
  changes?(before: string, after: string): Promise<readonly Change[] | undefined>
  /**
   * True if all tables are plain: statements read and write the rows of the tables that they name, and no others. Undefined if
   * asking that again so soon would cost too much.
   */
  isPlain?(connection: Connection): Promise<boolean | undefined>
  /** The source of the names, for the log. */
  readonly by: string
}

/** The state has no name now; its message says why. */
export class NamelessState extends Error {
  override readonly name = 'NamelessState'
}

/** Milliseconds that a check may take; after that, requests read the database as if nothing was cached. */
const maxWait = 1000
/** Milliseconds without checks after one that failed, doubled each time, and at most. */
const shortestRest = 1000
const longestRest = 30_000

/** The connection on which states are asked for. */
interface OpenConnection<Connection> {
  /** Itself once it is open, so that a check is sent without waiting. */
  connection: Connection | Promise<Connection>
  readonly generation: number
}

/**
 * Asks a database server for the name of its state, once for all requests that wait: one that arrives while a check is in
 * flight waits for the next, as its result may be older than the request. Without requests nothing is asked.
 */
export class RemoteVersions<Connection> implements Versions {
  readonly isRemote = true
  readonly #names: StateNames<Connection>
  #opened: OpenConnection<Connection> | undefined
  #running: Promise<unknown> | undefined
  #next: Promise<number | undefined> | undefined
  #name: string | undefined
  /** Numbers the states: names may be long, and a new connection may give an old name to another state. */
  readonly #changes = new Changes()
  /** True if tables are plain, as found after the last change that may have been one of them. */
  #isPlain: boolean | undefined
  #rest = shortestRest
  #restsUntil = Number.NEGATIVE_INFINITY
  #fault = ''
  /** The generation of connections whose server never names states. */
  #nameless: number | undefined

  constructor(names: StateNames<Connection>) {
    this.#names = names
  }

  readonly state = (): Promise<number | undefined> | undefined => {
    if (performance.now() < this.#restsUntil || this.#nameless === this.#names.generation()) return undefined
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  readonly changed: Versions['changed'] = (read, since) => this.#changes.last(read, since)

  readonly proof = async (): Promise<string> =>
    (await this.state()) === undefined
      ? `responses and totals are not cached: ${this.#fault}`
      : `cached responses and totals are checked by ${this.#names.by}`

  readonly close = (): void => {
    this.#restsUntil = Number.POSITIVE_INFINITY
    this.#drop()
  }

  /** Requests that came while a check was in flight have the next one sent before those that it served are responded to. */
  async #after(running: Promise<unknown> | undefined): Promise<number | undefined> {
    // All requests of one event-loop turn share a check.
    await (running ?? new Promise(setImmediate))
    const check = this.#check()
    this.#running = check
    this.#next = undefined
    const state = await check
    if (this.#running === check) this.#running = undefined
    return state
  }

  async #check(): Promise<number | undefined> {
    const hadConnection = this.#opened?.generation === this.#names.generation()
    try {
      const state = await this.#named().catch(error => {
        // The server closes connections that were idle for long.
        if (!hadConnection || error instanceof NamelessState) throw error
        this.#drop()
        return this.#named()
      })
      this.#rest = shortestRest
      if (state !== this.#name) await this.#change(state)
      return this.#changes.state
    } catch (error) {
      this.#fault = (error as Error).message
      this.#name = undefined
      if (error instanceof NamelessState) return undefined
      this.#drop()
      if (this.#restsUntil !== Number.POSITIVE_INFINITY) this.#restsUntil = performance.now() + this.#rest
      this.#rest = Math.min(2 * this.#rest, longestRest)
      return undefined
    }
  }

  async #change(state: string): Promise<void> {
    const changes = this.#name === undefined ? undefined : await this.#names.changes?.(this.#name, state)
    if (!changes || changes.some(({ table }) => table === anything)) this.#isPlain = undefined
    this.#changes.add(changes && (await this.#arePlain()) ? changes : [{ table: anything }])
    this.#name = state
  }

  async #arePlain(): Promise<boolean> {
    this.#isPlain ??= await this.#names.isPlain?.(await this.#connection())
    return this.#isPlain ?? false
  }

  #named(): Promise<string> {
    const ask = async () => {
      const connection = this.#connection()
      return this.#names.name(connection instanceof Promise ? await connection : connection)
    }
    return within(maxWait, ask(), () => new Error('the database does not answer'))
  }

  #connection(): Connection | Promise<Connection> {
    const generation = this.#names.generation()
    if (this.#opened?.generation !== generation) this.#drop()
    if (!this.#opened) {
      const opening = this.#open(generation)
      const opened: OpenConnection<Connection> = { connection: opening, generation }
      opening.then(
        connection => {
          opened.connection = connection
        },
        () => undefined,
      )
      this.#opened = opened
    }
    return this.#opened.connection
  }

  async #open(generation: number): Promise<Connection> {
    const connection = await this.#names.open()
    try {
      await this.#names.inspect?.(connection)
      return connection
    } catch (error) {
      this.#names.close(connection)
      if (error instanceof NamelessState) this.#nameless = generation
      throw error
    }
  }

  #drop(): void {
    if (this.#opened) Promise.resolve(this.#opened.connection).then(this.#names.close, () => undefined)
    this.#opened = undefined
    this.#name = undefined
  }
}
