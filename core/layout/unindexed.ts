import type { Engine, Layout } from '../engines/engine.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique } from '../schema/values.js'
import type { WantedTable } from './layout.js'

/** The unique attributes for which the database has no unique index: two writes at once could both pass their check. */
export class Unindexed {
  #fields: ReadonlySet<Field> = new Set()

  get isEmpty(): boolean {
    return this.#fields.size === 0
  }

  has(field: Field): boolean {
    return this.#fields.has(field)
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
