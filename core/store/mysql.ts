import knexPackage from 'knex'
import type { Place } from '../config/hosts.js'
import type { DatabaseConfig } from '../config/types.js'
import { type AsideMaker, sharedAside } from './aside.js'
import {
  type Engine,
  type Failure,
  type Layout,
  type LikeOptions,
  pattern,
  type RawRow,
  type Representation,
  type Session,
} from './engine.js'
import { isCluster, mustBeFit, UnfitNode } from './galera.js'
import { Hosts } from './hosts.js'
import { parseJson } from './json.js'
import { type Connection, connectTo, sessionOf, timeLimit, witnessOf } from './mysql-connection.js'
import { pooled } from './pooled.js'
import { quiet } from './quiet.js'
import { type Line, Overdue, Silence } from './silence.js'
import { clockAt, instantOf, type Zone, zoneOf } from './zone.js'

/** A connection of the pool. */
interface Opened extends Connection {
  /** Of the hosts, when it was opened. */
  readonly turn: number
  /** How to find out whether it is still heard. */
  readonly line: Line
}

const types: Record<Representation, string> = {
  id: 'int unsigned',
  text: 'varchar(255)',
  longtext: 'longtext',
  integer: 'int',
  bigint: 'bigint',
  decimal: 'decimal(10,2)',
  float: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(3)',
  datetime: 'datetime(6)',
  timestamp: 'timestamp(6)',
  json: 'json',
}

export async function openMysql(config: DatabaseConfig): Promise<Engine> {
  const places = placesOf(config)
  const hosts = new Hosts(places)
  // What a dead server leaves of the time that a request waits is enough to try the next ones.
  const patience = config.acquireTimeout / places.length
  const asides = new Map<Place, AsideMaker<Connection>>()
  const asideAt = (place: Place): AsideMaker<Connection> => {
    const open = () => connectTo(place, config, patience)
    const known = asides.get(place) ?? sharedAside(open, connection => connection.destroy())
    asides.set(place, known)
    return known
  }
  const knex = knexPackage({
    client: 'mysql2',
    // Otherwise knex asks for it, and does not understand rows that are lists.
    version: 'latest',
    log: quiet,
    // Connections are made below, because the builder's own client knows one server only.
    connection: {},
    pool: {
      min: config.pool.min,
      max: config.pool.max,
      validate: connection => connection.turn === hosts.turn,
    },
    acquireConnectionTimeout: config.acquireTimeout,
  })
  Object.assign(knex.client, {
    acquireRawConnection: async () => {
      const connect = async (place: Place) => [await connectTo(place, config, patience), place] as const
      const [connection, place] = await hosts.open(connect)
      const { turn } = hosts
      const line: Line = {
        stream: connection.stream,
        beside: () => asideAt(place)(beside => witnessOf(connection, beside)),
        cut(isServerWell) {
          connection.destroy()
          if (isServerWell) hosts.renew(turn)
        },
      }
      return Object.assign(connection, { turn, line })
    },
  })
  const { borrow, unhurried, ...shared } = pooled<Opened>({
    knex,
    connections: config.pool.max,
    session: (connection, timeout) => sessionOf(connection, timeout, connection.line),
    statementTimeout: config.statementTimeout,
    limit: timeout => `set ${timeLimit(timeout)}`,
    leave: connection => hosts.leave(connection.turn),
    begin: 'start transaction',
    beginSnapshot: [
      'set transaction isolation level repeatable read',
      'start transaction with consistent snapshot, read only',
    ],
    classify,
  })
  const codec = codecOf(zoneOf(config.timezone))

  return {
    name: 'mysql',
    knex,
    ...shared,
    ping: () =>
      borrow(async session => {
        const ask = async (sql: string) => session.all(sql, [])
        if (await isCluster(ask)) await mustBeFit(ask)
      }),
    version: () => undefined,
    columnType: as => types[as],
    encode: codec.encode,
    decode: codec.decode,
    place: () => '?',
    inList: column => `${column} in (${listMark})`,
    bindList: ids => padded(ids),
    expandList: (sql, count) => sql.replace(listMark, new Array(paddedLength(count)).fill('?').join(', ')),
    like,
    exact: (column, operator, placeholders) => {
      // The first comparison may use an index, the second looks at the bytes.
      const list = operator.endsWith('in')
      const values = list ? `(${placeholders})` : placeholders
      const bytes = `cast(${column} as binary) ${operator} ${values}`
      return operator === '=' || operator === 'in' ? `(${column} ${operator} ${values} and ${bytes})` : bytes
    },
    exactTwice: true,
    hasPartialIndexes: false,
    introspect: () => borrow(introspect),
    locked: work =>
      unhurried(async session => {
        const [[held]] = (await session.all("select get_lock(concat('stele:', database()), 60)", [])) as [RawRow]
        if (Number(held) !== 1) throw new Error('another process has held the layout of the database for a minute')
        try {
          return await work()
        } finally {
          await session.all("select release_lock(concat('stele:', database()))", [])
        }
      }),
    altering: work =>
      unhurried(async session => {
        try {
          return await work(session)
        } finally {
          await session.run('unlock tables', [])
        }
      }),
    undoesLayout: false,
    classify,
  }
}

