import { LRUCache } from 'lru-cache'
import type { Dialect } from '../dialect.js'
import type { Engine, Session } from '../engines/engine.js'
import { InvalidParameter } from '../errors.js'
import type { Caller } from '../query/ask.js'
import { tooSlow } from '../query/budget.js'
import { queryText } from '../query/query-text.js'
import { parseRaw, type Raw } from '../query/raw.js'
import type { QueryNode } from '../query/tree.js'
import type { QueryPlace } from '../query/visitor.js'
import type { Field } from '../schema/types.js'
import { bind } from '../sql/statement.js'
import { type GroupedStatement, grouped, valued } from './grouped.js'
import { type Measure, mostGroups, own, type Question, readQuestion } from './question.js'

/** The results of one group of entries: `{ group: { author: 3 }, count: { '*': 12 }, avg: { rating: 4.5 } }`. */
export type Aggregate = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface Plan extends GroupedStatement {
  readonly question: Question
}

/** The parts of the app that it works with. */
interface Parts {
  readonly engine: Engine
  readonly dialect: Dialect
  readonly maxParameters: number
  readonly statementTimeout: number
  readonly time: () => number
}

/** The query, its caller, and the session that reads. */
export interface AggregateRequest {
  readonly text: string
  readonly caller: Caller
  readonly session: Session
}

/** The entries that a list would show, as they were read of a text: once for a text and scope, which the number names. */
export interface EntriesRequest {
  readonly number: number
  readonly root?: { readonly node: QueryNode; readonly place: QueryPlace }
}

/** Counts, sums and averages of the entries that a list would show, by what they have in common. */
export class Aggregates {
  readonly #parts: Parts
  readonly #plans = new LRUCache<string, Plan>({
    ...{ max: 1000, maxSize: 500_000, maxEntrySize: 10_000 },
    sizeCalculation: (_, key) => key.length,
  })

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `entriesOf` reads which entries it is about, of the part of the text that says that. */
  async of(
    { text, caller, session }: AggregateRequest,
    entriesOf: (text: string) => EntriesRequest,
  ): Promise<Aggregate[]> {
    const { dialect, engine, maxParameters, statementTimeout, time } = this.#parts
    const raw = parseRaw(text, { maxParameters, strict: dialect.strictParams })
    for (const name of ['fields', 'populate', 'highlight'])
      if (Object.hasOwn(raw, name))
        throw new InvalidParameter([name], 'shapes entries, and aggregates have none; use groupBy and measures')
    const isOwn = ([name]: [string, unknown]) => own.includes(name)
    const entries = Object.entries(raw)
    const question: Raw = Object.fromEntries(entries.filter(isOwn))
    const rest = queryText(Object.fromEntries(entries.filter(entry => !isOwn(entry))))
    const plan = this.#remember(entriesOf(rest), question)
    const statement = bind(engine, plan.statement, plan.values, { moment: { caller, now: time() } })
    try {
      const rows = await session.all(statement.text, statement.values)
      if (rows.length > mostGroups)
        throw new InvalidParameter(
          ['groupBy'],
          `there are more than ${mostGroups} groups; narrow them with filters or having, or take some with sort and pagination[limit]`,
        )
      return rows.map(row => this.#written(row, plan.question))
    } catch (error) {
      throw engine.classify(error)?.kind === 'timeout' ? tooSlow(statementTimeout) : error
    }
  }

  #remember({ root, number }: EntriesRequest, raw: Raw): Plan {
    if (!root) throw new Error('a query for aggregates keeps its root')
    const key = `${number}\n${JSON.stringify(raw)}`
    const known = this.#plans.get(key)
    if (known) return known
    const { node, place } = root
    // The filters were read once for all that is asked of these entries.
    const question = readQuestion(raw, { ...place, visitor: place.visitor.apart() })
    const plan = { question, ...grouped(node, question, this.#parts) }
    this.#plans.set(key, plan)
    return plan
  }

  #written(row: readonly unknown[], { groups, measures }: Question): Aggregate {
    const found: Record<string, Record<string, unknown>> = { group: {} }
    const put = (kind: string, name: string, value: unknown) => {
      found[kind] ??= {}
      found[kind][name] = value
    }
    for (const [index, { name, order, unit }] of groups.entries())
      put('group', name, unit ? row[index] : this.#shown(order.field, row[index]))
    for (const [index, measure] of measures.entries())
      put(measure.does, measure.of, this.#measured(measure, row[groups.length + index]))
    return found
  }

  #measured(measure: Measure, value: unknown): unknown {
    const field = valued(measure)
    if (field) return this.#shown(field, value)
    return value === null ? null : Number(value)
  }

  #shown({ type: { as, show } }: Field, value: unknown): unknown {
    const { engine, dialect } = this.#parts
    // A database without a smallest boolean gives numbers behind relations.
    if (as === 'boolean' && typeof value === 'number') return value === 1
    const decoded = ((!dialect.paddedTimes && engine.printed) || engine.decode)(as, value)
    return show && decoded !== null ? show(decoded) : decoded
  }
}
