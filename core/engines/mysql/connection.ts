import { type ConnectionOptions, createConnection } from 'mysql2'
import type { Place } from '../../config/hosts.js'
import type { DatabaseConfig } from '../../config/types.js'
import { within } from '../../loop/clock.js'
import { pacedReads } from '../../loop/paced-reads.js'
import { type Changed, Overtaken, type RawRow, type Session } from '../engine.js'
import { Noted } from '../server/noted.js'
import { type Probe, Unresponsive, underWatchdog, type WatchedConnection } from '../server/watchdog.js'
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

/** What comes of preparing a statement. */
interface PreparedFor {
  readonly statement?: Prepared
  readonly isNew?: boolean
  readonly error?: unknown
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
/** Those of them that are known here: fewer, so that the driver has not closed any. */
const mostKept = 250

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
/** The statements that were prepared last for a connection. */
const prepared = new WeakMap<Connection, Map<string, Prepared>>()

/** Gives a statement as the server keeps it for a connection; it is new if it has just been prepared. */
function preparedOn(connection: Connection, sql: string, done: (result: PreparedFor) => void): void {
  const kept = prepared.get(connection) ?? new Map<string, Prepared>()
  prepared.set(connection, kept)
  const known = kept.get(sql)
  if (known) done({ statement: known, isNew: false })
  else
    connection.prepare(sql, (error, statement) => {
      if (error) return done({ error })
      // What is run here again and again looks unused to the driver, which closes what it has not given away for long.
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      done({ statement, isNew: true })
    })
}

export function sessionOf(
  connection: Connection,
  statementTimeout: number,
  watched: WatchedConnection,
  own: OwnWrites,
): Session {
  let isOpen = false

  /** Transaction control and the layout have no values and need no preparing. */
  function plain(sql: string, done: Callback): void {
    connection.query(sql, (error, result) => {
      const { serverStatus } = (result ?? {}) as Partial<Header>
      if (serverStatus !== undefined) isOpen = (serverStatus & inTransaction) !== 0
      done(error, result)
    })
  }

  /**
   * A node tells a transaction that a write of another one has rolled back so with the next statement, unless that is being
   * prepared: then nothing is said, and the statement runs outside of the transaction. So after each preparing it is asked.
   */
  function ask(sql: string, values: readonly unknown[], done: Callback): void {
    preparedOn(connection, sql, ({ error, statement, isNew }) => {
      if (!statement) done(error, undefined)
      else if (!isNew || !connection.isCluster || !isOpen) statement.execute(values, done)
      else
        plain('do 0', error => {
          if (error) done(error, undefined)
          else if (isOpen) statement.execute(values, done)
          else done(new Overtaken('a write of another node has thrown the transaction out'), undefined)
        })
    })
  }

  function send(sql: string, values: readonly unknown[], done: Callback): void {
    if (values.length === 0 && !/^select/i.test(sql)) plain(sql, done)
    else ask(sql, values, done)
  }

  const written = new Noted()

  /** Notes what a transaction writes until it is stored. What is followed ends also where the server does not reply. */
  function watch(sql: string, values: readonly unknown[]): Promise<unknown> {
    const answered = underWatchdog(settle => send(sql, values, settle), statementTimeout, watched)
    if (!connection.isFollowed) return answered
    const isCommit = sql === 'commit'
    if (sql === 'rollback') written.take()
    else if (!isCommit) written.note({ sql, values })
    // What a statement with values does in a transaction is stored by another one.
    if (!isOpen || values.length === 0) own.follow(answered as Promise<Header>, written, isCommit)
    return answered
  }

  let asking: Promise<void> | undefined
  let ended: unknown

  /**
   * In a transaction one after the other: the driver would send what waits although the server has undone the transaction, and
   * it would run outside of it, and be stored.
   */
  function execute(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (!isOpen && ended === undefined) return watch(sql, values)
    if (asking) return asking.then(() => execute(sql, values))
    if (ended !== undefined && sql !== 'rollback') return Promise.reject(ended)
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
    run: (sql, values) => execute(sql, values).then(changedOf),
  }
}

function changedOf(header: unknown): Changed {
  const { affectedRows, insertId } = header as Header
  return { changes: affectedRows, id: Number(insertId) }
}
