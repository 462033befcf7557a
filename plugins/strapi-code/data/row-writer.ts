import type { Session } from '../../../core/index.js'
import { LinkWriter } from './link-writer.js'
import type { Model, Models } from './models.js'
import { chunks, type Sql, sql, type Writing } from './sql.js'
import { bound } from './values.js'
import { isPlain } from './where.js'

type Data = Readonly<Record<string, unknown>>

/** Writes rows as they are given: nothing is checked or hashed; unknown names are left out. */
export class RowWriter {
  readonly #writing: Writing
  readonly links: LinkWriter

  constructor(models: Models, writing: Writing) {
    this.#writing = writing
    this.links = new LinkWriter(models, writing)
  }

  async create(session: Session, model: Model, data: Data): Promise<number> {
    const row = { ...this.#row(model, data, true), ...this.links.ownColumns(model, data) }
    const [id] = await this.#insert(session, model, [row])
    await this.links.write(session, { model, data, id: id as number, isNew: true })
    return id as number
  }

  /** Without what links lead to. */
  async createMany(session: Session, model: Model, list: readonly Data[]): Promise<number[]> {
    const ids: number[] = []
    for (const part of chunks(list, 500))
      ids.push(
        ...(await this.#insert(
          session,
          model,
          part.map(data => ({ ...this.#row(model, data, true), ...this.links.ownColumns(model, data) })),
        )),
      )
    return ids
  }

  async update(session: Session, model: Model, id: number, data: Data): Promise<void> {
    const row = { ...this.#row(model, data, false), ...this.links.ownColumns(model, data) }
    if (Object.keys(row).length > 0) await this.#set(session, model, row, sql(`${this.#writing.name('id')} = ?`, id))
    await this.links.write(session, { model, data, id: Number(row.id ?? id), isNew: false })
  }

  /** All rows that meet a condition, without what links lead to. */
  async updateWhere(session: Session, model: Model, data: Data, where: Sql): Promise<number> {
    return this.#set(session, model, this.#changes(model, data), where)
  }

  /** All rows that meet a condition; undefined where there is more to do than the database does by itself. */
  async removeWhere(session: Session, model: Model, { text, values }: Sql): Promise<number | undefined> {
    if (this.links.leavesRows(model)) return undefined
    return this.#writing.change(session, sql(`delete from ${this.#writing.name(model.table)} where ${text}`, ...values))
  }

  /** Without what links lead to. */
  async updateMany(session: Session, model: Model, data: Data, ids: readonly number[]): Promise<number> {
    const row = this.#changes(model, data)
    let count = 0
    for (const part of chunks(ids)) {
      const list = this.#writing.list(part)
      count += await this.#set(session, model, row, sql(`${this.#writing.name('id')} in ${list.text}`, ...list.values))
    }
    return count
  }

  async remove(session: Session, model: Model, ids: readonly number[]): Promise<number> {
    await this.links.forget(session, model, ids)
    let count = 0
    for (const part of chunks(ids)) {
      const list = this.#writing.list(part)
      const text = `delete from ${this.#writing.name(model.table)} where ${this.#writing.name('id')} in ${list.text}`
      count += await this.#writing.change(session, sql(text, ...list.values))
    }
    return count
  }

  #changes(model: Model, data: Data): Record<string, unknown> {
    const row = { ...this.#row(model, data, false), ...this.links.ownColumns(model, data) }
    if (Object.keys(row).length === 0) throw new Error('Update requires data')
    return row
  }

  /** The values of columns as the driver takes them. */
  #row(model: Model, data: Data, isNew: boolean): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const column of model.columns.values()) {
      const given = data[column.name]
      const value = given === undefined && isNew ? defaultOf(column.attribute.default) : given
      if (value !== undefined) row[column.column] = bound(this.#writing.store, column, value)
    }
    return row
  }

  #set(session: Session, model: Model, row: Data, where: Sql): Promise<number> {
    const columns = Object.keys(row)
    const set = columns.map(column => `${this.#writing.name(column)} = ?`).join(', ')
    const text = `update ${this.#writing.name(model.table)} set ${set} where ${where.text}`
    return this.#writing.change(session, sql(text, ...Object.values(row), ...where.values))
  }

  /** The ids of new rows, in their order. */
  async #insert(session: Session, model: Model, rows: readonly Data[]): Promise<number[]> {
    const { facts } = this.#writing.store
    const name = (column: string) => this.#writing.name(column)
    const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
    const isEmpty = columns.length === 0
    const used = isEmpty ? ['id'] : columns
    const place = (row: Data, column: string) => (isEmpty ? 'default' : row[column] === undefined ? 'null' : '?')
    const values = isEmpty
      ? []
      : rows.flatMap(row => columns.flatMap(column => (row[column] === undefined ? [] : [row[column]])))
    const tuples = rows.map(row => `(${used.map(column => place(row, column)).join(', ')})`).join(', ')
    const isDefault = isEmpty && facts.oneWriter
    const body = isDefault ? 'default values' : `(${used.map(name).join(', ')}) values ${tuples}`
    const text = `insert into ${name(model.table)} ${body}`
    if (facts.returnsIds) {
      const found = await this.#writing.rows(session, sql(`${text} returning ${name('id')}`, ...values))
      return found.map(([id]) => Number(id))
    }
    const { id } = await session.run(text, values)
    // One statement gives its rows ids in a series; where one transaction writes at a time, the last of them is told.
    const first = facts.oneWriter ? id - rows.length + 1 : id
    return rows.map((row, index) => (row.id === undefined ? first + index : Number(row.id)))
  }
}

function defaultOf(value: unknown): unknown {
  if (typeof value === 'function') return value()
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** True for an entry that has no id yet. */
export const isUnstored = (value: unknown): boolean => isPlain(value) && value.id === undefined
