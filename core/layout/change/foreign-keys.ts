import type { Engine } from '../../engines/engine.js'
import type { WantedTable } from '../layout.js'
import { foreignKeyName } from '../sync.js'

/**
 * Where names of foreign keys belong to the whole database, those of a renamed table would be in the way of whatever gets
 * its former name.
 */
export async function foreignKeysOf(
  { ddl: { foreignKeys }, reader }: Engine,
  table: WantedTable,
  former: string,
  renames: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (!foreignKeys) return []
  const names = await foreignKeys.namesOf(reader, former)
  const replaced = table.columns.flatMap(({ name, references }) => {
    const from = names.get(renames.get(name) ?? name)
    const to = foreignKeyName(table.name, name)
    if (!references || from === undefined || from === to) return []
    return [{ from, to, column: name, target: references.table, onDelete: references.onDelete }]
  })
  return replaced.length === 0 ? [] : [foreignKeys.replace(table.name, replaced)]
}
