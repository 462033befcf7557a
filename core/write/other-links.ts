import type { Dialect } from '../dialect.js'
import { Overtaken, type Session } from '../engines/engine.js'
import { ValidationError } from '../errors.js'
import type { ContentType, Link, LinkStorage } from '../schema/types.js'
import type { Rows } from './asked-rows.js'
import { leadsNowhere } from './attributes.js'
import type { CheckedRelation } from './input.js'
import { dotted } from './issue.js'
import type { Places } from './places.js'
import type { RelationChange, Target } from './relation.js'
import { wantedTargets } from './relation-input.js'
import type { Statements } from './statements.js'
import type { Sight } from './targets.js'

export type TypeOf = (uid: string) => ContentType | undefined
type StorageVia<Via extends LinkStorage['via']> = Extract<LinkStorage, { via: Via }>
type LinkRows = StorageVia<'table'>

/** The entry, or the component, whose belongings are written. */
export interface Owner {
  readonly id: number
  /** It has been inserted by this write, so nothing belongs to it yet. */
  readonly isNew: boolean
  readonly places?: Places | undefined
  /** The links that there are before the write, as far as they have been looked for. */
  readonly before?: ReadonlyMap<CheckedRelation, Rows> | undefined
  /** The sight of the writer: links to what it does not see stay. */
  readonly sight?: Sight | undefined
}

/** Writes relations that have no table of their own, and those that lead to entries of any type. */
export class OtherLinks {
  readonly #statements: Statements
  readonly #dialect: Dialect
  readonly #typeOf: TypeOf

  constructor(statements: Statements, dialect: Dialect, typeOf: TypeOf) {
    this.#statements = statements
    this.#dialect = dialect
    this.#typeOf = typeOf
  }

  write(session: Session, owner: Owner, relation: CheckedRelation): Promise<void> {
    const { storage } = relation.link
    if (storage.via === 'column') return this.#writeColumn(session, storage, owner, relation)
    if (storage.via === 'target') return this.#writeTarget(session, storage, owner, relation)
    return this.#writeVaried(session, storage, owner, relation)
  }

