import { told } from '../model/typist.js'
import type { Client } from '../model/world.js'
import type { Ledger } from './ledger.js'

/**
 * Every entry as the API shows it: read at the beginning, and again after each step that has changed a row of it. At the end
 * the API has to show the same, from its caches and after a start without any.
 */
export class Beliefs {
  readonly #client: Client
  readonly #ledger: Ledger
  readonly #known = new Map<string, string>()

  private constructor(client: Client, ledger: Ledger) {
    this.#client = client
    this.#ledger = ledger
  }

  static async of(client: Client, ledger: Ledger): Promise<Beliefs> {
    const beliefs = new Beliefs(client, ledger)
    await beliefs.learn(beliefs.#all())
    return beliefs
  }

  get size(): number {
    return this.#known.size
  }

  /** Reads these entries, such as `api::tag.tag 4`: those that are there. */
  async learn(entries: readonly string[]): Promise<void> {
    for (const entry of new Set(entries.filter(one => this.#isRead(one)).map(one => this.#address(one)))) {
      const shown = await this.#shown(entry)
      if (shown === undefined) this.#known.delete(entry)
      else this.#known.set(entry, shown)
    }
  }

  /** The entries that the API shows otherwise now, with both states. */
  async differences(): Promise<string[]> {
    const found: string[] = []
    for (const entry of new Set([...this.#known.keys(), ...this.#all()])) {
      const shown = await this.#shown(entry)
      const known = this.#known.get(entry)
      if (shown !== known) found.push(`${entry} is ${shown}\nand was ${known}`)
    }
    return found
  }

  #isRead(entry: string): boolean {
    return this.#client.kinds.type(entry.split(' ')[0] ?? '')?.can.read != null && entry.startsWith('api::')
  }

  /** A single type is read without an id. */
  #address(entry: string): string {
    const [uid = ''] = entry.split(' ')
    return this.#client.type(uid).kind === 'singleType' ? uid : entry
  }

  #all(): string[] {
    return this.#ledger.entries().flatMap(entry => (this.#isRead(entry) ? [this.#address(entry)] : []))
  }

  async #shown(entry: string): Promise<string | undefined> {
    const [uid = '', id] = entry.split(' ')
    if (id !== undefined && !this.#ledger.has(uid, Number(id))) return undefined
    const { plain, entry: values, updatedAt } = await this.#client.read(uid, Number(id ?? 0))
    const { publishedAt, locale } = values as Readonly<Record<string, unknown>>
    return JSON.stringify({ updatedAt, publishedAt, locale, ...(told(this.#client.kinds, plain) as object) })
  }
}
