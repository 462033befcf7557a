import { RequestError } from '../../errors.js'
import type { Action } from '../../query/ask.js'
import { overBudget } from '../../query/budget.js'
import type { Alone } from '../../sql/fetch.js'
import type { Asking } from '../asked.js'
import type { ContentParts } from '../parts.js'
import type { Asked, ContentRequest } from '../request.js'
import type { Runs } from '../runs.js'
import type { Writes } from '../writes.js'

/** One of several writes whose entries are to be shown. */
export interface ShownWrite {
  readonly action: Action
  /** The permission under which it is done, where that has another name. */
  readonly permission?: string
  /** The entry; absent where there is none yet, or none to show. */
  readonly id?: number | undefined
}

interface Services {
  readonly asking: Asking
  readonly runs: Runs
  readonly writes: Pick<Writes, 'explain'>
}

/** The entries of a request with several writes: read together, outside of their transaction, which they would keep open. */
export class ShownContent {
  readonly #parts: Pick<ContentParts, 'limits'>
  readonly #asking: Asking
  readonly #runs: Runs
  readonly #writes: Services['writes']

  constructor(parts: Pick<ContentParts, 'limits'>, { asking, runs, writes }: Services) {
    this.#parts = parts
    this.#asking = asking
    this.#runs = runs
    this.#writes = writes
  }

  /**
   * The response that each of the writes would have alone, in their order, as the entries are now; undefined for those that
   * are not there, or not for the caller any more. Together they may take as many statements and entries as one response.
   */
  async of(request: ContentRequest, writes: readonly ShownWrite[]): Promise<(string | undefined)[]> {
    const { limits } = this.#parts
    if (writes.length > limits.entries) throw overBudget('entries', limits.entries, [])
    const kinds = kindsOf(writes).map(of => ({ of, asked: this.#asked(request, of) }))
    const statements = kinds.reduce((sum, { asked }) => sum + (asked?.statements ?? 0), 0)
    if (statements > limits.statements) throw overBudget('statements', limits.statements, ['populate'])
    const found = new Map<ShownWrite, Alone<string>>()
    for (const { of, asked } of kinds) {
      const named = of.filter(({ id }) => id !== undefined)
      if (!asked || named.length === 0) continue
      const entries = await this.#found(asked, request)
      for (const write of named) {
        const entry = entries.get(write.id as number)
        if (entry) found.set(write, entry)
      }
    }
    // An entry that is written more than once is shown more than once.
    const size = [...found.values()].reduce((sum, entry) => sum + entry.size, 0)
    if (size > limits.entries) throw overBudget('entries', limits.entries, ['populate'])
    return writes.map(write => found.get(write)?.item)
  }

  async #found(asked: Asked, { type, caller, session }: ContentRequest) {
    try {
      return new Map((await this.#runs.each(asked, { caller, session })).map(one => [one.id, one]))
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  /** The query for the entries of a kind of writes; undefined where each of them is refused, which says why. */
  #asked({ type, text, caller, under, tally }: ContentRequest, writes: readonly ShownWrite[]) {
    const [{ action, permission } = { action: 'update' }] = writes
    const ids = [...new Set(writes.flatMap(({ id }) => id ?? []))]
    try {
      const doing = { action, ...under, ...(permission !== undefined && { permission }), tally, ids }
      return this.#asking.several(type, doing, text, caller)
    } catch (error) {
      if (error instanceof RequestError) return undefined
      throw error
    }
  }
}

/** Writes whose entries are read by the same query. */
function kindsOf(writes: readonly ShownWrite[]): ShownWrite[][] {
  const kinds = new Map<string, ShownWrite[]>()
  for (const write of writes) {
    const name = `${write.action} ${write.permission ?? ''}`
    const known = kinds.get(name)
    if (known) known.push(write)
    else kinds.set(name, [write])
  }
  return [...kinds.values()]
}
