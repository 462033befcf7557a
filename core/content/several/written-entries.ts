import { RequestError } from '../../errors.js'
import type { Action } from '../../query/ask.js'
import { overBudget } from '../../query/budget.js'
import type { SingleEntry } from '../../sql/fetch.js'
import type { ContentParts } from '../parts.js'
import type { Query, QueryPlanner } from '../query.js'
import { explained } from '../refusals.js'
import type { ContentRequest } from '../request.js'
import type { QueryRunner } from '../run.js'

/** One of several writes whose entries are to be shown. */
export interface ShownWrite {
  readonly action: Action
  /** The permission under which it is done, where that has another name. */
  readonly permission?: string
  /** The entry; absent if there is none yet, or none to show. */
  readonly id?: number | undefined
}

interface Services {
  readonly planner: QueryPlanner
  readonly runner: QueryRunner
}

/** The entries of a request with several writes: read together, outside of their transaction, which they would keep open. */
export class WrittenEntries {
  readonly #parts: ContentParts
  readonly #services: Services

  constructor(parts: ContentParts, services: Services) {
    this.#parts = parts
    this.#services = services
  }

  /**
   * The response that each of the writes would have alone, in their order, as the entries are now; undefined for those that
   * are not there, or not for the caller any more. Together they may take as many statements and entries as one response.
   */
  async of(request: ContentRequest, writes: readonly ShownWrite[]): Promise<(string | undefined)[]> {
    const { limits } = this.#parts
    if (writes.length > limits.entries) throw overBudget('entries', limits.entries, [])
    const kinds = kindsOf(writes).map(of => ({ of, query: this.#queryOf(request, of) }))
    const statements = kinds.reduce((sum, { query }) => sum + (query?.statements ?? 0), 0)
    if (statements > limits.statements) throw overBudget('statements', limits.statements, ['populate'])
    const found = new Map<ShownWrite, SingleEntry<string>>()
    for (const { of, query } of kinds) {
      const named = of.filter(({ id }) => id !== undefined)
      if (!query || named.length === 0) continue
      const entries = await this.#found(query, request)
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

  async #found(query: Query, { type, caller, session }: ContentRequest) {
    try {
      return new Map((await this.#services.runner.each(query, { caller, session })).map(one => [one.id, one]))
    } catch (error) {
      throw explained(error, { type, parts: this.#parts, read: query })
    }
  }

  /** The query for the entries of a kind of writes; undefined if each of them is refused, which says why. */
  #queryOf({ type, text, caller, options, tally }: ContentRequest, writes: readonly ShownWrite[]) {
    const [{ action, permission } = { action: 'update' }] = writes
    const ids = [...new Set(writes.flatMap(({ id }) => id ?? []))]
    try {
      const use = { action, ...options, ...(permission !== undefined && { permission }), tally, ids }
      return this.#services.planner.queryOnce(type, use, text, caller)
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
