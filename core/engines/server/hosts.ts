import type { HostAddress } from '../../config/hosts.js'

/** The servers of one database. One of them is used, the first that is fit for it, until it fails. */
export class Hosts {
  readonly #places: readonly HostAddress[]
  #current = 0
  /** Changes whenever the server in use is left; connections that were opened before are not used any more. */
  turn = 0

  constructor(places: readonly HostAddress[]) {
    this.#places = places
  }

  /** True if nothing has failed since a connection was opened. */
  readonly trusts = (connection: { readonly turn: number }): boolean => connection.turn === this.turn

  /** Opens a connection to the server in use, or to the next one that lets it. */
  async open<T>(connect: (place: HostAddress) => Promise<T>): Promise<T> {
    const { turn } = this
    const begun = this.#current
    const reasons: unknown[] = []
    for (let step = 0; step < this.#places.length; step += 1) {
      const at = (begun + step) % this.#places.length
      try {
        const opened = await connect(this.#places[at] as HostAddress)
        if (turn === this.turn && at !== this.#current) this.#moveTo(at)
        return opened
      } catch (error) {
        reasons.push(error)
      }
    }
    throw reasons.length === 1 ? reasons[0] : new AggregateError(reasons)
  }

  /** The server of a connection that was opened in that turn has failed. */
  leave(turn: number): void {
    if (turn === this.turn) this.#moveTo((this.#current + 1) % this.#places.length)
  }

  /** The server is well, and connections to it that were opened in that turn are not. */
  renew(turn: number): void {
    if (turn === this.turn) this.#moveTo(this.#current)
  }

  #moveTo(at: number): void {
    this.#current = at
    this.turn += 1
  }
}
