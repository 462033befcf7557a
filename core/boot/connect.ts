import { userInfo } from 'node:os'
import { lacksFile } from '../config/engines.js'
import type { Config } from '../config/types.js'
import type { Engine } from '../engines/engine.js'
import { observed } from '../engines/observed.js'
import { openEngine } from '../engines/open.js'
import { tlsAdvice } from '../engines/server/tls.js'
import { traced } from '../engines/traced.js'
import { withWriteNotes } from '../engines/write-notes.js'
import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import type { Observers } from '../plugin/observers.js'

/** Opens the database, or says in a sentence why that cannot be. */
export async function connect({ database }: Config, log: Log, tell?: Observers['statement']): Promise<Engine> {
  let engine: Engine | undefined
  try {
    engine = observed(traced(withWriteNotes(await openEngine(database, log)), log), tell)
    await engine.ping()
    return engine
  } catch (cause) {
    await engine?.close()
    if (cause instanceof BootError) throw cause
    throw new BootError(
      `the ${database.client} database${placeOf(database)} cannot be used: ${reasonOf(cause as Error)}${userOf(cause)}${adviceOn(cause as Error)}\nconfig/database and the variables DATABASE_... say where it is and who opens it`,
      { cause, kind: isDenied(cause) ? 'access' : 'database' },
    )
  }
}

const placeOf = ({ filename, host, port }: Config['database']): string =>
  filename !== undefined ? ` ${filename}` : host === undefined ? '' : ` at ${host}:${port}`

type GatheredError = Error & { readonly errors?: readonly Error[] }

/** The driver's own words; Node gathers the failures of several addresses in one error that has none. */
function reasonOf(error: GatheredError): string {
  const { message, errors, name } = rootOf(error)
  return message || errors?.map(({ message }) => message).join('; ') || name
}

/** The first piece of advice that the errors of several servers lead to. */
function adviceOn(error: GatheredError): string {
  const root = rootOf(error)
  const advice = [root, ...(root.errors ?? [])].map(tlsAdvice).find(says => says !== undefined)
  return advice === undefined ? '' : `: ${advice}`
}

const rootOf = (error: GatheredError): GatheredError => (error.cause instanceof Error ? rootOf(error.cause) : error)

/** The user whose rights were not enough, if the system refused. */
const userOf = (cause: unknown): string => (isDenied(cause) ? ` (as the user ${currentUser()})` : '')

function isDenied(cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

function currentUser(): string {
  try {
    return userInfo().username
  } catch {
    // A user in a container may have a number only.
    return String(process.getuid?.())
  }
}

/** Opens the database for a look at it, replicas aside; undefined if there is none yet. */
export async function openExisting(config: Config, log: Log): Promise<Engine | undefined> {
  const { database } = config
  if (lacksFile(database)) return undefined
  return connect({ ...config, database: { ...database, replicas: [] } }, log)
}

export function mustExist({ database }: Config): void {
  if (lacksFile(database))
    throw new BootError(`no database at ${database.filename}; \`stele start\` creates it`, { kind: 'data' })
}
