import type { Engine } from '../store/engine.js'

const statements = {
  sqlite: `select m.name, i.name from sqlite_master m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
    where m.type = 'table' and i.seqno = 0`,
  mysql: `select table_name, column_name from information_schema.statistics
    where table_schema = database() and seq_in_index = 1`,
  postgres: `select t.relname, a.attname from pg_index x join pg_class t on t.oid = x.indrelid
    join pg_namespace n on n.oid = t.relnamespace join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where n.nspname = current_schema()`,
}

/** Columns that an index begins with (`table.column`), whoever made it. */
export async function indexedColumns({ name, reader }: Engine): Promise<ReadonlySet<string>> {
  return new Set((await reader.all(statements[name], [])).map(([table, column]) => `${table}.${column}`))
}
