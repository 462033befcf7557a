import { access, constants } from 'node:fs/promises'
import type { Engine } from './engine.js'

/** What an operator can do who opens the database as somebody that may not change its layout. */
export const grantAdvice =
  'let somebody run `stele apply` who may, or grant the user of the database to create tables and indexes'

/** Whether tables can be made, as far as that can be told without trying: who only looks leaves no trace. */
export async function mayMakeTables(engine: Engine): Promise<boolean> {
  const ask = (sql: string) => engine.reader.all(sql, [])
  switch (engine.name) {
    case 'postgres': {
      const [row] = await ask(`select has_schema_privilege(current_schema(), 'create')`)
      return row?.[0] !== false
    }
    case 'mysql': {
      const grants = await ask('show grants')
      return grants.some(([grant]) => /^grant\b[^`']*\b(all privileges|create(,| on ))/i.test(String(grant)))
    }
    case 'sqlite': {
      const [row] = await ask('pragma database_list')
      const file = String(row?.[2] ?? '')
      return file === '' || isWritable(file)
    }
  }
}

const isWritable = (file: string): Promise<boolean> =>
  access(file, constants.W_OK).then(
    () => true,
    () => false,
  )

/** Whether the database refuses something because of who asks for it. */
export function isDenied(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errno, errcode } = error as { code?: unknown; errno?: unknown; errcode?: unknown }
  return mysqlDenials.includes(errno) || code === postgresDenial || errcode === sqliteReadOnly || isDenied(error.cause)
}

/** For the database, for a table, for what needs more than that. */
const mysqlDenials: readonly unknown[] = [1044, 1142, 1227]
const postgresDenial = '42501'
const sqliteReadOnly = 8
