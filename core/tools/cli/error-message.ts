import { BootError, RequestError } from '../../errors.js'

/**
 * What the operator can fix is said in a sentence, which a stack would hide: wrong settings, what a database or the
 * system refuses. Anything else is a mistake of the program, and undefined.
 */
export function errorMessageOf(error: unknown): string | undefined {
  if (error instanceof BootError || error instanceof RequestError) return error.message
  const { code, message, sqlMessage } = Object(error) as NodeJS.ErrnoException & { readonly sqlMessage?: string }
  if (!outside.test(String(code))) return undefined
  return sqlMessage === undefined ? message : `the database refuses it: ${sqlMessage}`
}

/** Codes of the system, of MySQL, of SQLite and of PostgreSQL; those of Node itself tell of wrong calls. */
const outside = /^(?:E[A-Z]+|ER_\w+|ERR_SQLITE_ERROR|[0-9A-Z]{5})$/
