import { dialects } from '../dialect.js'
import type { Ask, Caller } from '../hooks.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { Budget } from './budget.js'
import { readFilters } from './filters.js'
import { all, type Condition, idField, Late, type QueryNode } from './tree.js'
import { Visitor } from './visitor.js'

/** Filters as a plugin writes them: the filter language of the API, with values in place of text. */
export type Filters = Readonly<Record<string, unknown>>

/** A narrower query: what it asked for, and these filters as well. */
export function where(query: QueryNode, filters: Filters): QueryNode {
  return { ...query, where: all(query.where, conditionOf(query.type, filters)) }
}

/** A value that is taken from the caller when the plan runs, so that one plan serves every caller of a scope. */
export function late<C extends Caller = Caller>(of: (caller: C) => unknown): Late {
  return new Late(of as (caller: never) => unknown)
}

/** Filters written by code are trusted: they may use private fields and need no rights, and no rule narrows them again. */
export function conditionOf(type: ContentType, filters: Filters): Condition {
  return readFilters(filters, {
    type,
    depth: 0,
    path: ['filters'],
    visitor: new TrustedVisitor(type),
    paging: noPaging,
  })
}

const noPaging = { defaultLimit: 25, maxLimit: null, withCount: false }
const unlimited = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: Infinity }

class TrustedVisitor extends Visitor {
  constructor(type: ContentType) {
    const ask: Ask = { type, action: 'find', scope: '', params: {}, dialect: dialects.spec, can: () => true }
    super(ask, { anyTarget: [], nestedParam: () => undefined, narrow: node => node }, new Budget(unlimited))
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
