import { LRUCache } from 'lru-cache'
import { Reach } from '../cache/reach.js'
import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import { isHeavy } from '../query/budget.js'
import type { QueryNode } from '../query/tree.js'
import type { Field } from '../schema/types.js'
import { countOf } from './count.js'
import { countedIn } from './lead.js'
import type { Models } from './models.js'
import { NestedWriter, type Nesting, nestingOf } from './nested.js'
import { type NodePlan, RowPlanner } from './row-plan.js'
import { Selects } from './selects.js'
import { type Conditions, renderConditions, SqlWriter } from './sql.js'
import { head, joined, LateValue, sql, tail, Values } from './statement.js'

/** Everything about a query that does not depend on its values. Queries that differ only in values share it. */
export interface ReadPlan {
  /** The plan for fetching it row by row: written when it is first needed, which is never if one text is enough. */
  readonly root: NodePlan
  readonly count?: Sql
  /** All entries in one text, where nothing has to be put into them. */
  readonly whole?: Sql
  /** Entries leave as text; otherwise as objects that hooks and formats may touch. */
  readonly asText: boolean
  /** It is the database that writes the text. */
  readonly byDatabase: boolean
  /** Rows of the root end with the total of the list. */
  readonly isTotalled: boolean
  /** It can take long by its own fault. */
  readonly isHeavy: boolean
  /** On which rows its total and a response depend. */
  readonly reach: () => Reach
}

/** A plan with the values of one query. */
export interface PreparedPlan {
  readonly plan: ReadPlan
  readonly values: readonly unknown[]
  /** Some values are taken from the caller each time it runs. */
  readonly isLate: boolean
  /** The number of the value that says where the page begins. */
  readonly start: number | undefined
  /** The columns that it compares with the time at which it runs; undefined if there are none. */
  readonly timed?: readonly Field[]
}

export interface PlanOptions {
  readonly asText: boolean
  /** A total is wanted next to the page. */
  readonly counted: boolean
  /** The most entries that a response may hold. */
  readonly entries: number
  /** The scope of the caller, where types look different to it. */
  readonly scope?: string | undefined
}

/** Makes plans: knex and objection write each statement once per shape of query, and its text is cached. */
export class Planner {
  readonly #engine: Engine
  readonly #selects: Selects
  readonly #rowPlanner: RowPlanner
  readonly #dialect: Dialect
  readonly #emptyMeta: string | undefined
  readonly #plans = new LRUCache<string, ReadPlan>({
    max: maxShapes,
    maxSize: maxShapes * 4_000,
    maxEntrySize: 40_000,
    sizeCalculation: (_, key) => key.length,
  })

  /** `emptyMeta` is the JSON of an entry's meta that lists nothing; without it entries have none. */
  constructor(engine: Engine, models: Models, dialect: Dialect, emptyMeta?: string) {
    this.#engine = engine
    this.#selects = new Selects(engine, models)
    this.#rowPlanner = new RowPlanner(engine, dialect, this.#selects)
    this.#dialect = dialect
    this.#emptyMeta = emptyMeta
  }

  prepare(root: QueryNode, options: PlanOptions): PreparedPlan {
    const byDatabase = options.asText && this.#engine.words.jsonOf !== undefined && !isShownByCode(root)
    const heavy = isHeavy(root)
    const writer = new SqlWriter(this.#engine, this.#dialect, heavy)
    const nested = byDatabase && !root.page?.keyset ? nestingOf(root, options.entries) : undefined
    const form = byDatabase ? `text ${nested?.most}` : options.asText ? 'texts' : 'rows'
    const kept = new Values()
    const rendered = renderConditions(root, writer, kept)
    const isTotalled = options.counted && rendered.ranked !== undefined && this.#engine.search.countsWithPage
    const isFound = rendered.ranked || (this.#engine.search.followsAll && root.where.kind === 'matches')
    const counted = options.counted && isFound ? countedIn(root, this.#engine, kept) : undefined
    const conditions = isTotalled ? { ...rendered, isTotalled } : rendered
    const shape = `${form}\n${options.counted ? 'count' : ''}\n${options.scope ?? ''}\n${conditions.key}`
    let plan = this.#plans.get(shape)
    if (!plan) {
      const reach = lazily(() => new Reach(conditions))
      const rows = lazily(() => this.#rowPlanner.plan(conditions, writer, byDatabase))
      plan = {
        get root() {
          return rows()
        },
        reach,
        asText: options.asText,
        byDatabase,
        isHeavy: heavy,
        isTotalled,
        ...(options.counted && { count: countOf({ root, conditions, counted }, this.#selects, this.#engine) }),
        ...(nested && { whole: this.#selects.finished(this.#whole(conditions, writer, nested)) }),
      }
      this.#plans.set(shape, plan)
    }
    const values = kept.list
    const late = values.filter(value => value instanceof LateValue)
    const timed = new Set(late.filter(({ isNow }) => isNow).map(({ field }) => field))
    const isLate = late.some(value => value.isOfCaller)
    return { plan, values, start: conditions.page?.start.index, isLate, ...(timed.size > 0 && { timed: [...timed] }) }
  }

  /** The same page as the bytes of the whole response: no entry passes through JS, and nothing is copied here. */
  #whole(conditions: Conditions, writer: SqlWriter, nesting: Nesting): Sql {
    const nested = new NestedWriter(this.#engine, writer, nesting)
    const attributes = joined(nested.pairs(conditions), ', ')
    const listed = nested.meta(conditions)
    const empty = this.#emptyMeta && `json('${this.#emptyMeta.replaceAll("'", "''")}')`
    const meta = listed.length > 0 ? sql('json_object(', joined(listed, ', '), ')') : empty
    const beside = meta === undefined ? '' : sql(", 'meta', ", meta)
    const entry = sql("json_object('id', t.id, 'attributes', json_object(", attributes, ')', beside, ')')
    const written = { text: "select cast(? || group_concat(entry, ',') || ? as blob) from (", values: [head, tail] }
    return sql(written, this.#selects.page(conditions, [], entry), ')')
  }
}

/** A function that makes a value when it is first needed, and then releases the function that made it. */
function lazily<T>(make: () => T): () => T {
  let pending: (() => T) | undefined = make
  let made: T | undefined
  return () => {
    if (pending) made = pending()
    pending = undefined
    return made as T
  }
}

/** A field type says in code how its values are returned; timestamps are the one kind that the database writes so too. */
function isShownByCode({ fields, children }: QueryNode): boolean {
  return (
    fields.some(({ type: { as, show } }) => show !== undefined && as !== 'timestamp') ||
    children.some(({ nodes }) => nodes.some(isShownByCode))
  )
}

const maxShapes = 2000
