import { isIP } from 'node:net'
import { type ConnectionOptions, createConnection } from 'mysql2'
import type { Tls } from '../../config/address.js'
import type { HostAddress } from '../../config/hosts.js'
import type { DatabaseConfig } from '../../config/types.js'
import { within } from '../../loop/clock.js'
import { pacedReads } from '../../loop/paced-reads.js'
import { noted } from '../driver-errors.js'
import type { Probe } from '../server/side-connection.js'
import { tlsOptions } from '../server/tls.js'
import { Unresponsive, type WatchedConnection } from '../server/watchdog.js'
import { assertHealthy, sessionSettings } from './galera.js'

export type Callback<Result = unknown> = (error: unknown, result: Result, fields?: readonly Column[]) => void

/** A column of a reply. */
export interface Column {
  readonly name: string
  readonly columnType: number
  readonly columnLength: number
}

/** The reply of a server to a statement that gives no rows. */
export interface Header {
  readonly affectedRows: number
  readonly insertId: number | string
  readonly serverStatus: number
  /** Settings that the statement has changed, as far as the session asks about them. */
  readonly stateChanges?: { readonly systemVariables: Readonly<Record<string, string>> }
}

/** A statement that a server keeps prepared for one connection. */
export interface PreparedStatement {
  execute(values: readonly unknown[], done: Callback): void
}

/** One connection of the driver. */
export interface Connection {
  /** As the server calls it. */
  readonly threadId: number
  readonly stream: WatchedConnection['stream']
  /** Its server is the node of a cluster. */
  isCluster?: boolean
  /** Its own writes are told from those of others. */
  isFollowed?: boolean
  /** Its server takes several statements in one that is prepared. */
  takesBlocks?: boolean
  /** The largest packet that its server takes, in bytes. */
  mostBytes?: number
  /** It was lost, or is closed. */
  isOver?: boolean
  execute(sql: string, values: readonly unknown[], done: Callback): void
  prepare(sql: string, done: Callback<PreparedStatement>): void
  query(sql: string, done: Callback): void
  /** Takes leave of its server. */
  end(): void
  destroy(): void
}

/** Statements a connection keeps prepared; servers share a limit over all connections. */
export const maxStatements = 300

/** The driver compares names only if it is told to. An authority that all systems trust signs names of others, too. */
const verified = { verifyIdentity: true }

const tlsOf = (ssl: Exclude<Tls, false>): unknown =>
  ssl === true ? verified : typeof ssl === 'object' ? tlsOptions(ssl) : ssl

/** A connection that is ready for statements. */
export async function connectTo(
  place: HostAddress,
  config: DatabaseConfig,
  maxWait: number,
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
    ...(config.ssl !== false && { ssl: tlsOf(config.ssl) }),
  } as ConnectionOptions) as unknown as Connection & {
    connect(done: Callback): void
    on(event: 'error' | 'end', heard: () => void): void
  }
  // The driver names no host to TLS where it is an address; then the names of a certificate are compared with this one.
  if (isIP(place.host) !== 0) Object.assign(connection.stream, { _host: place.host })
  const over = () => {
    connection.isOver = true
  }
  connection.on('error', over)
  connection.on('end', over)
  const ready = async () => {
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error ? reject(error) : resolve()))
    })
    Object.assign(connection, await prepareConnection(connection, config))
  }
  try {
    await within(maxWait, ready(), () => new Unresponsive(`${place.host} does not answer`))
    pacedReads.pace(connection.stream)
    return connection
  } catch (error) {
    connection.destroy()
    throw noted(error)
  }
}

const asking =
  (connection: Connection) =>
  <T>(sql: string) =>
    new Promise<T>((resolve, reject) =>
      connection.query(sql, (error, result) => (error ? reject(error) : resolve(result as T))),
    )

/** The depth of a search for plans that servers come with; another one is an operator's choice. */
const exhaustive = '62'

/** Names of the variables that tell the properties of a server. */
const serverFacts =
  "'version', 'wsrep_on', 'innodb_snapshot_isolation', 'gtid_strict_mode', 'log_bin', 'optimizer_search_depth', 'max_allowed_packet'"

/** Sets a new connection up; resolves to the properties of its server. */
async function prepareConnection(
  connection: Connection,
  config: DatabaseConfig,
): Promise<Pick<Connection, 'isCluster' | 'isFollowed' | 'takesBlocks' | 'mostBytes'>> {
  const query = asking(connection)
  const variables = new Map(await query<[string, string][]>(`show variables where variable_name in (${serverFacts})`))
  const isCluster = variables.get('wsrep_on') === 'ON'
  if (isCluster) await assertHealthy(query)
  // With numbers that cannot come twice, MariaDB's names of transactions tell those of others.
  const namesCommits = !isCluster && variables.get('gtid_strict_mode') === 'ON' && variables.get('log_bin') === 'ON'
  const { statementTimeout } = config
  const settings = ["sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"]
  if (statementTimeout > 0) settings.push(timeLimit(statementTimeout))
  // Without it a transaction of its own isolation can overwrite changes that it has not seen.
  if (variables.has('innodb_snapshot_isolation')) settings.push('innodb_snapshot_isolation = ON')
  // The plan of a statement is looked for among all orders of its joins otherwise, which takes seconds for sixteen of them.
  if (variables.get('optimizer_search_depth') === exhaustive) settings.push('optimizer_search_depth = 0')
  if (namesCommits) settings.push("session_track_system_variables = 'last_gtid'")
  if (isCluster) settings.push(...sessionSettings(config))
  await query(`set ${settings.map(setting => `session ${setting}`).join(', ')}`)
  // Writes of one entry take turns by its row lock: a write that waited goes on from the row as stored then, and need not start
  // again.
  await query('set session transaction isolation level read committed')
  return {
    isCluster,
    isFollowed: namesCommits || config.soleWriter === true,
    // A node of a cluster has to be asked after each preparing whether the transaction still stands.
    takesBlocks: !isCluster && hasBlocks(variables.get('version') ?? ''),
    mostBytes: Number(variables.get('max_allowed_packet')),
  }
}

/** MariaDB has blocks of statements outside of procedures; since 10.6 they may be prepared like anything else. */
function hasBlocks(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.', 2).map(Number)
  return version.includes('MariaDB') && (major > 10 || (major === 10 && minor >= 6))
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
      // A proxy in between numbers its connections by itself, and means others than the server does.
      if (!own?.[7]?.startsWith(list) || own[1] !== other?.[1] || own[3] !== other[3]) return undefined
      return other[4] === 'Sleep' ? 'waits' : 'works'
    },
    end: () => query(`kill ${doubted.threadId}`),
  }
}
