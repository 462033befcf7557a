import { type ConnectionOptions, createConnection } from 'mysql2'
import type { Place } from '../../config/hosts.js'
import type { DatabaseConfig } from '../../config/types.js'
import { within } from '../../loop/clock.js'
import { pacedReads } from '../../loop/paced-reads.js'
import { type Changed, Overtaken, type RawRow, type Session } from '../engine.js'
import { Noted } from '../server/noted.js'
import { type Probe, Unresponsive, type WatchedConnection, withWatchdog } from '../server/watchdog.js'
import { assertHealthy, sessionSettings } from './galera.js'
import type { OwnWrites } from './own-writes.js'

type Callback<Result = unknown> = (error: unknown, result: Result) => void

/** What a server says of a statement that gives no rows. */
export interface Header {
  readonly affectedRows: number
  readonly insertId: number | string
  readonly serverStatus: number
  /** Settings that the statement has changed, as far as the session asks about them. */
  readonly stateChanges?: { readonly systemVariables: Readonly<Record<string, string>> }
}

/** A statement that a server keeps prepared for one connection. */
interface Prepared {
  execute(values: readonly unknown[], done: Callback): void
}

/** One connection of the driver. */
export interface Connection {
  /** As the server calls it. */
  readonly threadId: number
  readonly stream: WatchedConnection['stream']
  /** Its server is the node of a cluster. */
  isCluster?: boolean
  /** What is written on it is told from what others write. */
  isFollowed?: boolean
  execute(sql: string, values: readonly unknown[], done: Callback): void
  prepare(sql: string, done: Callback<Prepared>): void
  query(sql: string, done: Callback): void
  destroy(): void
}

/** Statements a connection keeps prepared; servers share a limit over all connections. */
const maxStatements = 300

