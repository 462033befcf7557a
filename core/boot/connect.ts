import { existsSync } from 'node:fs'
import type { Config } from '../config/types.js'
import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import type { Engine } from '../store/engine.js'
import { openEngine } from '../store/open.js'
import { traced } from '../store/traced.js'

/** Opens the database, or says in a sentence why that cannot be. */
export async function connect({ database }: Config, log: Log): Promise<Engine> {
  let engine: Engine | undefined
  try {
    engine = traced(await openEngine(database, log), log)
    await engine.ping()
    return engine
  } catch (cause) {
    await engine?.close()
    if (cause instanceof BootError) throw cause
    throw new BootError(
      `the ${database.client} database${placeOf(database)} cannot be used: ${reasonOf(cause as Error)}\nconfig/database and the variables DATABASE_... say where it is and who opens it`,
      { cause },
    )
  }
}

const placeOf = ({ filename, host, port }: Config['database']): string =>
  filename !== undefined ? ` ${filename}` : host === undefined ? '' : ` at ${host}:${port}`

/** The driver's own words; Node gathers the failures of several addresses in one error that has none. */
function reasonOf(error: Error & { errors?: Error[] }): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || error.errors?.map(({ message }) => message).join('; ') || error.name
}

/** Opening a file of SQLite would make it. */
export function mustExist({ database: { client, filename = ':memory:' } }: Config): void {
  if (client === 'sqlite' && !existsSync(filename))
    throw new BootError(`there is no database ${filename} yet: a start of the app makes it`)
}
