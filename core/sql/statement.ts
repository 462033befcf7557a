import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import { EntryId, type Late, Now } from '../query/tree.js'
import type { Field } from '../schema/types.js'

const none: readonly unknown[] = []

export const bare = (text: string): Sql => ({ text, values: none })

/** A text of several parts, with the values of all of them in its order. */
export function sql(...parts: readonly (string | Sql)[]): Sql {
  let text = ''
  let values = none
  for (const part of parts)
    if (typeof part === 'string') text += part
    else {
      text += part.text
      values = both(values, part.values)
    }
  return { text, values }
}

/** Parts with the same text between them. */
export function joined(parts: readonly Sql[], between: string): Sql {
  let text = ''
  let values = none
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as Sql
    text += index === 0 ? part.text : between + part.text
    values = both(values, part.values)
  }
  return { text, values }
}

const both = (first: readonly unknown[], second: readonly unknown[]): readonly unknown[] =>
  second.length === 0 ? first : first.length === 0 ? second : [...first, ...second]

/** The source of late values when a statement runs. */
export interface Moment {
  readonly caller: unknown
  /** Milliseconds since 1970. */
  readonly now: number
  readonly entryId?: number | undefined
}

/** A value that is taken from the request when the statement runs. */
export class LateValue {
  readonly #late: Late
  readonly field: Field
  readonly #engine: Engine

  constructor(late: Late, field: Field, engine: Engine) {
    this.#late = late
    this.field = field
    this.#engine = engine
  }

  /** Two callers of one scope may get different rows. */
  get isOfCaller(): boolean {
    return !(this.#late instanceof EntryId || this.isNow)
  }

  get isNow(): boolean {
    return this.#late instanceof Now
  }

  of({ caller, entryId, now }: Moment): unknown {
    if (this.#late instanceof EntryId) return entryId ?? null
    const { as, operand } = this.field.type
    if (this.isNow) return this.#engine.encode(as, now)
    const value = this.#late.of(caller)
    return this.#engine.encode(as, value === undefined || value === null ? null : operand(value, false))
  }
}

/** A value of a query text, where it is noted at which places it stands. */
export class MarkedValue {
  readonly value: unknown
  readonly places: number[] = []

  constructor(value: unknown) {
    this.value = value
  }
}

/** The place of a value that the query text brought: its number in the list of values. */
export class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

const slots: Slot[] = []

/** The values of one query, in the order in which it was written. Plans know their places only, and serve every query of their shape. */
export class Values {
  readonly list: unknown[] = []

  place(value: unknown): Slot {
    const index = this.list.push(value instanceof MarkedValue ? value.value : value) - 1
    if (value instanceof MarkedValue) value.places.push(index)
    slots[index] ??= new Slot(index)
    return slots[index]
  }

  /** The same SQL, with places in place of its values. */
  keep(sql: Sql): Sql {
    return sql.values.length === 0 ? sql : { text: sql.text, values: sql.values.map(value => this.place(value)) }
  }
}

/** The place of the ids whose linked rows are fetched, and of the number of entries that may still be read. */
class ParentIds {}
class Room {}
/** The places of the text before and after the entries of a response. */
class Head {}
class Tail {}
export const parentIds = new ParentIds()
export const room = new Room()
export const head = new Head()
export const tail = new Tail()

/** The most rows that a page without a limit gives. */
export const noLimit = 2_147_483_647

/** The text of a response around its entries. */
export interface Frame {
  readonly head: string
  readonly tail: string
}

/** A statement with the values of one run: those of the query, of the caller, and the ids that were found before. */
export function bind(
  engine: Engine,
  statement: Sql,
  values: readonly unknown[],
  run: { readonly moment: Moment; readonly ids?: readonly number[]; readonly room?: number; readonly frame?: Frame },
): Sql {
  const bound: unknown[] = []
  let { text } = statement
  for (const value of statement.values) {
    if (value instanceof Slot) {
      const given = values[value.index]
      bound.push(given instanceof LateValue ? given.of(run.moment) : given)
    } else if (value instanceof ParentIds) {
      const ids = run.ids ?? []
      const { words } = engine
      bound.push(...words.bindList(ids))
      if (words.expandList) text = words.expandList(text, ids.length)
    } else if (value instanceof Head) bound.push(run.frame?.head)
    else if (value instanceof Tail) bound.push(run.frame?.tail)
    else if (value instanceof Room) bound.push(run.room ?? noLimit)
    else bound.push(value)
  }
  return { text, values: bound }
}

/** The statement of the builder, with places where it was given places. */
export function statementOf(query: { toSQL(): { sql: string; bindings: readonly unknown[] } }): Sql {
  const { sql, bindings } = query.toSQL()
  return { text: sql, values: bindings }
}
