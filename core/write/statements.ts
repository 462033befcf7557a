import type { Engine, Session } from '../store/engine.js'

/** The place of a value in a statement that is written once. */
class Value {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

interface Kept {
  readonly sql: string
  readonly order: readonly number[]
}

type Built = { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }

/** The statements of writes. The builder writes each once per table and set of columns; afterwards only values change. */
export class Statements {
  readonly #engine: Engine
  readonly #kept = new Map<string, Kept>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async insert(session: Session, table: string, row: Readonly<Record<string, unknown>>): Promise<number> {
    const columns = Object.keys(row)
    const { sql, order } = this.#keep(`insert ${table} ${columns.join()}`, () => {
      const query = this.#engine
        .knex(table)
        .insert(Object.fromEntries(columns.map((column, index) => [column, new Value(index)])))
      return this.#engine.name === 'postgres' ? query.returning('id') : query
    })
    const values = Object.values(row)
    const { id } = await session.run(
      sql,
      order.map(index => values[index]),
    )
    return id
  }

  /** Several rows with the same columns in one statement. */
  async insertAll(
    session: Session,
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): Promise<void> {
    for (let from = 0; from < rows.length; from += mostRows) {
      const some = rows.slice(from, from + mostRows)
      const { sql, order } = this.#keep(`insert ${table} ${columns.join()} ${some.length}`, () =>
        this.#engine
          .knex(table)
          .insert(
            some.map((_, at) =>
              Object.fromEntries(columns.map((column, index) => [column, new Value(at * columns.length + index)])),
            ),
          ),
      )
      const values = some.flat()
      await session.run(
        sql,
        order.map(index => values[index]),
      )
    }
  }

  async update(session: Session, table: string, id: number, row: Readonly<Record<string, unknown>>): Promise<void> {
    const columns = Object.keys(row)
    if (columns.length === 0) return
    const { sql, order } = this.#keep(`update ${table} ${columns.join()}`, () =>
      this.#engine
        .knex(table)
        .where('id', new Value(columns.length) as never)
        .update(Object.fromEntries(columns.map((column, index) => [column, new Value(index)]))),
    )
    const values = [...Object.values(row), id]
    await session.run(
      sql,
      order.map(index => values[index]),
    )
  }

  /** Rows whose columns equal the given values; a list means any of its values. */
  async remove(session: Session, table: string, match: Match): Promise<void> {
    if (isEmpty(match)) return
    const { sql, order } = this.#keep(`delete ${table} ${shapeOf(match)}`, () => this.#where(table, match).delete())
    const values = Object.values(match).flat()
    await session.run(
      sql,
      order.map(index => values[index]),
    )
  }

  async select(
    session: Session,
    table: string,
    columns: readonly string[],
    match: Match,
    more: SelectOptions = {},
  ): Promise<readonly (readonly unknown[])[]> {
    if (isEmpty(match)) return []
    const { orderBy = [], limit, lock = false } = more
    const { sql, order } = this.#keep(
      `select ${table} ${columns.join()} ${shapeOf(match)} ${orderBy.join()} ${limit ?? ''} ${lock}`,
      () => {
        const query = this.#where(table, match).select([...columns])
        for (const column of orderBy) query.orderBy(column)
        if (limit !== undefined) query.limit(limit)
        return lock && this.#engine.name !== 'sqlite' ? query.forUpdate() : query
      },
    )
    const values = Object.values(match).flat()
    return session.all(
      sql,
      order.map(index => (index < 0 ? limit : values[index])),
    )
  }

  /** Whoever else wants to change one of these rows waits for this transaction, or is run again after it. */
  async claim(session: Session, table: string, ids: readonly number[]): Promise<void> {
    // One writer at a time is all that SQLite has; elsewhere a lock alone would not reach a transaction that has begun.
    if (this.#engine.name === 'sqlite' || ids.length === 0) return
    const { knex } = this.#engine
    const { sql, order } = this.#keep(`claim ${table} ${ids.length}`, () =>
      this.#where(table, { id: ids }).update({ id: knex.ref('id') }),
    )
    const values = [...ids].sort((a, b) => a - b)
    await session.run(
      sql,
      order.map(index => values[index]),
    )
  }

  /** Runs a statement of any other kind, kept under its own key. */
  async run(
    session: Session,
    key: string,
    build: () => Built,
    values: readonly unknown[],
  ): Promise<readonly (readonly unknown[])[]> {
    const { sql, order } = this.#keep(key, build)
    return session.all(
      sql,
      order.map(index => values[index]),
    )
  }

  value(index: number): never {
    return new Value(index) as never
  }

  get knex() {
    return this.#engine.knex
  }

  #where(table: string, match: Match) {
    let index = 0
    const query = this.#engine.knex(table)
    for (const [column, wanted] of Object.entries(match)) {
      if (Array.isArray(wanted)) query.whereIn(column, wanted.map(() => new Value(index++)) as never)
      else query.where(column, new Value(index++) as never)
    }
    return query
  }

  #keep(key: string, build: () => Built): Kept {
    let kept = this.#kept.get(key)
    if (!kept) {
      const { sql, bindings } = build().toSQL().toNative()
      kept = { sql, order: bindings.map(binding => (binding instanceof Value ? binding.index : -1)) }
      if (this.#kept.size >= mostKept) this.#kept.clear()
      this.#kept.set(key, kept)
    }
    return kept
  }
}

export type Match = Readonly<Record<string, string | number | readonly (string | number)[]>>

interface SelectOptions {
  readonly orderBy?: readonly string[]
  readonly limit?: number
  /** Nobody else may change these rows before this transaction ends. */
  readonly lock?: boolean
}

/** A statement binds a limited number of values on every engine. */
const mostRows = 500
const mostKept = 2000

const isEmpty = (match: Match): boolean =>
  Object.values(match).some(wanted => Array.isArray(wanted) && wanted.length === 0)

const shapeOf = (match: Match): string =>
  Object.entries(match)
    .map(([column, wanted]) => (Array.isArray(wanted) ? `${column}:${wanted.length}` : column))
    .join()
