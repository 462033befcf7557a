import type { Knex } from 'knex'
import { commonDdl, type Ddl, type ForeignKeys, quotes } from '../ddl.js'

/** Denials for the database, for a table, and for statements that need more than that. */
const denials: readonly unknown[] = [1044, 1142, 1227]

export function ddlOf(knex: Knex): Ddl {
  const q = quotes(knex)
  return {
    ...commonDdl(knex),
    inTransactions: builder => void builder.engine('InnoDB'),
    collate(builder) {
      builder.charset('utf8mb4')
      builder.collate('utf8mb4_unicode_ci')
    },
    together,
    widen: (table, column, type) => `alter table ${q(table)} modify ${q(column)} ${type} null`,
    // In one statement: the column would be lost to a process that dies between two.
    replaceColumn: (table, by, column) => [
      `alter table ${q(table)} drop column ${q(column)}, rename column ${q(by)} to ${q(column)}`,
    ],
    dropIndex: (table, { name }) => `alter table ${q(table)} drop index ${q(name)}`,
    renameIndex: (table, from, to) => `alter table ${q(table)} rename index ${q(from)} to ${q(to)}`,
    lock: table => [`lock tables ${q(table)} write`],
    unlock: () => ['unlock tables'],
    id: { definition: 'int unsigned not null auto_increment primary key first' },
    numberRows: (table, column, query) =>
      `update ${q(table)} as t join (${query}) as n on n.id = t.id set t.${q(column)} = n.place`,
    foreignKeys: foreignKeysOf(knex),
    indexedColumns: `select table_name, column_name from information_schema.statistics
      where table_schema = database() and seq_in_index = 1`,
    async lastId(session, table) {
      const [row] = await session.all(
        'select auto_increment - 1 from information_schema.tables where table_schema = database() and table_name = ?',
        [table],
      )
      return Number(row?.[0] ?? 0)
    },
    raiseLastId: async (session, table, id) =>
      void (await session.run(`alter table ${q(table)} auto_increment = ${id + 1}`, [])),
    async canCreateTables(session) {
      const grants = await session.all('show grants', [])
      return grants.some(([grant]) => /^grant\b[^`']*\b(all privileges|create(,| on ))/i.test(String(grant)))
    },
    isDenied: error => denials.includes((error as { errno?: unknown }).errno),
  }
}

function foreignKeysOf(knex: Knex): ForeignKeys {
  return {
    async namesOf(session, table) {
      const rows = await session.all(
        'select constraint_name, column_name from information_schema.key_column_usage where table_schema = database() and table_name = ? and referenced_table_name is not null',
        [table],
      )
      return new Map(rows.map(([name, column]) => [String(column), String(name)]))
    },
    replace(table, keys) {
      const parts = keys.map(({ from, to, column, target, onDelete }) =>
        knex.raw(`drop foreign key ??, add constraint ?? foreign key (??) references ?? (id) on delete ${onDelete}`, [
          from,
          to,
          column,
          target,
        ]),
      )
      return `${knex.raw('alter table ??', [table])} ${parts.join(', ')}`
    },
  }
}

const addition = /^alter table `[^`]+` add /

/** Keys and indexes go into the definition of their table: added one by one, each takes as long as the table itself. */
function together(statements: readonly string[]): string[] {
  const [create = '', ...additions] = statements
  if (!additions.every(sql => addition.test(sql))) return [...statements]
  // The text behind the definition, with the engine and the collation, has no brackets.
  const end = create.lastIndexOf(')')
  const parts = additions.map(sql => sql.replace(addition, ''))
  return [`${[create.slice(0, end), ...parts].join(', ')}${create.slice(end)}`]
}
