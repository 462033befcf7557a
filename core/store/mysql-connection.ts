import { createConnection } from 'mysql2'
import type { Place } from '../config/hosts.js'
import type { DatabaseConfig } from '../config/types.js'
import type { Changed, RawRow, Session } from './engine.js'
import { mustBeFit, sessionSettings } from './galera.js'
import { paced } from './paced.js'
import { heard, inTime, type Line, type Witness } from './silence.js'

type Callback = (error: unknown, result: unknown) => void

/** One connection of the driver. */
export interface Connection {
  /** As the server calls it. */
  readonly threadId: number
  readonly stream: Line['stream']
  execute(sql: string, values: readonly unknown[], done: Callback): void
  query(sql: string, done: Callback): void
  destroy(): void
}

/** Statements a connection keeps prepared; servers share a limit over all connections. */
const keptStatements = 300

/** A connection that is ready for statements. */
export async function connectTo(place: Place, config: DatabaseConfig, patience: number): Promise<Connection> {
  const connection = createConnection({
    ...place,
    user: config.user,
    password: config.password,
    database: config.database,
    charset: 'utf8mb4',
    timezone: config.timezone,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    maxPreparedStatements: keptStatements,
    ...(config.ssl !== false && { ssl: config.ssl === true ? {} : config.ssl }),
  } as never) as unknown as Connection & { connect(done: Callback): void; on(event: 'error', heard: () => void): void }
  // The pool looks at the connection itself before it is used again; unheard, the event would end the process.
  connection.on('error', () => undefined)
  const ready = async () => {
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error ? reject(error) : resolve()))
    })
    await prepareConnection(connection, config)
  }
  try {
    await inTime(ready(), patience, place.host)
    paced(connection.stream)
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  }
}

const asking =
  (connection: Connection) =>
  <T>(sql: string) =>
    new Promise<T>((resolve, reject) =>
      connection.query(sql, (error, result) => (error ? reject(error) : resolve(result as T))),
    )

async function prepareConnection(connection: Connection, config: DatabaseConfig): Promise<void> {
  const query = asking(connection)
  const variables = new Map(
    await query<[string, string][]>("show variables where variable_name in ('wsrep_on', 'innodb_snapshot_isolation')"),
  )
  const isCluster = variables.get('wsrep_on') === 'ON'
  if (isCluster) await mustBeFit(query)
  const { statementTimeout } = config
  const settings = ["sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"]
  if (statementTimeout > 0) settings.push(timeLimit(statementTimeout))
  // Without it a transaction of its own isolation can overwrite what it has not seen.
  if (variables.has('innodb_snapshot_isolation')) settings.push('innodb_snapshot_isolation = ON')
  if (isCluster) settings.push(...sessionSettings(config))
  await query(`set ${settings.map(setting => `session ${setting}`).join(', ')}`)
  // Writes of one entry take turns by its row lock: who waited goes on from what is stored then, and need not start again.
  await query('set session transaction isolation level read committed')
}

/** The limit of a statement's time, as a setting of a session: each of the two kinds of servers reads its own comment. */
export const timeLimit = (milliseconds: number): string =>
  `/*M! max_statement_time = ${milliseconds / 1000} *//*!50708 max_execution_time = ${Math.round(milliseconds)} */`

/** A connection to the same server, asked about the first one. */
export function witnessOf(doubted: Connection, beside: Connection): Witness {
  const query = asking(beside)
  const list = 'show full processlist'
  return {
    async doing() {
      const rows = await query<[number, string, string, string, string, number, string, string | null][]>(list)
      const of = ({ threadId }: Connection) => rows.find(([id]) => Number(id) === threadId)
      const [own, other] = [of(beside), of(doubted)]
      // A proxy in between calls its connections what it likes, and means others than the server does.
      if (!own?.[7]?.startsWith(list) || own[1] !== other?.[1] || own[3] !== other[3]) return undefined
      return other[4] === 'Sleep' ? 'waits' : 'works'
    },
    end: () => query(`kill ${doubted.threadId}`),
  }
}

export function sessionOf(connection: Connection, statementTimeout: number, line: Line): Session {
  const send = (sql: string, values: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const done: Callback = (error, result) => (error ? reject(error) : resolve(result))
      // Transaction control and the layout have no values and need no preparing.
      if (values.length === 0 && !/^select/i.test(sql)) connection.query(sql, done)
      else connection.execute(sql, values, done)
    })
  const execute = (sql: string, values: readonly unknown[]) => heard(send(sql, values), statementTimeout, line)
  return {
    all: (sql, values) => execute(sql, values) as Promise<RawRow[]>,
    run: async (sql, values): Promise<Changed> => {
      const { affectedRows, insertId } = (await execute(sql, values)) as {
        affectedRows: number
        insertId: number | string
      }
      return { changes: affectedRows, id: Number(insertId) }
    },
  }
}
