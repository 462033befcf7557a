import type { Engine } from '../../engines/engine.js'

/** `table.column` of all columns that an index begins with. */
export async function indexedColumns({ ddl, reader }: Engine): Promise<ReadonlySet<string>> {
  return new Set((await reader.all(ddl.indexedColumns, [])).map(([table, column]) => `${table}.${column}`))
}
