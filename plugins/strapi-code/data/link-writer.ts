import type { Link, LinkStorage, Session } from '../../../core/index.js'
import type { Model, Models } from './models.js'
import { isSame, listAfter, readChange, type Target } from './relations.js'
import { chunks, joined, type Sql, sql, type Writing } from './sql.js'

type InTable = Extract<LinkStorage, { via: 'table' }>

/** A link of a row that is written. */
interface Place {
  readonly model: Model
  readonly link: Link
  readonly id: number
  readonly isNew: boolean
}

/** A row that is written, and the data that names its links. */
interface Written extends Omit<Place, 'link'> {
  readonly data: Readonly<Record<string, unknown>>
}

/** A row of a link as it stands. */
interface LinkRow extends Target {
  readonly row: number
  readonly place: number | null
}

/** Writes what links lead to: rows in the tables of links, columns of the other side. */
export class LinkWriter {
  readonly #models: Models
  readonly #writing: Writing

  constructor(models: Models, writing: Writing) {
    this.#models = models
    this.#writing = writing
  }

  /** The columns of the own row in which links are kept. */
  ownColumns(model: Model, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const { name, storage } of model.links.values()) {
      if (storage.via !== 'column' || data[name] === undefined) continue
      const change = readChange(data[name])
      if (change.kind === 'partial' && change.connect.length === 0 && change.disconnect.length === 0) continue
      const target = change.kind === 'set' ? change.targets[0] : change.connect.at(-1)
      row[storage.column] = target?.id ?? null
      if (storage.typeColumn !== undefined) row[storage.typeColumn] = target?.type ?? null
    }
    return row
  }

  /** Writes all links that the data names, except those in columns of the own row. */
  async write(session: Session, written: Written): Promise<void> {
    await this.#writeSome(session, written, () => true)
  }

  /** Writes the links to components alone. */
  async writeParts(session: Session, written: Written): Promise<void> {
    await this.#writeSome(session, written, ({ embedded, storage }) => embedded === true && storage.via === 'table')
  }

  async #writeSome(session: Session, { data, ...at }: Written, isWanted: (link: Link) => boolean): Promise<void> {
    for (const link of at.model.links.values()) {
      const value = data[link.name]
      if (value === undefined || link.storage.via === 'column' || !isWanted(link)) continue
      const place = { ...at, link }
      if (link.storage.via === 'target') await this.#writeTarget(session, place, value)
      else await this.#writeTable(session, place, link.storage, value)
    }
  }

  /** True where rows of links stay though a row of the model goes: they lead to any type, and no key covers them. */
  leavesRows({ links }: Model): boolean {
    return [...links.values()].some(
      ({ storage, embedded }) => storage.via === 'table' && !embedded && Object.keys(storage.match).length > 0,
    )
  }

  /** Rows that lead to or from rows that go, as far as no key of the database takes them along. */
  async forget(session: Session, model: Model, ids: readonly number[]): Promise<void> {
    for (const { storage, embedded } of model.links.values()) {
      if (storage.via !== 'table' || (Object.keys(storage.match).length === 0 && !embedded)) continue
      for (const part of chunks(ids)) {
        const list = this.#writing.list(part)
        const where = this.#where(storage, [sql(`${this.#writing.name(storage.from)} in ${list.text}`, ...list.values)])
        await this.#writing.change(
          session,
          joined([sql(`delete from ${this.#writing.name(storage.table)}`), where], ' where '),
        )
      }
    }
  }

  #where(storage: InTable, more: readonly Sql[]): Sql {
    const matches = Object.entries(storage.match).map(([column, value]) =>
      sql(`${this.#writing.name(column)} = ?`, value),
    )
    return joined([...more, ...matches], ' and ')
  }

  /** The other side's column leads back. */
  async #writeTarget(session: Session, { link, id, isNew }: Place, value: unknown): Promise<void> {
    const { storage } = link
    const target = this.#models.target(link)
    if (storage.via !== 'target' || !target) return
    const change = readChange(value)
    const name = (column: string) => this.#writing.name(column)
    const table = name(target.table)
    const clear = [storage.column, ...Object.keys(storage.match)].map(column => `${name(column)} = null`).join(', ')
    const own = sql(`${name(storage.column)} = ?`, id)
    const matches = Object.entries(storage.match).map(([column, text]) => sql(`${name(column)} = ?`, text))
    if (!isNew && change.kind === 'set')
      await this.#writing.change(
        session,
        joined([sql(`update ${table} set ${clear}`), joined([own, ...matches], ' and ')], ' where '),
      )
    const gone = change.kind === 'partial' ? change.disconnect.map(one => one.id) : []
    if (gone.length > 0) {
      const list = this.#writing.list(gone)
      const where = joined([own, sql(`${name('id')} in ${list.text}`, ...list.values), ...matches], ' and ')
      await this.#writing.change(session, joined([sql(`update ${table} set ${clear}`), where], ' where '))
    }
    const come = (change.kind === 'set' ? change.targets : change.connect).map(one => one.id)
    if (come.length === 0) return
    const list = this.#writing.list(link.many ? come : come.slice(-1))
    const set = joined([own, ...matches], ', ')
    await this.#writing.change(
      session,
      sql(`update ${table} set ${set.text} where ${name('id')} in ${list.text}`, ...set.values, ...list.values),
    )
  }

  async #writeTable(session: Session, place: Place, storage: InTable, value: unknown): Promise<void> {
    const { link, id, isNew } = place
    const current = isNew ? [] : await this.#rowsOf(session, storage, id)
    const change = readChange(typed(link, value))
    // A plain component, which has no id, was not stored before: it belongs to nothing.
    const wanted = listAfter(current, change)
    // One entry is linked at most there: the last that was named stays.
    const last = change.kind === 'partial' && change.connect.length > 0 ? change.connect.slice(-1) : wanted.slice(-1)
    const list = link.many ? wanted : last
    const gone = current.filter(row => !list.some(target => isSame(row, target)))
    await this.#remove(session, storage, gone)
    const added = list.filter(target => !current.some(row => isSame(row, target)))
    await this.#renumber(session, storage, list, current)
    if (added.length > 0) await this.#add(session, place, storage, { list, added })
  }

  async #rowsOf(session: Session, storage: InTable, id: number): Promise<LinkRow[]> {
    const { table, from, to, order, typeColumn } = storage
    const name = (column: string) => this.#writing.name(column)
    const columns = [
      'id',
      to,
      ...(order === undefined ? [] : [order]),
      ...(typeColumn === undefined ? [] : [typeColumn]),
    ]
    const where = this.#where(storage, [sql(`${name(from)} = ?`, id)])
    const sorted = [...(order === undefined ? [] : [name(order)]), name('id')].join(', ')
    const rows = await this.#writing.rows(
      session,
      sql(
        `select ${columns.map(name).join(', ')} from ${name(table)} where ${where.text} order by ${sorted}`,
        ...where.values,
      ),
    )
    return rows.map(row => ({
      row: Number(row[0]),
      id: Number(row[1]),
      place: order === undefined || row[2] === null ? null : Number(row[2]),
      ...(typeColumn !== undefined && { type: String(row.at(-1)) }),
    }))
  }

  async #remove(session: Session, { table }: InTable, rows: readonly LinkRow[]): Promise<void> {
    if (rows.length === 0) return
    const list = this.#writing.list(rows.map(({ row }) => row))
    const text = `delete from ${this.#writing.name(table)} where ${this.#writing.name('id')} in ${list.text}`
    await this.#writing.change(session, sql(text, ...list.values))
  }

  /** The list of the owner counts from 1; rows that have their number already stay as they are. */
  async #renumber(session: Session, { table, order }: InTable, list: readonly Target[], current: readonly LinkRow[]) {
    if (order === undefined) return
    for (const [index, target] of list.entries()) {
      const row = current.find(one => isSame(one, target))
      if (!row || row.place === index + 1) continue
      const text = `update ${this.#writing.name(table)} set ${this.#writing.name(order)} = ? where ${this.#writing.name('id')} = ?`
      await this.#writing.change(session, sql(text, index + 1, row.row))
    }
  }

  async #add(
    session: Session,
    { link, id }: Place,
    storage: InTable,
    { list, added }: { readonly list: readonly Target[]; readonly added: readonly Target[] },
  ): Promise<void> {
    const { table, from, to, order, inverseOrder, typeColumn, match } = storage
    const name = (column: string) => this.#writing.name(column)
    const ids = added.map(target => target.id)
    if (link.exclusive) {
      const taken = this.#writing.list(ids)
      await this.#writing.change(
        session,
        sql(`delete from ${name(table)} where ${name(to)} in ${taken.text}`, ...taken.values),
      )
    }
    const last = inverseOrder === undefined ? undefined : await this.#lastPlaces(session, storage, ids)
    const rows = added.map(target => {
      const row: Record<string, unknown> = { [from]: id, [to]: target.id, ...match }
      if (typeColumn !== undefined && target.type !== undefined) row[typeColumn] = target.type
      if (order !== undefined) row[order] = list.findIndex(one => isSame(one, target)) + 1
      if (inverseOrder !== undefined) row[inverseOrder] = (last?.get(target.id) ?? 0) + 1
      // The attribute at the other end of a link to any type.
      if (typeColumn !== undefined && !link.embedded && target.pivot?.field !== undefined)
        row.field = target.pivot.field
      return row
    })
    const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
    for (const part of chunks(rows, 500)) {
      const places = part.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')
      const values = part.flatMap(row => columns.map(column => row[column] ?? null))
      await this.#writing.change(
        session,
        sql(`insert into ${name(table)} (${columns.map(name).join(', ')}) values ${places}`, ...values),
      )
    }
  }

  async #lastPlaces(session: Session, { table, to, inverseOrder = '' }: InTable, ids: readonly number[]) {
    const name = (column: string) => this.#writing.name(column)
    const list = this.#writing.list(ids)
    const text = `select ${name(to)}, max(${name(inverseOrder)}) from ${name(table)} where ${name(to)} in ${list.text} group by ${name(to)}`
    const rows = await this.#writing.rows(session, sql(text, ...list.values))
    return new Map(rows.map(([id, place]) => [Number(id), Number(place ?? 0)]))
  }
}

/** The rows of a component's table name the one type that stands there. */
function typed(link: Link, value: unknown): unknown {
  if (!link.embedded || link.shape === 'zone') return value
  const items = [value].flat().filter(item => item !== null && item !== undefined)
  return items.map(item => (typeof item === 'object' ? item : { id: item }))
}
