import type { DatabaseSettings } from '../support/engines.js'
import { run } from '../support/run.js'

/** Tables, columns and indexes as the database itself tells them. */
export interface DatabaseLayout {
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly indexes: readonly {
    readonly table: string
    readonly name: string
    readonly unique: boolean
    readonly columns: readonly string[]
  }[]
}

export async function layoutOf(database: DatabaseSettings): Promise<DatabaseLayout> {
  const told = statements[database.client]
  const columns = new Map<string, Map<string, string>>()
  for (const { t, c, type } of await run(database, told.columns)) {
    const known = columns.get(String(t)) ?? new Map<string, string>()
    columns.set(String(t), known.set(String(c), String(type).toLowerCase()))
  }
  const indexes = new Map<string, { table: string; name: string; unique: boolean; columns: string[] }>()
  for (const { t, name, u, c } of await run(database, told.indexes)) {
    const key = `${t} ${name}`
    const index = indexes.get(key) ?? { table: String(t), name: String(name), unique: Number(u) === 1, columns: [] }
    index.columns.push(String(c))
    indexes.set(key, index)
  }
  return { columns, indexes: [...indexes.values()] }
}

const statements = {
  sqlite: {
    columns:
      "select m.name as t, c.name as c, c.type as type from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'",
    indexes: `select m.name as t, l.name as name, l."unique" as u, i.name as c from sqlite_master m
      join pragma_index_list(m.name) l join pragma_index_info(l.name) i where m.type = 'table' order by l.name, i.seqno`,
  },
  mysql: {
    columns:
      'select table_name as t, column_name as c, column_type as type from information_schema.columns where table_schema = database()',
    indexes: `select table_name as t, index_name as name, 1 - non_unique as u, column_name as c from information_schema.statistics
      where table_schema = database() order by table_name, index_name, seq_in_index`,
  },
  postgres: {
    columns: `select c.relname as t, a.attname as c, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
    indexes: `select t.relname as t, i.relname as name, x.indisunique::int as u, a.attname as c from pg_index x
      join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
      cross join lateral unnest(x.indkey) with ordinality k(attnum, place) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
      where n.nspname = current_schema() order by t.relname, i.relname, k.place`,
  },
}
