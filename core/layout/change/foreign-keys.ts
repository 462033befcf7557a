import type { Engine } from '../../engines/engine.js'
import type { WantedTable } from '../layout.js'
import { foreignKeyName } from '../sync.js'

/**
 * Statements that rename the foreign keys of a renamed table. On engines where such names belong to the whole database, the old
 * ones would conflict with those of a new table that gets the former name.
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
