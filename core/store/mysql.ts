import knexPackage from 'knex'
import type { DatabaseConfig } from '../config/types.js'
import {
  type Changed,
  type Engine,
  type Failure,
  type Layout,
  type LikeOptions,
  pattern,
  type RawRow,
  type Representation,
  type Session,
} from './engine.js'
import { parseJson } from './json.js'
import { pooled } from './pooled.js'
import { quiet } from './quiet.js'
import { clockAt, instantOf, type Zone, zoneOf } from './zone.js'

type Callback = (error: unknown, result: unknown) => void
interface Connection {
  execute(sql: string, values: readonly unknown[], done: Callback): void
  query(sql: string, done: Callback): void
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

/** Statements a connection keeps prepared; servers share a limit over all connections. */
const keptStatements = 300

export async function openMysql(config: DatabaseConfig): Promise<Engine> {
  const knex = knexPackage({
    client: 'mysql2',
    // Otherwise knex asks for it, and does not understand rows that are lists.
    version: 'latest',
    log: quiet,
    connection: {
      host: config.host,
      port: config.port,
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
    } as never,
    pool: {
      min: config.pool.min,
      max: config.pool.max,
      afterCreate: (connection: Connection, done: Callback) =>
        prepareConnection(connection, config).then(
          () => done(null, connection),
          error => done(error, connection),
        ),
    },
    acquireConnectionTimeout: config.acquireTimeout,
  })
  const { borrow, ...shared } = pooled<Connection>({
    knex,
    session: sessionOf,
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
    introspect: () => borrow(introspect),
    locked: work =>
      borrow(async session => {
        const [[held]] = (await session.all("select get_lock(concat('stele:', database()), 60)", [])) as [RawRow]
        if (Number(held) !== 1) throw new Error('another process has held the layout of the database for a minute')
        try {
          return await work()
        } finally {
          await session.all("select release_lock(concat('stele:', database()))", [])
        }
      }),
    altering: work =>
      borrow(async session => {
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

function sessionOf(connection: Connection): Session {
  const execute = (sql: string, values: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const done: Callback = (error, result) => (error ? reject(error) : resolve(result))
      // Transaction control and the layout have no values and need no preparing.
      if (values.length === 0 && !/^select/i.test(sql)) connection.query(sql, done)
      else connection.execute(sql, values, done)
    })
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

async function prepareConnection(connection: Connection, config: DatabaseConfig): Promise<void> {
  const query = (sql: string) =>
    new Promise<unknown>((resolve, reject) =>
      connection.query(sql, (error, result) => (error ? reject(error) : resolve(result))),
    )
  await query("set session sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'")
  const [[version]] = (await query('select version()')) as [[string]]
  const isMaria = /mariadb/i.test(version)
  if (config.statementTimeout > 0)
    await query(
      isMaria
        ? `set session max_statement_time = ${config.statementTimeout / 1000}`
        : `set session max_execution_time = ${Math.round(config.statementTimeout)}`,
    )
  // Writes of one entry take turns by its row lock: who waited goes on from what is stored then, and need not start again.
  await query('set session transaction isolation level read committed')
}

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
  return { tables, indexes: new Set(indexes.map(([name]) => String(name))) }
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
  if (errno === 1969 || errno === 3024) return { kind: 'timeout' }
  if (
    errno === 1047 ||
    errno === 1053 ||
    errno === 1040 ||
    (code !== undefined && lost.includes(code)) ||
    /closed state/.test(error.message)
  )
    return { kind: 'unavailable' }
  // Out of range, too long, no such character, no date; and no JSON, which MariaDB checks with a constraint.
  if (errno !== undefined && [1264, 1406, 1366, 1292, 3140, 4025].includes(errno)) return { kind: 'value' }
  return undefined
}
