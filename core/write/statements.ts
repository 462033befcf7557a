import { takesPieces } from '../engines/batch.js'
import type { Engine, Session } from '../engines/engine.js'
import type { BoundValue, Match, NewRows, Question, Rows, Select, Selection } from './asked-rows.js'

/** The place of a value in a statement that is written once. */
class Value {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

interface Statement {
  readonly sql: string
  readonly order: readonly number[]
  /** The order is that of the values: there is nothing to rearrange. */
  readonly isPlain: boolean
}

/** Told why a statement has failed. */
type FailureListener = (reason: unknown) => void

type BuiltQuery = { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }

/** The statements of writes. The builder writes each once per table and set of columns; afterwards only values change. */
export class Statements {
  readonly #engine: Engine
  readonly #cached = new Map<string, Statement>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async insert(session: Session, table: string, row: Readonly<Record<string, unknown>>): Promise<number> {
    const columns = Object.keys(row)
    const statement = this.#statement(`insert ${table} ${columns.join()}`, () => {
      const query = this.#engine
        .knex(table)
        .insert(Object.fromEntries(columns.map((column, index) => [column, new Value(index)])))
      return this.#engine.facts.returnsIds ? query.returning('id') : query
    })
    return (await session.run(statement.sql, bound(statement, Object.values(row)))).id
  }

  /** Several rows with the same columns in one statement. */
  async insertAll(
    session: Session,
    table: string,
    { columns, rows, next }: NewRows,
    failed?: FailureListener,
  ): Promise<void> {
    const { knex } = this.#engine
    const place = '(select coalesce(max(??), 0) + 1 from ?? where ?? = ?)'
    const newRow = (from: number) => {
      const value = (column: string) => this.value(from + columns.indexOf(column))
      const row = Object.fromEntries(columns.map(column => [column, value(column)]))
      return next ? { ...row, [next.column]: knex.raw(place, [next.column, table, next.of, value(next.of)]) } : row
    }
    for (let from = 0; from < rows.length; from += mostRows) {
      const some = rows.slice(from, from + mostRows)
      const key = `insert ${table} ${columns.join()} ${some.length} ${next?.column ?? ''}`
      const statement = this.#statement(key, () => knex(table).insert(some.map((_, at) => newRow(at * columns.length))))
      const values = some.length === 1 ? (some[0] as readonly unknown[]) : some.flat()
      await this.#change(session, statement, values, failed)
    }
  }

  async update(session: Session, table: string, id: number, row: Readonly<Record<string, unknown>>): Promise<void> {
    const columns = Object.keys(row)
    if (columns.length === 0) return
    const statement = this.#statement(`update ${table} ${columns.join()}`, () =>
      this.#engine
        .knex(table)
        .where('id', this.value(columns.length))
        .update(Object.fromEntries(columns.map((column, index) => [column, new Value(index)]))),
    )
    const values = Object.values(row)
    values.push(id)
    await this.#change(session, statement, values)
  }

  /** Rows whose columns equal the given values; a list means any of its values. */
  async remove(session: Session, table: string, match: Match): Promise<void> {
    if (isEmpty(match)) return
    const statement = this.#statement(`delete ${table} ${shapeOf(match)}`, () => this.#where(table, match).delete())
    await this.#change(session, statement, addValues([], match))
  }

  select(session: Session, { match, ...selection }: Selection & { readonly match: Match }): Rows | Promise<Rows> {
    if (isEmpty(match)) return []
    const { table, columns, orderBy = [], limit, lock } = selection
    const key = `select ${table} ${columns.join()} ${shapeOf(match)} ${orderBy.join()} ${limit ?? ''} ${lock ?? false}`
    const statement = this.#statement(key, () => this.#selecting(selection, match))
    return session.all(statement.sql, bound(statement, addValues([], match)))
  }

  /** The same for a selection that is made again and again, by a value of each of these columns, or several of the last. */
  selecting(selection: Selection, by: readonly string[]): Select {
    const known: Statement[] = []
    const last = by.length - 1
    const matchOf = (values: readonly BoundValue[]): Match => {
      const wanted = (index: number) =>
        index === last && values.length > by.length ? values.slice(last) : (values[index] as BoundValue)
      return Object.fromEntries(by.map((column, index) => [column, wanted(index)]))
    }
    return (session, values) => {
      if (values.length < by.length) return []
      if (values.length > mostUsual) return this.select(session, { ...selection, match: matchOf(values) })
      known[values.length] ??= rendered(this.#selecting(selection, matchOf(values)))
      const statement = known[values.length] as Statement
      return session.all(statement.sql, bound(statement, values))
    }
  }

  #selecting({ table, columns, orderBy = [], limit, lock = false }: Selection, match: Match): BuiltQuery {
    const query = this.#where(table, match).select([...columns])
    for (const column of orderBy) query.orderBy(column)
    // Bound, a limit makes SQLite prepare the statement anew each time.
    if (limit !== undefined) query.limit(limit, { skipBinding: true })
    if (!lock || this.#engine.facts.oneWriter) return query
    return lock === 'share' ? query.forShare() : query.forUpdate()
  }

  /** The results of some questions, in one statement. */
  async resultsOf(
    session: Session,
    questions: readonly Question[],
    values: readonly BoundValue[] = valuesOf(questions),
  ): Promise<Rows[number]> {
    if (questions.length === 0) return []
    let key = 'results'
    for (const { table, match, except, last } of questions) key += ` ${table} ${shapeOf(match)} ${!except} ${last}`
    const build = () => {
      const place = this.#places()
      return this.knex.select(
        questions.map(({ table, match, except, last }, at) => {
          const query = this.#where(table, match, place)
          if (except !== undefined) query.where('id', '<>', place())
          return (last === undefined ? query.count() : query.max(last)).as(`a${at}`)
        }),
      )
    }
    return (await this.run(session, key, build, values))[0] ?? []
  }

  /** Other transactions that change one of these rows wait for this one, or are retried after it. */
  async claim(session: Session, table: string, ids: readonly number[]): Promise<void> {
    // A database with one writer at a time has no other one to lock out; elsewhere a lock alone would not reach a transaction
    // that has begun.
    if (this.#engine.facts.oneWriter || ids.length === 0) return
    const { knex } = this.#engine
    const statement = this.#statement(`claim ${table} ${ids.length}`, () =>
      this.#where(table, { id: ids }).update({ id: knex.ref('id') }),
    )
    const values = [...ids].sort((a, b) => a - b)
    await this.#change(session, statement, values)
  }

  /** Nothing is made of its result, so it may be collected; then an error is that of the next statement. */
  #change(session: Session, statement: Statement, values: readonly unknown[], failed?: FailureListener): unknown {
    const given = bound(statement, values)
    const ran = takesPieces(session) ? session.batch.run(statement.sql, given) : session.run(statement.sql, given)
    if (failed && ran instanceof Promise) ran.catch(failed)
    return takesPieces(session) ? undefined : ran
  }

  /** Runs a statement of any other kind, cached under its own key. */
  run(session: Session, key: string, build: () => BuiltQuery, values: readonly unknown[]): Rows | Promise<Rows> {
    const statement = this.#statement(key, build)
    return session.all(statement.sql, bound(statement, values))
  }

  value(index: number): never {
    return new Value(index) as never
  }

  get knex() {
    return this.#engine.knex
  }

  /** The places of values, one after the other. */
  #places() {
    let index = 0
    return () => this.value(index++)
  }

  #where(table: string, match: Match, place = this.#places()) {
    const query = this.#engine.knex(table)
    for (const [column, wanted] of Object.entries(match)) {
      if (Array.isArray(wanted)) query.whereIn(column, wanted.map(place))
      else query.where(column, place())
    }
    return query
  }

  #statement(key: string, build: () => BuiltQuery): Statement {
    let cached = this.#cached.get(key)
    if (!cached) {
      cached = rendered(build())
      if (this.#cached.size >= maxCached) this.#cached.clear()
      this.#cached.set(key, cached)
    }
    return cached
  }
}