  /** A relation to any type through a table. Rows of targets that stay are kept: they may have been made at the other end. */
  async #writeVaried(session: Session, rows: LinkRows, owner: Owner, relation: CheckedRelation): Promise<void> {
    const { table, from, to, typeColumn = '', order = 'order' } = rows
    const { change, path } = relation
    for (const target of change.kind === 'set' ? change.targets : change.connect) this.#checkEnd(target, table, path)
    const before = await this.#statements.select(session, {
      table,
      columns: ['id', to, typeColumn, order, 'field'],
      match: { [from]: owner.id },
      orderBy: [order, 'id'],
    })
    const isNamed = this.#dialect.polymorphicPivot
    const targetOf = ([, id, type, , field]: readonly unknown[]): Target => ({
      id: Number(id),
      type: String(type),
      ...(isNamed && { field: String(field ?? '') }),
    })
    const list = changedTargets(before.map(targetOf), change)
    keepOne(relation, list)
    const placeOf = (target: Target) => list.findIndex(one => same(one, target)) + 1
    const gone = before.filter(row => placeOf(targetOf(row)) === 0).map(([row]) => Number(row))
    await this.#statements.remove(session, table, { id: gone })
    for (const row of before) {
      const place = placeOf(targetOf(row))
      if (place > 0 && place !== Number(row[3]))
        await this.#statements.update(session, table, Number(row[0]), { [order]: place })
    }
    const added = list.filter(target => !before.some(row => same(targetOf(row), target)))
    await this.#statements.insertAll(session, table, {
      columns: [from, to, typeColumn, 'field', order],
      rows: added.map(target => [
        owner.id,
        target.id,
        target.type,
        target.field ?? this.#fieldAt(target, table),
        placeOf(target),
      ]),
    })
  }

  /** The attribute at the other end that shows such a link, where the target's type has exactly one. */
  #fieldAt(target: Target, table: string): string | null {
    const ends = this.#endsAt(target, table)
    return ends.length === 1 && ends[0] ? ends[0].name : null
  }

  #endsAt({ type = '' }: Target, table: string): Link[] {
    return [...(this.#typeOf(type)?.links.values() ?? [])].filter(
      ({ storage, owning }) => !owning && storage.via === 'table' && storage.table === table,
    )
  }

  /** The attribute that a request names for the other end leads back through the same table, and may be written. */
  #checkEnd(target: Target, table: string, at: readonly string[]): void {
    const { field, type } = target
    if (field === undefined) return
    const ends = this.#endsAt(target, table).filter(({ writable }) => writable)
    if (ends.some(({ name }) => name === field)) return
    const names = ends.map(({ name }) => name).join(', ') || 'none'
    const message = `${dotted(at)}: __pivot.field names an attribute of ${type} that leads back here; there is ${names}`
    throw ValidationError.of([{ path: this.#dialect.terseErrors ? [] : [...at], message, name: 'ValidationError' }])
  }

  /** A relation that is a column of the entry itself. */
  async #writeColumn(
    session: Session,
    { column, typeColumn }: StorageVia<'column'>,
    owner: Owner,
    relation: CheckedRelation,
  ): Promise<void> {
    const { link, change } = relation
    const { table } = link
    const columns = [column, ...(typeColumn === undefined ? [] : [typeColumn])]
    const [row] = await this.#statements.select(session, { table, columns, match: { id: owner.id } })
    const current: Target[] = row?.[0]
      ? [{ id: Number(row[0]), ...(typeColumn !== undefined && { type: String(row[1]) }) }]
      : []
    const list = changedTargets(current, change)
    keepOne(relation, list)
    const target = list.at(-1)
    const [type] = link.types()
    if (target && type && link.targets) await this.#hold(session, { column, link }, target.id, type)
    await this.#statements.update(session, table, owner.id, {
      [column]: target?.id ?? null,
      ...(typeColumn !== undefined && { [typeColumn]: target?.type ?? null }),
    })
  }

  /** No key of the database keeps the entry that a column leads to: it is locked, so that it is there until the end. */
  async #hold(session: Session, { column, link }: { column: string; link: Link }, id: number, { table }: ContentType) {
    // Others may lead there as well, unless only one can.
    const lock = link.exclusive ? true : 'share'
    const locked = await this.#statements.select(session, { table, columns: ['id'], match: { id }, lock })
    if (locked.length === 0) throw new Overtaken('the entry that a link leads to is gone')
    if (!link.exclusive) return
    const others = await this.#statements.select(session, {
      table: link.table,
      columns: ['id'],
      match: { [column]: id },
    })
    for (const [other] of others) await this.#statements.update(session, link.table, Number(other), { [column]: null })
  }

  /** A relation that is a column of the entries at its other end. */
  async #writeTarget(
    session: Session,
    { column, match }: StorageVia<'target'>,
    owner: Owner,
    relation: CheckedRelation,
  ): Promise<void> {
    const [target] = relation.link.types()
    if (!target) return
    const { table } = target
    const taken = { [column]: owner.id, ...match }
    const before = await this.#statements.select(session, { table, columns: ['id'], match: taken, orderBy: ['id'] })
    const current = before.map(([id]) => Number(id))
    const list = wantedTargets(current, relation, this.#dialect)
    keepOne(relation, list)
    const cleared = Object.fromEntries([column, ...Object.keys(match)].map(name => [name, null]))
    for (const id of current) if (!list.includes(id)) await this.#statements.update(session, table, id, cleared)
    for (const id of list) if (!current.includes(id)) await this.#statements.update(session, table, id, taken)
  }
}

/** An end that is not named may be any. */
const same = (a: Target, b: Target): boolean =>
  a.id === b.id && a.type === b.type && (a.field === undefined || b.field === undefined || a.field === b.field)

function changedTargets(current: readonly Target[], change: RelationChange): Target[] {
  const wanted =
    change.kind === 'set'
      ? [...change.targets, ...current.filter(({ type = '' }) => change.keeps?.(type))]
      : [...current.filter(one => !change.disconnect.some(gone => same(one, gone))), ...change.connect]
  return wanted.filter((one, index) => wanted.findIndex(other => same(one, other)) === index)
}

/** Refuses to leave a required relation without an entry: only the stored links show the links that a write leaves. */
export function keepOne({ mustLead, path }: CheckedRelation, left: readonly unknown[]): void {
  if (mustLead && left.length === 0) throw ValidationError.of([leadsNowhere(path)])
}