const placesOf = ({ host = '127.0.0.1', port = 3306, fallbacks = [] }: DatabaseConfig): readonly Place[] => [
  { host, port },
  ...fallbacks,
]

/** The place of a list whose length is known when the statement runs. */
const listMark = '/*list*/?'
const lengths = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000]

/** Few lengths of lists make few statements; the last id fills the rest. */
const paddedLength = (count: number): number => lengths.find(length => length >= count) ?? count

function padded(ids: readonly number[]): readonly number[] {
  const missing = paddedLength(ids.length) - ids.length
  return missing === 0 ? ids : [...ids, ...new Array(missing).fill(ids.at(-1))]
}

function codecOf(zone: Zone) {
  return {
    encode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      if (as === 'datetime' || as === 'timestamp') return clockAt(value as number, zone).replace('T', ' ')
      if (as === 'boolean') return value ? 1 : 0
      return value
    },
    decode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      switch (as) {
        case 'boolean':
          return value === 1
        case 'bigint':
          return String(value)
        case 'decimal':
          return Number(value)
        case 'datetime':
        case 'timestamp':
          return instantOf(value as string, zone)
        case 'time':
          return String(value)
            .slice(0, 12)
            .padEnd(12, String(value).includes('.') ? '0' : '.000')
        case 'json':
          return parseJson(value)
        default:
          return value
      }
    },
  }
}

function like(column: string, text: string, how: LikeOptions) {
  const not = how.negated ? 'not ' : ''
  const escaping = how.literal ? " escape '\\\\'" : ''
  if (how.ignoreCase && how.exactCase)
    return { sql: `cast(lower(${column}) as binary) ${not}like lower(?)${escaping}`, value: pattern(text, how) }
  if (how.ignoreCase) return { sql: `lower(${column}) ${not}like lower(?)${escaping}`, value: pattern(text, how) }
  const target = how.exactCase ? `cast(${column} as binary)` : column
  return { sql: `${target} ${not}like ?${escaping}`, value: pattern(text, how) }
}

async function introspect(session: Session): Promise<Layout> {
  const tables = new Map<string, Map<string, string>>()
  const columns = await session.all(
    'select table_name, column_name, column_type from information_schema.columns where table_schema = database()',
    [],
  )
  for (const [table, column, type] of columns as [string, string, string][]) {
    const known = tables.get(table) ?? new Map<string, string>()
    tables.set(table, known.set(column, type.toLowerCase()))
  }
  const indexes = await session.all(
    'select distinct index_name, table_name from information_schema.statistics where table_schema = database()',
    [],
  )
  const loose = await session.all(
    "select table_name from information_schema.tables where table_schema = database() and engine <> 'InnoDB'",
    [],
  )
  return {
    tables,
    indexes: new Set(indexes.map(([name]) => String(name))),
    loose: loose.map(([name]) => String(name)),
  }
}

const lost = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
]

/**
 * The server cannot serve now: its disk is full, or its memory, too many connections, it is being stopped, a connection was
 * killed, a node of a cluster has lost the others or cannot reach them at a commit.
 */
const gone = [1021, 1037, 1040, 1041, 1047, 1053, 1114, 1180, 1927]

function classify(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { errno, code } = error as { errno?: number; code?: string }
  if (errno === 1062) {
    const column = /for key '(?:[^'.]*\.)?([^']+)'/.exec(error.message)?.[1]
    return { kind: 'unique', ...(column !== undefined && { column }) }
  }
  // Deadlock, lock wait, a changed row under snapshot isolation.
  if (errno === 1213 || errno === 1205 || errno === 1020) return { kind: 'retry' }
  if (errno === 1452) return { kind: 'missing' }
  // A packet, or what a transaction sends to the other nodes of a cluster.
  if (errno === 1153 || (errno === 1105 && /writeset|ws_size/i.test(error.message))) return { kind: 'large' }
  if (errno === 1969 || errno === 3024 || error instanceof Overdue) return { kind: 'timeout' }
  if (
    error instanceof Silence ||
    error instanceof UnfitNode ||
    (errno !== undefined && gone.includes(errno)) ||
    (code !== undefined && lost.includes(code)) ||
    /closed state/.test(error.message)
  )
    return { kind: 'unavailable' }
  // Out of range, too long, no such character, no date; and no JSON, which MariaDB checks with a constraint.
  if (errno !== undefined && [1264, 1406, 1366, 1292, 3140, 4025].includes(errno)) return { kind: 'value' }
  return undefined
}
