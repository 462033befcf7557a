import type { Dialect } from '../dialect.js'
import type { ContentType, Link, LinkStorage } from '../schema/types.js'
import { type Engine, Overtaken, type Session } from '../store/engine.js'
import { applyChange, type RelationChange, type Target } from './relation.js'
import type { Statements } from './statements.js'

type TypeOf = (uid: string) => ContentType | undefined
type LinkRows = Extract<LinkStorage, { via: 'table' }>

const columnsAtOnce = 50

/** Writes what a request changes about the relations of one entry. */
export class LinkWriter {
  readonly #statements: Statements
  readonly #typeOf: TypeOf
  readonly #engine: Engine
  readonly #dialect: Dialect

  constructor(statements: Statements, engine: Engine, dialect: Dialect, typeOf: TypeOf) {
    this.#statements = statements
    this.#typeOf = typeOf
    this.#engine = engine
    this.#dialect = dialect
  }

  async write(
    session: Session,
    link: Link,
    owner: number,
    change: RelationChange,
    at: readonly string[],
    isNew: boolean,
  ): Promise<void> {
    const { storage } = link
    if (storage.via === 'column') return this.#writeColumn(session, link, storage, owner, change)
    if (storage.via === 'target') return this.#writeTarget(session, link, storage, owner, change, at)
    if (link.targets === undefined) return this.#writeVaried(session, storage, owner, change)
    return this.#writeTable(session, link, storage, owner, change, at, isNew)
  }

