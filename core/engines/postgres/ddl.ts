import type { Knex } from 'knex'
import { commonDdl, type Ddl, quotes } from '../ddl.js'
import type { Session } from '../session.js'

/** insufficient_privilege */
const denial = '42501'

export function ddlOf(knex: Knex): Ddl {
  const q = quotes(knex)
  const common = commonDdl(knex)
  return {
    ...common,
    // Sent as one text they are one transaction.
    together: statements => [statements.join(';\n')],
    widen: (table, column, type) => `alter table ${q(table)} alter column ${q(column)} type ${type}`,
    replaceColumn: (table, by, column) => [common.dropColumn(table, column), common.renameColumn(table, by, column)],
    // A unique index belongs to the constraint that made it.
    dropIndex: (table, { name, unique }) =>
      unique ? `alter table ${q(table)} drop constraint ${q(name)}` : `drop index ${q(name)}`,
    renameIndex: (_, from, to) => `alter index ${q(from)} rename to ${q(to)}`,
    lock: table => [`lock table ${q(table)} in access exclusive mode`],
    unlock: () => [],
    id: { definition: 'serial primary key' },
    numberRows: (table, column, query) =>
      `update ${q(table)} set ${q(column)} = n.place from (${query}) as n where n.id = ${q(table)}.id`,
    indexedColumns: `select t.relname, a.attname from pg_index x join pg_class t on t.oid = x.indrelid
      join pg_namespace n on n.oid = t.relnamespace join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where n.nspname = current_schema()`,
    async lastId(session, table) {
      const sequence = await sequenceOf(session, table)
      if (sequence === undefined) return 0
      const [row] = await session.all(`select case when is_called then last_value else 0 end from ${sequence}`, [])
      return Number(row?.[0] ?? 0)
    },
    async raiseLastId(session, table, id) {
      const sequence = await sequenceOf(session, table)
      if (sequence !== undefined)
        await session.all('select setval(cast(? as regclass), cast(? as bigint))', [sequence, id])
    },
    async canCreateTables(session) {
      const [row] = await session.all(`select has_schema_privilege(current_schema(), 'create')`, [])
      return row?.[0] !== false
    },
    isDenied: error => (error as { code?: unknown }).code === denial,
  }
}

/** As the database writes its name in statements; a table that another server made has one too. */
async function sequenceOf(session: Session, table: string): Promise<string | undefined> {
  const quoted = `"${table.replaceAll('"', '""')}"`
  const [row] = await session.all('select pg_get_serial_sequence(?, ?)', [quoted, 'id'])
  return row?.[0] === null || row?.[0] === undefined ? undefined : String(row[0])
}
