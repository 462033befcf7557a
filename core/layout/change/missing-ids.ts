import type { RebuiltId } from '../../engines/ddl.js'
import type { Engine, Layout } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import type { WantedColumn, WantedTable } from '../layout.js'
import { createStatements } from '../sync.js'
import type { Change } from './change.js'

/** Tables that are there without an id: another server once gave none to tables of links, and no places either. */
export const tablesWithoutId = (wanted: readonly WantedTable[], { tables }: Layout): readonly WantedTable[] =>
  wanted.filter(({ name }) => tables.has(name) && !tables.get(name)?.has('id'))

/** Changes that give such tables the columns of later versions; every row is kept, and lists keep the order of their rows. */
export async function planMissingIds(
  engine: Engine,
  wanted: readonly WantedTable[],
  found: Layout,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (const table of tablesWithoutId(wanted, found)) {
    const stored = found.tables.get(table.name) as ReadonlyMap<string, string>
    const missing = table.columns.filter(({ name }) => !stored.has(name))
    const { id } = engine.ddl
    const made =
      'definition' in id
        ? [added(engine, table.name, id.definition, missing)]
        : await rebuilt(engine, table, stored, id)
    const places = missing.filter(({ as }) => as === 'order').map(column => numbered(engine, table, column))
    const what = missing.length === 0 ? 'an id' : `an id and ${counted(missing.length, 'column')}`
    changes.push({ group: 'links', describe: `give the table ${table.name} ${what}`, steps: [...made, ...places] })
  }
  return changes
}

function added({ knex }: Engine, table: string, id: string, missing: readonly WantedColumn[]): string {
  const columns = missing.map(({ name, type }) => knex.raw(`add column ?? ${type} null`, [name]).toString())
  return [`${knex.raw('alter table ?? add column ??', [table, 'id'])} ${id}`, ...columns].join(', ')
}

/** A new table takes the place of one to which no primary key can be added, with its rows, indexes and triggers. */
async function rebuilt(
  engine: Engine,
  table: WantedTable,
  stored: ReadonlyMap<string, string>,
  { attached, order }: RebuiltId,
): Promise<string[]> {
  const { ddl, knex, reader } = engine
  const name = `stele_new_${table.name}`
  const others = [...stored]
    .filter(([column]) => !table.columns.some(wanted => wanted.name === column))
    .map(([column, type]): WantedColumn => ({ name: column, type, as: 'text' }))
  const columns = [...stored.keys()]
  const list = columns.map(column => knex.raw('??', [column])).join(', ')
  return [
    ...createStatements(engine, { ...table, name, columns: [...table.columns, ...others] }),
    `${knex.raw('insert into ??', [name])} (${list}) select ${list} from ${knex.raw('??', [table.name])} order by ${order}`,
    ddl.dropTable(table.name),
    ddl.renameTable(name, table.name),
    ...(await attached(reader, table.name)),
  ]
}

/** Numbers the rows of each list as they were made, which is how lists without places were shown. */
function numbered({ ddl, knex }: Engine, { name, columns }: WantedTable, place: WantedColumn): string {
  // A row has a place among the rows of its owner in the order of its targets, and in the inverse order the other way round.
  const side = place.part === 'inverse order' ? 'to' : 'from'
  const owner = columns.find(({ part }) => part === side)?.name ?? ''
  const numbers = knex.raw('select id, row_number() over (partition by ?? order by id) as place from ??', [owner, name])
  return ddl.numberRows(name, place.name, numbers.toString())
}
