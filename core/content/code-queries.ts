import type { Action, Ask, Caller, Filters } from '../query/ask.js'
import { Budget, type Limits } from '../query/budget.js'
import { withEverything } from '../query/everything.js'
import { where } from '../query/filters.js'
import { readNode } from '../query/node.js'
import type { Raw } from '../query/raw.js'
import { always, byId, type QueryNode } from '../query/tree.js'
import { type Rules, Visitor } from '../query/visitor.js'
import type { ContentType } from '../schema/types.js'
import type { PreparedPlan } from '../sql/plan.js'
import type { ContentParts } from './parts.js'
import { rulesFor, typesToLink } from './rights/rules.js'

/** A query of code: filters with values in place of text, and the API's own sort, fields and populate. */
export interface EntryQuery {
  readonly where?: Filters
  readonly sort?: string | readonly string[]
  readonly populate?: unknown
  /** The columns to read; hidden ones only when they are named here. */
  readonly fields?: readonly string[]
  readonly start?: number
  readonly limit?: number
  /** Values of plugins' parameters. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Private columns and secrets too, wherever no `fields` choose, and private relations: at every level. */
  readonly everything?: true
}

/** The caller of code: may do everything. Its `can` is how writes of code are known, as no request has it. */
export const systemCaller: Caller = { scope: 'system', can: () => true }

/** Queries that no request asks: those of code, with all permissions, and those of the server itself. */
export class CodeQueries {
  readonly #parts: ContentParts
  readonly #rules: Rules
  #rulesOfAll: Rules | undefined
  readonly #rows = new Map<string, PreparedPlan>()

  constructor(parts: ContentParts) {
    this.#parts = parts
    // Code writes what it has read, and components cannot be linked.
    this.#rules = { ...rulesFor(parts, { caller: systemCaller }), anyTarget: typesToLink(parts.registry, false) }
  }

  /** A query that code asks: with all permissions, and hidden columns where they are named. */
  plain(type: ContentType, query: EntryQuery, action: Action = 'find') {
    const { where: filters, fields, start, limit, params: said, everything, ...raw } = query
    const { dialect, paging } = this.#parts
    const known = [...this.#parts.params(type)]
    const params = Object.fromEntries(
      known.map(([name, param]) => [name, said?.[name] ?? ('byCode' in param ? param.byCode : param.default)]),
    )
    const { scope, can } = systemCaller
    const ask: Ask = { type, action, scope, params, dialect, can, narrow: this.#rules.narrow }
    const visitor = new Visitor(ask, everything ? this.#ofAll() : this.#rules, new Budget(unlimited))
    const shown = everything ? withEverything(type) : type
    const read = readNode(raw as Raw, { type: shown, depth: 0, path: [], visitor, paging }, 'root')
    const named = fields
      ?.filter(name => name !== 'id')
      .map(name => {
        const field = type.fields.get(name)
        if (!field) throw visitor.unknown(type, name, ['fields'])
        return field
      })
    const node: QueryNode = {
      ...(filters ? where(read, filters) : read),
      ...(named && { fields: named }),
      ...((start !== undefined || limit !== undefined) && { page: { start: start ?? 0, limit: limit ?? null } }),
    }
    return { ask, node }
  }

  #ofAll(): Rules {
    this.#rulesOfAll ??= { ...this.#rules, anyTarget: this.#rules.anyTarget.map(withEverything) }
    return this.#rulesOfAll
  }

  /** The entry of the request as far as it meets these filters; none of its fields. */
  entryWithin(ask: Ask, filters: Filters): PreparedPlan {
    return this.#within(ask, ask.type, byId, filters)
  }

  /** The entries of any type that meet these filters; none of their fields. */
  someWithin(ask: Ask, type: ContentType, filters: Filters): PreparedPlan {
    return this.#within(ask, type, node => node, filters)
  }

  /** All columns of the entry of the request, except secrets; no hook or rule holds for it. */
  rowOf(type: ContentType): PreparedPlan {
    let prepared = this.#rows.get(type.uid)
    if (!prepared) {
      const fields = [...type.fields.values()].filter(({ type: { secret } }) => !secret)
      const node = byId({ type, use: 'root', depth: 0, fields, where: always, order: [], children: [] })
      prepared = this.#parts.planner.prepare(node, { asText: false, counted: false, entries: 0 })
      this.#rows.set(type.uid, prepared)
    }
    return prepared
  }

  #within(ask: Ask, type: ContentType, shape: (node: QueryNode) => QueryNode, filters: Filters): PreparedPlan {
    const visitor = new Visitor(ask, noRules, new Budget(this.#parts.limits))
    const node = where(shape(visitor.enter(type, 'root', 0)), filters)
    return this.#parts.planner.prepare({ ...node, fields: [] }, { asText: false, counted: false, entries: 0 })
  }
}

const unlimited: Limits = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: 2_147_483_646 }
const noRules: Rules = { anyTarget: [], nestedParam: () => undefined, narrow: node => node }