/** A connection that is ready for statements. */
export async function connectTo(
  place: Place,
  config: DatabaseConfig,
  patience: number,
  options: { readonly multipleStatements?: boolean } = {},
): Promise<Connection> {
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
    maxPreparedStatements: maxStatements,
    ...options,
    ...(config.ssl !== false && { ssl: config.ssl === true ? {} : config.ssl }),
  } as ConnectionOptions) as unknown as Connection & {
    connect(done: Callback): void
    on(event: 'error', heard: () => void): void
  }
  // The pool looks at the connection itself before it is used again; unheard, the event would end the process.
  connection.on('error', () => undefined)
  const ready = async () => {
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error ? reject(error) : resolve()))
    })
    Object.assign(connection, await prepareConnection(connection, config))
  }
  try {
    await within(patience, ready(), () => new Unresponsive(`${place.host} does not answer`))
    pacedReads.pace(connection.stream)
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

/** What is asked about a server. */
const serverFacts = "'wsrep_on', 'innodb_snapshot_isolation', 'gtid_strict_mode', 'log_bin'"

/** Sets a new connection up; says what its server is. */
async function prepareConnection(
  connection: Connection,
  config: DatabaseConfig,
): Promise<Pick<Connection, 'isCluster' | 'isFollowed'>> {
  const query = asking(connection)
  const variables = new Map(await query<[string, string][]>(`show variables where variable_name in (${serverFacts})`))
  const isCluster = variables.get('wsrep_on') === 'ON'
  if (isCluster) await assertHealthy(query)
  // With numbers that cannot come twice, MariaDB's names of transactions tell those of others.
  const namesCommits = !isCluster && variables.get('gtid_strict_mode') === 'ON' && variables.get('log_bin') === 'ON'
  const { statementTimeout } = config
  const settings = ["sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"]
  if (statementTimeout > 0) settings.push(timeLimit(statementTimeout))
  // Without it a transaction of its own isolation can overwrite what it has not seen.
  if (variables.has('innodb_snapshot_isolation')) settings.push('innodb_snapshot_isolation = ON')
  if (namesCommits) settings.push("session_track_system_variables = 'last_gtid'")
  if (isCluster) settings.push(...sessionSettings(config))
  await query(`set ${settings.map(setting => `session ${setting}`).join(', ')}`)
  // Writes of one entry take turns by its row lock: who waited goes on from what is stored then, and need not start again.
  await query('set session transaction isolation level read committed')
  return { isCluster, isFollowed: namesCommits || config.soleWriter === true }
}

/** The limit of a statement's time, as a setting of a session: each of the two kinds of servers reads its own comment. */
export const timeLimit = (milliseconds: number): string =>
  `/*M! max_statement_time = ${milliseconds / 1000} *//*!50708 max_execution_time = ${Math.round(milliseconds)} */`

/** A connection to the same server, asked about the first one. */
export function probeOf(doubted: Connection, beside: Connection): Probe {
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

/** Errors with which a server undoes a transaction, or may: a deadlock, a lock wait, a row that has changed. */
const undoing: readonly unknown[] = [1213, 1205, 1020]
/** The flag of a server's reply that says that a transaction is open. */
const inTransaction = 1
/** Statements whose preparing has hidden nothing: the driver keeps them, and prepares again what it has let go. */
const trusted = new WeakSet<Prepared>()

export function sessionOf(
  connection: Connection,
  statementTimeout: number,
  watched: WatchedConnection,
  own: OwnWrites,
): Session {
  const asked = <T>(ask: (done: Callback<T>) => void) =>
    new Promise<T>((resolve, reject) => {
      ask((error, result) => (error ? reject(error) : resolve(result)))
    })
  let isOpen = false

  /** Transaction control and the layout have no values and need no preparing. */
  async function plain(sql: string): Promise<unknown> {
    const result = await asked(done => connection.query(sql, done))
    const { serverStatus } = result as Partial<Header>
    if (serverStatus !== undefined) isOpen = (serverStatus & inTransaction) !== 0
    return result
  }

  /**
   * A node tells a transaction that a write of another one has rolled back so with the next statement, unless that is being
   * prepared: then nothing is said, and the statement runs outside of the transaction. So after each preparing it is asked.
   */
  async function inCluster(sql: string, values: readonly unknown[]): Promise<unknown> {
    const prepared = await asked<Prepared>(done => connection.prepare(sql, done))
    if (isOpen && !trusted.has(prepared)) {
      await plain('do 0')
      if (!isOpen) throw new Overtaken('a write of another node has thrown the transaction out')
    }
    trusted.add(prepared)
    return asked(done => prepared.execute(values, done))
  }

  function send(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (values.length === 0 && !/^select/i.test(sql)) return plain(sql)
    return connection.isCluster ? inCluster(sql, values) : asked(done => connection.execute(sql, values, done))
  }

  const written = new Noted()

  /** Notes what a transaction writes until it is stored. What is followed ends also where the server does not reply. */
  function watch(sql: string, values: readonly unknown[]): Promise<unknown> {
    const answered = withWatchdog(send(sql, values), statementTimeout, watched)
    if (!connection.isFollowed) return answered
    const isCommit = sql === 'commit'
    if (sql === 'rollback') written.take()
    else if (!isCommit) written.note({ sql, values })
    own.follow(answered as Promise<Header>, written, isCommit)
    return answered
  }

  let asking: Promise<void> | undefined
  let ended: unknown

  /**
   * In a transaction one after the other: the driver would send what waits although the server has undone the transaction, and
   * it would run outside of it, and be stored.
   */
  async function execute(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (!isOpen && ended === undefined) return watch(sql, values)
    while (asking) await asking
    if (ended !== undefined && sql !== 'rollback') throw ended
    const answered = watch(sql, values)
    const done = (error?: unknown) => {
      const isUndone = error instanceof Overtaken || undoing.includes((error as { errno?: unknown } | undefined)?.errno)
      if (isUndone) ended = error
      asking = undefined
    }
    asking = answered.then(() => done(), done)
    return answered
  }

  return {
    all: (sql, values) => execute(sql, values) as Promise<RawRow[]>,
    run: async (sql, values): Promise<Changed> => {
      const { affectedRows, insertId } = (await execute(sql, values)) as Header
      return { changes: affectedRows, id: Number(insertId) }
    },
  }
}
