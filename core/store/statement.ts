import type { Engine } from './engine.js'
import { LateValue, type Moment } from './sql.js'

/** A statement with places for the values of one request. */
export interface Statement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** The place of a value that the query text brought: its number in the list of values. */
export class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}
/** The place of the ids whose linked rows are fetched, and of the number of entries that may still be read. */
class ParentIds {}
class Room {}
/** The places of what stands before and after the entries of an answer. */
class Head {}
class Tail {}
export const parentIds = new ParentIds()
export const room = new Room()
export const head = new Head()
export const tail = new Tail()

/** The most rows that a page without a limit gives. */
export const noLimit = 2_147_483_647

/** What an answer has around its entries. */
export interface Frame {
  readonly head: string
  readonly tail: string
}

/** The values of a statement for one run: those of the query, of the caller, and the ids that were found before. */
export function bind(
  engine: Engine,
  { sql, bindings }: Statement,
  values: readonly unknown[],
  run: { readonly moment: Moment; readonly ids?: readonly number[]; readonly room?: number; readonly frame?: Frame },
): { sql: string; values: unknown[] } {
  const bound: unknown[] = []
  let text = sql
  for (const binding of bindings) {
    if (binding instanceof Slot) {
      const value = values[binding.index]
      bound.push(value instanceof LateValue ? value.of(run.moment) : value)
    } else if (binding instanceof ParentIds) {
      const ids = run.ids ?? []
      bound.push(...engine.bindList(ids))
      if (engine.expandList) text = engine.expandList(text, ids.length)
    } else if (binding instanceof Head) bound.push(run.frame?.head)
    else if (binding instanceof Tail) bound.push(run.frame?.tail)
    else if (binding instanceof Room) bound.push(run.room ?? noLimit)
    else bound.push(binding)
  }
  return { sql: text, values: bound }
}

/** What the builder wrote, with places where it was given places. */
export function statementOf(query: {
  toKnexQuery(): { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }
}): Statement {
  const { sql, bindings } = query.toKnexQuery().toSQL().toNative()
  return { sql, bindings }
}
