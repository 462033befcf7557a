import assert from 'node:assert/strict'
import type { CDPSession } from 'playwright-core'
import type { Desk } from './desk.js'
import type { Hour } from './hour.js'

const samples = 36
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Heaps without garbage, in megabytes: of the server, and of each page where its editor has nothing open. */
export class Memory {
  readonly heaps = new Map<string, number[]>()
  readonly #shares = new Map<string, number[]>()
  readonly #sessions = new Map<Desk, CDPSession>()
  readonly #taken = new Map<string, number>()

  async watch(desk: Desk): Promise<void> {
    this.#sessions.set(desk, await desk.page.context().newCDPSession(desk.page))
  }

  async sample({ server }: Hour, desks: readonly Desk[], share: number): Promise<void> {
    if (this.#isDue('server', share)) this.#note('server', share, await server.heap())
    for (const desk of desks)
      if (!desk.isDirty && this.#isDue(desk.who, share)) this.#note(desk.who, share, await this.#of(desk))
  }

  async #of(desk: Desk): Promise<number> {
    await desk.nav('Home')
    await desk.page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    const session = this.#sessions.get(desk)
    assert.ok(session)
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }

  #isDue(name: string, share: number): boolean {
    const part = Math.floor(share * samples)
    if (this.#taken.get(name) === part) return false
    this.#taken.set(name, part)
    return true
  }

  #note(name: string, share: number, heap: number): void {
    this.heaps.set(name, [...(this.heaps.get(name) ?? []), heap])
    this.#shares.set(name, [...(this.#shares.get(name) ?? []), share])
  }

  /** The medians of the four quarters. */
  quarters(): Map<string, readonly number[]> {
    return new Map(
      [...this.heaps].map(([name, all]) => {
        const shares = this.#shares.get(name) ?? []
        return [name, [0, 1, 2, 3].map(at => median(all.filter((_, one) => Math.floor((shares[one] ?? 0) * 4) === at)))]
      }),
    )
  }

  /**
   * The medians that are compared. The pages are the same from the first to the last. The server is started again in the first half, and
   * fills its caches in the third quarter.
   */
  compared(): Map<string, readonly [number, number]> {
    return new Map(
      [...this.quarters()].map(([name, [first = 0, , third = 0, last = 0]]) => [
        name,
        [name === 'server' ? third : first, last],
      ]),
    )
  }
}
