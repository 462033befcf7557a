import { dialects } from '../dialect.js'
import type { Ask, Caller } from '../hooks.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { Budget } from './budget.js'
import { readFilters } from './filters.js'
import { all, type Condition, depthOf, idField, Late, type QueryNode } from './tree.js'
import { Visitor } from './visitor.js'

/** Filters as a plugin writes them: the filter language of the API, with values in place of text. */
export type Filters = Readonly<Record<string, unknown>>

/**
 * A narrower query: what it asked for, and these filters as well. With the ask of the request, the rows behind links are
 * those that its hooks and rules let through; without, all there are. Filters that are frozen are read once for a type.
 */
export function where(query: QueryNode, filters: Filters, ask?: Ask): QueryNode {
  return { ...query, where: all(query.where, conditionOf(query.type, filters, ask)) }
}

/** A value that is taken from the caller when the plan runs, so that one plan serves every caller of a scope. */
export function late<C extends Caller = Caller>(of: (caller: C) => unknown): Late {
  return new Late(of as (caller: never) => unknown)
}

/**
 * Filters written by code are trusted: they may use private fields and need no rights. Beside the operators of requests
 * they have `{ link: { $none: filters } }`: nothing behind the link meets them.
 */
export function conditionOf(type: ContentType, filters: Filters, ask?: Ask): Condition {
  const conditions = ask && Object.isFrozen(filters) ? conditionsOf(filters) : undefined
  const known = conditions?.get(type)
  if (known) return known
  const visitor = new TrustedVisitor(type, ask)
  const condition = readFilters(filters, { type, depth: 0, path: ['filters'], visitor, paging: noPaging })
  // What is behind a link differs with who asks.
  if (depthOf(condition) === 0) conditions?.set(type, condition)
  return condition
}

const frozen = new WeakMap<Filters, WeakMap<ContentType, Condition>>()

function conditionsOf(filters: Filters): WeakMap<ContentType, Condition> {
  const conditions = frozen.get(filters) ?? new WeakMap<ContentType, Condition>()
  frozen.set(filters, conditions)
  return conditions
}

const noPaging = { defaultLimit: 25, maxLimit: null, withCount: false }
const unlimited = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: Infinity }

const codeAsk = (type: ContentType): Ask => ({
  type,
  action: 'find',
  scope: '',
  params: {},
  dialect: dialects.spec,
  can: () => true,
  narrow: node => node,
})

class TrustedVisitor extends Visitor {
  override readonly trusted = true

  constructor(type: ContentType, ask?: Ask) {
    const narrow = ask?.narrow ?? (node => node)
    super(ask ?? codeAsk(type), { anyTarget: [], nestedParam: () => undefined, narrow }, new Budget(unlimited))
  }

  override field(type: ContentType, name: string, path: readonly string[]): Field {
    const field = name === 'id' ? idField : type.fields.get(name)
    if (!field) throw this.unknown(type, name, path)
    return field
  }

  override linkToAsk(type: ContentType, name: string): Link | undefined {
    return type.links.get(name)
  }
}