/** The values that questions bind. */
export function valuesOf(questions: readonly Question[]): BoundValue[] {
  const values: BoundValue[] = []
  for (const { match, except } of questions) {
    addValues(values, match)
    if (except !== undefined) values.push(except)
  }
  return values
}

/** A statement binds a limited number of values on every engine. */
const mostRows = 500
const maxCached = 2000
/** Values of one selection of which each number has its text at hand. */
const mostUsual = 16
/** Questions and values of one statement: the text of one with more is long. */
export const mostAsked = 50

function rendered(built: BuiltQuery): Statement {
  const { sql, bindings } = built.toSQL().toNative()
  const order = bindings.map(binding => (binding as Value).index)
  return { sql, order, isPlain: order.every((index, place) => index === place) }
}

const bound = ({ order, isPlain }: Statement, values: readonly unknown[]): readonly unknown[] =>
  isPlain ? values : order.map(index => values[index])

const isEmpty = (match: Match): boolean =>
  Object.values(match).some(wanted => Array.isArray(wanted) && wanted.length === 0)

function shapeOf(match: Match): string {
  let shape = ''
  for (const column of Object.keys(match)) {
    const wanted = match[column]
    shape += Array.isArray(wanted) ? `,${column}:${wanted.length}` : `,${column}`
  }
  return shape
}

function addValues(values: BoundValue[], match: Match): BoundValue[] {
  for (const column of Object.keys(match)) {
    const wanted = match[column] as BoundValue | readonly BoundValue[]
    if (typeof wanted === 'object') values.push(...wanted)
    else values.push(wanted)
  }
  return values
}
