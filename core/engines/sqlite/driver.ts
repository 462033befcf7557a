import { createRequire } from 'node:module'
import type { SqliteModule } from '@photostructure/sqlite'
import { BootError } from '../../errors.js'

const require = createRequire(import.meta.url)
const [major = 0] = process.versions.node.split('.').map(Number)

/**
 * The module to import or require for SQLite: the one built into Node.js from 24 on, before that a package with the same
 * interface.
 */
export function sqliteDriver(): string {
  if (major >= 24) return 'node:sqlite'
  try {
    return require.resolve('@photostructure/sqlite')
  } catch (cause) {
    throw new BootError(
      `SQLite needs Node.js 24 or later, or the package @photostructure/sqlite, which is not installed (this is Node.js ${process.versions.node}): install with optional dependencies, or use a newer Node.js`,
      { cause },
    )
  }
}

/** Loaded only by apps that keep their content in SQLite. */
export async function loadSqlite(): Promise<SqliteModule> {
  const driver = sqliteDriver()
  const { emitWarning } = process
  // Early releases of Node.js 24 warn that their SQLite is experimental, which an operator cannot act on.
  process.emitWarning = (warning, ...rest) => {
    if (!isAboutSqlite(warning)) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return await import(driver)
  } finally {
    process.emitWarning = emitWarning
  }
}

const isAboutSqlite = (warning: string | Error): boolean => /^SQLite is an experimental feature/.test(String(warning))
