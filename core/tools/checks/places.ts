import type { Sides } from '../../layout/change/renames.js'
import type { WantedTable } from '../../layout/layout.js'
import type { Registry } from '../../schema/registry.js'
import type { ContentType } from '../../schema/types.js'

/** A table of links in the database, with its columns by their meaning. */
export interface LinkTable {
  readonly name: string
  readonly owner: ContentType
  readonly from: string
  readonly to: string
  /** The type of all targets; a column names it if it varies. */
  readonly target?: ContentType
  readonly type?: string
  readonly field?: string
}

/** All tables of links whose columns are there. */
export function linkTables({ wanted, found, registry }: Sides): LinkTable[] {
  return wanted.flatMap(table => {
    const { origin, name } = table
    const stored = found.tables.get(name)
    if (
      origin?.attribute === undefined ||
      !stored?.has('id') ||
      !table.columns.every(column => stored.has(column.name))
    )
      return []
    const [from, to] = [columnOf(table, 'from'), columnOf(table, 'to')]
    if (from === undefined || to === undefined) return []
    const [type, field] = [columnOf(table, 'type'), columnOf(table, 'field')]
    const target = origin.target === undefined ? undefined : registry.get(origin.target)
    return [
      {
        name,
        owner: registry.get(origin.uid),
        from,
        to,
        ...(target && { target }),
        ...(type !== undefined && { type }),
        ...(field !== undefined && { field }),
      },
    ]
  })
}

const columnOf = ({ columns }: WantedTable, part: string): string | undefined =>
  columns.find(column => column.part === part)?.name

/** The attributes of a type that may stand in the `field` of a table of links, those of plugins that are disabled included. */
export function attributesIn({ types }: Registry, uid: string): readonly string[] {
  const type = types.get(uid)
  return type ? [...type.links.keys(), ...type.unserved] : []
}
