import type { Engine } from '../engine.js'
import type { WantedTable } from '../layout.js'
import { foreignKeyName } from '../sync.js'

/**
 * In MySQL the names of foreign keys belong to the whole database: those of a table that is called otherwise now would be
 * in the way of whatever is called as it was before.
 */
export async function foreignKeysOf(
  { name: engine, knex, reader }: Engine,
  table: WantedTable,
  former: string,
  renames: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (engine !== 'mysql') return []
  const rows = await reader.all(
    'select constraint_name, column_name from information_schema.key_column_usage where table_schema = database() and table_name = ? and referenced_table_name is not null',
    [former],
  )
  const parts = table.columns.flatMap(({ name, references }) => {
    const column = renames.get(name) ?? name
    const [old] = rows.find(([, of]) => of === column) ?? []
    const wanted = foreignKeyName(table.name, name)
    if (!references || old === undefined || old === wanted) return []
    return [
      knex.raw(
        `drop foreign key ??, add constraint ?? foreign key (??) references ?? (id) on delete ${references.onDelete}`,
        [String(old), wanted, name, references.table],
      ),
    ]
  })
  return parts.length === 0 ? [] : [`${knex.raw('alter table ??', [table.name])} ${parts.join(', ')}`]
}
