/** A known state: absent, or one that has a name. */
export type State = string
export const absent: State = 'absent'

/**
 * Acknowledgements that clients received, kept outside the server. An acknowledged write is certain; one without a
 * response, or with "try again", may have happened or not, and nothing else may.
 */
export class Ledger {
  readonly #possible = new Map<string, Set<State>>()
  readonly #released = new Set<string>()
  #acknowledged = 0

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** A write is on its way. */
  begin(key: string, state: State): void {
    const possible = this.#possible.get(key) ?? new Set([absent])
    this.#possible.set(key, possible.add(state))
  }

  /** The server said that it is done. */
  acknowledge(key: string, state: State): void {
    this.#possible.set(key, new Set([state]))
    this.#acknowledged += 1
  }

  /** The objection to a state that was found; undefined if it is possible. */
  objection(key: string, found: State): string | undefined {
    const possible = this.#possible.get(key)
    if (!possible) return `${key} is ${found}, and nobody ever wrote it`
    if (possible.has(found)) return undefined
    return `${key} is ${found}, and was acknowledged as ${[...possible].join(' or ')}`
  }

  /** A file may from now on be there without what it was sent for. */
  release(file: string): void {
    this.#released.add(file)
  }

  isReleased(file: string): boolean {
    return this.#released.has(file)
  }

  keys(): IterableIterator<string> {
    return this.#possible.keys()
  }
}