  /** A relation with a table of its own: only what really changes is written. */
  async #writeTable(
    session: Session,
    link: Link,
    rows: LinkRows,
    owner: number,
    change: RelationChange,
    at: readonly string[],
    isNew: boolean,
  ): Promise<void> {
    const { table, from, to, order, match } = rows
    const owned = { [from]: owner, ...match }
    const before = isNew
      ? []
      : await this.#statements.select(session, table, ['id', to, ...(order === undefined ? [] : [order])], owned, {
          orderBy: order === undefined ? ['id'] : [order, 'id'],
        })
    const current = before.map(([, target]) => Number(target))
    const wanted = applyChange(current, change, at, this.#dialect)
    const list = link.many ? wanted : lastNamed(wanted, change)
    const known = new Set(current)
    const kept = new Set(list)
    const removed = [...known].filter(id => !kept.has(id))
    const added = list.filter(id => !known.has(id))
    if (removed.length > 0) await this.#statements.remove(session, table, { ...owned, [to]: removed })
    if (order !== undefined) await this.#renumber(session, rows, before, list)
    if (added.length > 0) await this.#add(session, link, rows, owner, added, list)
  }

  /** The owner's list counts 1, 2, 3 after every write; rows that already have their number are left alone. */
  async #renumber(
    session: Session,
    { table, order }: LinkRows,
    before: readonly (readonly unknown[])[],
    list: readonly number[],
  ): Promise<void> {
    const places = new Map(list.map((id, index) => [id, index + 1]))
    for (const [row, target, place] of before) {
      const wanted = places.get(Number(target))
      if (wanted !== undefined && wanted !== Number(place))
        await this.#statements.update(session, table, Number(row), { [order as string]: wanted })
    }
  }

  async #add(
    session: Session,
    link: Link,
    rows: LinkRows,
    owner: number,
    added: readonly number[],
    list: readonly number[],
  ): Promise<void> {
    const { table, from, to, order, inverseOrder, match } = rows
    if (link.exclusive) {
      const [target] = link.types()
      if (target) await this.#statements.claim(session, target.table, added)
      await this.#statements.remove(session, table, { [to]: added })
    }
    const last = inverseOrder === undefined ? undefined : await this.#lastPlaces(session, rows, added)
    const constants = Object.keys(match)
    const columns = [
      from,
      to,
      ...constants,
      ...(order === undefined ? [] : [order]),
      ...(inverseOrder === undefined ? [] : [inverseOrder]),
    ]
    const places = new Map(list.map((id, index) => [id, index + 1]))
    const links = added.map(id => [
      owner,
      id,
      ...constants.map(column => match[column]),
      ...(order === undefined ? [] : [places.get(id)]),
      ...(last === undefined ? [] : [(last.get(id) ?? 0) + 1]),
    ])
    try {
      await this.#statements.insertAll(session, table, columns, links)
    } catch (cause) {
      // The other side has made the same link meanwhile, or the target went: run again, the write is told so or passes.
      const kind = this.#engine.classify(cause)?.kind
      throw kind === 'unique' || kind === 'missing' ? new Overtaken('a link was overtaken', { cause }) : cause
    }
  }

  /** The last place that is taken in the list of each target: each is one look at the end of an index. */
  async #lastPlaces(
    session: Session,
    { table, to, inverseOrder }: LinkRows,
    ids: readonly number[],
  ): Promise<Map<number, number>> {
    const { knex } = this.#statements
    const last = (index: number) =>
      knex(table)
        .max(inverseOrder as string)
        .where(to, this.#statements.value(index))
        .as(`p${index}`)
    const places = new Map<number, number>()
    for (let from = 0; from < ids.length; from += columnsAtOnce) {
      const some = ids.slice(from, from + columnsAtOnce)
      const build = () => knex.select(some.map((_, index) => last(index)))
      const [row = []] = await this.#statements.run(session, `last ${table} ${to} ${some.length}`, build, some)
      for (const [index, id] of some.entries()) places.set(id, Number(row[index] ?? 0))
    }
    return places
  }

  /** A relation to any type through a table. Rows of targets that stay are kept: they may have been made at the other end. */
  async #writeVaried(session: Session, rows: LinkRows, owner: number, change: RelationChange): Promise<void> {
    const { table, from, to, typeColumn = '', order = 'order' } = rows
    const before = await this.#statements.select(
      session,
      table,
      ['id', to, typeColumn, order],
      { [from]: owner },
      { orderBy: [order, 'id'] },
    )
    const targetOf = ([, id, type]: readonly unknown[]): Target => ({ id: Number(id), type: String(type) })
    const list = changedTargets(before.map(targetOf), change)
    const placeOf = (target: Target) => list.findIndex(one => same(one, target)) + 1
    const gone = before.filter(row => placeOf(targetOf(row)) === 0).map(([row]) => Number(row))
    await this.#statements.remove(session, table, { id: gone })
    for (const row of before) {
      const place = placeOf(targetOf(row))
      if (place > 0 && place !== Number(row[3]))
        await this.#statements.update(session, table, Number(row[0]), { [order]: place })
    }
    const added = list.filter(target => !before.some(row => same(targetOf(row), target)))
    await this.#statements.insertAll(
      session,
      table,
      [from, to, typeColumn, 'field', order],
      added.map(target => [owner, target.id, target.type, this.#fieldAt(target, table), placeOf(target)]),
    )
  }

  /** The attribute at the other end that shows such a link, where the target's type has exactly one. */
  #fieldAt({ type = '' }: Target, table: string): string | null {
    const ends = [...(this.#typeOf(type)?.links.values() ?? [])].filter(
      ({ storage, owning }) => !owning && storage.via === 'table' && storage.table === table,
    )
    return ends.length === 1 && ends[0] ? ends[0].name : null
  }

  /** A relation that is a column of the entry itself. */
  async #writeColumn(
    session: Session,
    link: Link,
    { column, typeColumn }: Extract<LinkStorage, { via: 'column' }>,
    owner: number,
    change: RelationChange,
  ): Promise<void> {
    const columns = [column, ...(typeColumn === undefined ? [] : [typeColumn])]
    const [row] = await this.#statements.select(session, link.table, columns, { id: owner })
    const current: Target[] = row?.[0]
      ? [{ id: Number(row[0]), ...(typeColumn !== undefined && { type: String(row[1]) }) }]
      : []
    const target = changedTargets(current, change).at(-1)
    await this.#statements.update(session, link.table, owner, {
      [column]: target?.id ?? null,
      ...(typeColumn !== undefined && { [typeColumn]: target?.type ?? null }),
    })
  }

  /** A relation that is a column of the entries at its other end. */
  async #writeTarget(
    session: Session,
    link: Link,
    { column, match }: Extract<LinkStorage, { via: 'target' }>,
    owner: number,
    change: RelationChange,
    at: readonly string[],
  ): Promise<void> {
    const [target] = link.types()
    if (!target) return
    const before = await this.#statements.select(
      session,
      target.table,
      ['id'],
      { [column]: owner, ...match },
      { orderBy: ['id'] },
    )
    const current = before.map(([id]) => Number(id))
    const wanted = applyChange(current, change, at, this.#dialect)
    const list = link.many ? wanted : lastNamed(wanted, change)
    const cleared = Object.fromEntries([column, ...Object.keys(match)].map(name => [name, null]))
    for (const id of current) if (!list.includes(id)) await this.#statements.update(session, target.table, id, cleared)
    for (const id of list)
      if (!current.includes(id)) await this.#statements.update(session, target.table, id, { [column]: owner, ...match })
  }
}

/** Where one entry is linked at most, the last that was named stays, whatever its position. */
function lastNamed(wanted: readonly number[], change: RelationChange): readonly number[] {
  const named = change.kind === 'partial' ? change.connect.at(-1) : undefined
  return named ? [named.id] : wanted.slice(-1)
}

const same = (a: Target, b: Target): boolean => a.id === b.id && a.type === b.type

function changedTargets(current: readonly Target[], change: RelationChange): Target[] {
  const wanted =
    change.kind === 'set'
      ? [...change.targets, ...current.filter(({ type = '' }) => change.keeps?.(type))]
      : [...current.filter(one => !change.disconnect.some(gone => same(one, gone))), ...change.connect]
  return wanted.filter((one, index) => wanted.findIndex(other => same(one, other)) === index)
}
