import { createHash } from 'node:crypto'
import type { Engine, Layout, Session } from '../engines/engine.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique } from '../schema/values.js'
import type { WantedTable } from './layout.js'
import { lockAll } from './marks.js'

/** A value that no other row may have, of those that are the same in the columns of `within`. */
export interface UniqueClaim {
  readonly table: string
  readonly field: Field
  readonly value: string | number
  readonly within: Readonly<Record<string, unknown>>
}

/** The unique attributes for which the database has no unique index: two writes at once could both pass their check. */
export class UnindexedFields {
  #fields: ReadonlySet<Field> = new Set()

  get isEmpty(): boolean {
    return this.#fields.size === 0
  }

  /**
   * Writes of the same value come one after the other where no index would refuse the second: each keeps the lock of the
   * value until its transaction ends. Values share a fixed number of locks, so that no row is left for each of them.
   */
  async lock(engine: Engine, session: Session, claims: readonly UniqueClaim[]): Promise<void> {
    const names: string[] = []
    for (const claim of claims) if (this.#fields.has(claim.field)) names.push(await lockOf(engine, session, claim))
    if (names.length > 0) await lockAll(engine, session, names)
  }

  /** Looks for the indexes, once everything that a start adds is there. */
  async find(engine: Engine, { types }: Registry, tables: readonly WantedTable[]): Promise<void> {
    const all = [...types.values()].flatMap(type =>
      [...type.fields.values()].filter(isUnique).map(field => ({ type, field })),
    )
    if (all.length === 0 || engine.facts.oneWriter) return
    const found = await engine.introspect()
    const wanted = new Map(tables.map(table => [table.name, table]))
    const isIndexed = ({ type, field }: { type: ContentType; field: Field }) =>
      isKept(field, type, wanted.get(type.table), found)
    this.#fields = new Set(all.filter(one => !isIndexed(one)).map(({ field }) => field))
  }
}

async function lockOf(engine: Engine, session: Session, { table, field, value, within }: UniqueClaim): Promise<string> {
  const { equalsOf } = engine
  const isFolded = equalsOf && field.type.operators === 'text'
  const equals = isFolded ? await equalsOf(session, table, field.column, String(value)) : String(value)
  const key = JSON.stringify([table, field.column, Object.entries(within), equals])
  return `unique/${createHash('sha1').update(key).digest().readUInt8(0)}`
}

function isKept(
  { column }: Field,
  { uniqueWithin }: ContentType,
  table: WantedTable | undefined,
  found: Layout,
): boolean {
  const known = [column, ...uniqueWithin.map(field => field.column)]
  return (table?.indexes ?? []).some(
    ({ name, unique, columns }) =>
      unique && found.indexes.has(name) && columns.includes(column) && columns.every(other => known.includes(other)),
  )
}
