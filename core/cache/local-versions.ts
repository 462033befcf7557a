import { type Change, Changes } from './changes.js'
import { anything } from './footprint.js'
import type { Versions } from './versions.js'

/** A database in a file of this machine, as far as it names its state. */
export interface LocalState {
  /** Changes with every commit of another connection than the one that is asked. */
  name(): unknown
  /** Takes the commits of this process since the last call; the layout has changed if one of them changed anything. */
  committed(): readonly Change[]
  /** True if all tables are plain: statements read and write the rows of the tables that they name, and no others. */
  isPlain(): boolean
  /** The name, for the log. */
  readonly by: string
}

/** Asks for the name of the state at each turn of the event loop in which there are requests. */
export class LocalVersions implements Versions {
  readonly isRemote = false
  readonly #state: LocalState
  readonly #changes = new Changes()
  #name: unknown
  #isAsked = false
  #isPlain = false
  /** The state for which that is known. */
  #plainAt = -1

  constructor(state: LocalState) {
    this.#state = state
    this.#name = state.name()
  }

  state(): number {
    this.#look()
    if (this.#isAsked) return this.#changes.state
    const name = this.#state.name()
    if (name !== this.#name) this.#changes.add([{ table: anything }])
    this.#name = name
    // Requests of one event-loop turn arrived together: another process's write that falls between them came later.
    this.#isAsked = true
    setImmediate(this.#forget)
    return this.#changes.state
  }

  readonly changed: Versions['changed'] = (read, since) => {
    this.#look()
    const { ofAnything } = this.#changes
    if (this.#plainAt !== ofAnything) this.#isPlain = this.#state.isPlain()
    this.#plainAt = ofAnything
    return this.#isPlain ? this.#changes.last(read, since) : this.#changes.state
  }

  proof(): string {
    return `cached responses and totals are checked by ${this.#state.by}`
  }

  readonly #forget = (): void => {
    this.#isAsked = false
  }

  #look(): void {
    const committed = this.#state.committed()
    if (committed.length > 0) this.#changes.add(committed)
  }
}
