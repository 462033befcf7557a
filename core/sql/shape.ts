import { LRUCache } from 'lru-cache'
import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import { areDifferent, partsOf, type QuerySlots, Slots } from '../query/slots.js'
import { isFar } from '../query/sort.js'
import type { PageRequest, Slot } from '../query/tree.js'
import type { PreparedPlan } from './plan.js'
import { SqlWriter } from './sql.js'

/** The plan of a query. */
export interface PlannedQuery {
  readonly prepared: PreparedPlan
  readonly page?: PageRequest
}

/** The plans of queries whose texts differ in values alone. */
interface LearnedShapes<T extends PlannedQuery> {
  readonly shapes: Shape<T>[]
  tries: number
}

const maxShapes = 2000
/** The number of attempts to learn a shape: a page far down the list has another plan than the first, and so have some values. */
const mostTries = 4

/** The shapes of queries, each shared by those that differ in values alone: learned from the second one. */
export class Shapes<T extends PlannedQuery> {
  readonly #writer: SqlWriter
  readonly #learned = new LRUCache<string, LearnedShapes<T>>({
    max: maxShapes,
    maxSize: maxShapes * 500,
    maxEntrySize: 10_000,
    sizeCalculation: (_, key) => key.length,
  })

  constructor(engine: Engine, dialect: Dialect) {
    this.#writer = new SqlWriter(engine, dialect, false)
  }

  forget(): void {
    this.#learned.clear()
  }

  /** Reads a query text as a whole, unless only its values are new: then the query is `like` one that was read before. */
  read(scope: string, text: string, how: QueryReader<T>): T {
    const parts = partsOf(text)
    if (!parts) return how.whole()
    const key = scope + parts.key
    const known = this.#learned.get(key)
    if (!known) this.#learned.set(key, { shapes: [], tries: 0 })
    for (const shape of known?.shapes ?? []) {
      const made = shape.with(parts.values)
      if (made) return how.like(shape.first, made)
    }
    if (!known || known.tries === mostTries || !areDifferent(parts.values)) return how.whole()
    const slots = new Slots()
    const first = how.whole(slots)
    const found = first.page?.cursor ? undefined : slots.of(parts)
    known.tries += 1
    if (found) known.shapes.push(new Shape(first, found, this.#writer))
    return first
  }
}

interface QueryReader<T> {
  readonly whole: (slots?: Slots) => T
  readonly like: (first: T, planned: PlannedQuery) => T
}

/** Queries that differ in the values of their slots alone: they have one plan, and only these values are read and bound. */
class Shape<T extends PlannedQuery> {
  readonly first: T
  readonly #found: QuerySlots
  readonly #writer: SqlWriter

  constructor(first: T, found: QuerySlots, writer: SqlWriter) {
    this.first = first
    this.#found = found
    this.#writer = writer
  }

  /** Undefined where a value is refused, or might ask for another plan: then the query is read as a whole. */
  with(raws: readonly string[]): PlannedQuery | undefined {
    const { prepared, page } = this.first
    const values = [...prepared.values]
    const { slots } = this.#found
    try {
      for (let index = 0; index < slots.length; index += 1) {
        const slot = slots[index]
        if (slot && !this.#fill(values, slot, raws[index] as string)) return undefined
      }
      const turned = this.#found.page?.(raws)
      if (!turned) return { prepared: { ...prepared, values }, ...(page && { page }) }
      if (!page || !isAlike(page, turned) || prepared.start === undefined) return undefined
      values[prepared.start] = turned.start
      return { prepared: { ...prepared, values }, page: turned }
    } catch {
      return undefined
    }
  }

  #fill(values: unknown[], { read, written }: Slot, raw: string): boolean {
    const condition = read(raw)
    if (condition.kind !== 'compare') return false
    for (const { compare, alias, text, places } of written) {
      if (condition.operator !== compare.operator || condition.values.length !== compare.values.length) return false
      const { field, operator, pattern } = compare
      const again = { kind: 'compare', field, operator, values: condition.values, ...(pattern && { pattern }) } as const
      const made = this.#writer.condition(again, alias)
      if (made?.text !== text || made.values.length !== places.length) return false
      for (const [index, ofValue] of places.entries()) for (const place of ofValue) values[place] = made.values[index]
    }
    return true
  }
}

const isAlike = (one: PageRequest, other: PageRequest): boolean =>
  one.form === other.form &&
  one.limit === other.limit &&
  one.withCount === other.withCount &&
  !one.cursor &&
  !other.cursor &&
  isFar(one.start) === isFar(other.start)
