import { access, constants } from 'node:fs/promises'
import type { Knex } from 'knex'
import { commonDdl, type Ddl, quotes } from '../ddl.js'

/** SQLITE_READONLY: the file, or the folder that it is in. */
const readOnly = 8

export function ddlOf(knex: Knex): Ddl {
  const q = quotes(knex)
  const common = commonDdl(knex)
  return {
    ...common,
    replaceColumn: (table, by, column) => [common.dropColumn(table, column), common.renameColumn(table, by, column)],
    dropIndex: (_, { name }) => `drop index ${q(name)}`,
    // Changes of the layout hold the one write lock from the start.
    lock: () => [],
    unlock: () => [],
    id: {
      order: 'rowid',
      async attached(session, table) {
        const rows = await session.all(
          "select sql from sqlite_master where tbl_name = ? and type in ('index', 'trigger') and sql is not null",
          [table],
        )
        return rows.map(([sql]) => String(sql))
      },
    },
    numberRows: (table, column, query) =>
      `update ${q(table)} set ${q(column)} = n.place from (${query}) as n where n.id = ${q(table)}.id`,
    indexedColumns: `select m.name, i.name from sqlite_master m join pragma_index_list(m.name) l
      join pragma_index_info(l.name) i where m.type = 'table' and i.seqno = 0`,
    async lastId(session, table) {
      const [row] = await session.all('select seq from sqlite_sequence where name = ?', [table])
      return Number(row?.[0] ?? 0)
    },
    async raiseLastId(session, table, id) {
      const { changes } = await session.run('update sqlite_sequence set seq = ? where name = ?', [id, table])
      if (changes === 0) await session.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, id])
    },
    async canCreateTables(session) {
      const [row] = await session.all('pragma database_list', [])
      const file = String(row?.[2] ?? '')
      return file === '' || isWritable(file)
    },
    isDenied: error => (error as { errcode?: unknown }).errcode === readOnly,
  }
}

const isWritable = (file: string): Promise<boolean> =>
  access(file, constants.W_OK).then(
    () => true,
    () => false,
  )
