import knexPackage from 'knex'
import type { DatabaseConfig } from '../config/types.js'
import { sharedAside } from './aside.js'
import {
  type Engine,
  type Failure,
  type Layout,
  type LikeOptions,
  pattern,
  type Representation,
  type Session,
} from './engine.js'
import { parseJson } from './json.js'
import { paced } from './paced.js'
import { pooled } from './pooled.js'
import { asked, type Connection, leave, sessionOf, witnessOf } from './postgres-connection.js'
import { quiet } from './quiet.js'
import { type Line, Overdue, Silence } from './silence.js'
import { clockAt, instantOf, type Zone, zoneOf } from './zone.js'

/** A connection of the pool. */
interface Opened extends Connection {
  /** Changes whenever connections are not trusted any more. */
  readonly turn: number
  /** How to find out whether it is still heard. */
  readonly line: Line
}

const types: Record<Representation, string> = {
  id: 'integer',
  text: 'varchar(255)',
  longtext: 'text',
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric(10,2)',
  float: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3)',
  datetime: 'timestamp(6)',
  timestamp: 'timestamp(6)',
  json: 'jsonb',
}

/** Everything but small numbers and booleans arrives as text and is decoded by representation. */
const parsed = new Map<number, (text: string) => unknown>([
  [16, text => text === 't'],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
])
const asIs = (text: string) => text

export async function openPostgres(config: DatabaseConfig): Promise<Engine> {
  // Where one connection was lost, those that were opened before it are not trusted any more.
  let turn = 0
  const distrust = (connection: Opened) => {
    if (connection.turn === turn) turn += 1
  }
  const knex = knexPackage({
    client: 'pg',
    log: quiet,
    connection: {
      host: config.host,
      port: config.port,
      user: config.user,
      password: config.password,
      database: config.database,
      ...(config.ssl !== false && { ssl: config.ssl }),
      ...(config.statementTimeout > 0 && { statement_timeout: config.statementTimeout }),
      connectionTimeoutMillis: config.acquireTimeout,
      types: { getTypeParser: (oid: number) => parsed.get(oid) ?? asIs },
    } as never,
    ...(config.schema !== undefined && { searchPath: [config.schema] }),
    pool: {
      min: config.pool.min,
      max: config.pool.max,
      afterCreate: (connection: Connection, done: (error: null, connection: Opened) => void) => {
        const line: Line = {
          stream: connection.connection.stream,
          beside: () => aside(beside => witnessOf(connection, beside)),
          cut() {
            leave(connection)
            distrust(opened)
          },
        }
        const opened = Object.assign(connection, { turn, line })
        paced(connection.connection.stream)
        done(null, opened)
      },
      validate: (connection: Opened) => connection.turn === turn,
    },
    acquireConnectionTimeout: config.acquireTimeout,
  })
  const aside = sharedAside(
    async () => asked(await knex.client.acquireRawConnection()),
    ({ connection }) => leave(connection),
  )
  const { borrow, unhurried, ...shared } = pooled<Opened>({
    knex,
    connections: config.pool.max,
    session: (connection, timeout) => sessionOf(connection, timeout, connection.line),
    statementTimeout: config.statementTimeout,
    limit: timeout => `set statement_timeout = ${timeout}`,
    leave: distrust,
    // Writes of one entry take turns by its row lock: who waited goes on from what is stored then, and need not start again.
    begin: 'begin isolation level read committed',
    beginSnapshot: ['begin isolation level repeatable read read only'],
    classify,
  })

  return {
    name: 'postgres',
    knex,
    ...shared,
    version: () => undefined,
    columnType: as => types[as],
    ...codecOf(zoneOf(config.timezone)),
    place,
    inList: column => `${column} = any(?::int[])`,
    bindList: ids => [ids],
    like,
    exact: (column, operator, placeholders) =>
      operator.endsWith('in') ? `${column} ${operator} (${placeholders})` : `${column} ${operator} ${placeholders}`,
    exactTwice: false,
    hasPartialIndexes: true,
    introspect: () => borrow(introspect),
    locked: work =>
      unhurried(async session => {
        await session.all("select pg_advisory_lock(hashtext('stele'))", [])
        try {
          return await work()
        } finally {
          await session.all("select pg_advisory_unlock(hashtext('stele'))", [])
        }
      }),
    undoesLayout: true,
    classify,
  }
}

function codecOf(zone: Zone) {
  return {
    encode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      return as === 'datetime' || as === 'timestamp' ? clockAt(value as number, zone) : value
    },
    decode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      switch (as) {
        case 'decimal':
        case 'float':
        case 'integer':
        case 'id':
          return Number(value)
        case 'datetime':
        case 'timestamp':
          return instantOf(String(value), zone)
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

function place(as: Representation, value: unknown): string {
  switch (as) {
    case 'integer':
      return Number.isSafeInteger(value) ? '?::bigint' : '?::double precision'
    case 'bigint':
      return '?::bigint'
    case 'decimal':
      return '?::numeric'
    case 'float':
      return '?::double precision'
    case 'boolean':
      return '?::boolean'
    case 'date':
      return '?::date'
    case 'time':
      return '?::time'
    case 'datetime':
    case 'timestamp':
      return '?::timestamp'
    case 'json':
      return '?::jsonb'
    case 'id':
      return '?::bigint'
    default:
      return '?::text'
  }
}

function like(column: string, text: string, how: LikeOptions) {
  const operator = `${how.negated ? 'not ' : ''}like`
  const escaping = how.literal ? " escape '\\'" : ''
  if (how.ignoreCase)
    return { sql: `lower(${column}::text) ${operator} lower(?::text)${escaping}`, value: pattern(text, how) }
  return { sql: `${column}::text ${operator} ?::text${escaping}`, value: pattern(text, how) }
}

async function introspect(session: Session): Promise<Layout> {
  const tables = new Map<string, Map<string, string>>()
  const columns = await session.all(
    'select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()',
    [],
  )
  for (const [table, column, type] of columns as [string, string, string][]) {
    const known = tables.get(table) ?? new Map<string, string>()
    tables.set(table, known.set(column, type.toLowerCase()))
  }
  const indexes = await session.all('select indexname from pg_indexes where schemaname = current_schema()', [])
  return { tables, indexes: new Set(indexes.map(([name]) => String(name))) }
}

const retried = ['40001', '40P01', '55P03']
const lost = ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']

function classify(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  if (code === '23505') return { kind: 'unique', ...(constraint !== undefined && { column: constraint }) }
  if (code === '23503') return { kind: 'missing' }
  if (retried.includes(code)) return { kind: 'retry' }
  if (code === '57014' || error instanceof Overdue) return { kind: 'timeout' }
  if (
    error instanceof Silence ||
    lost.includes(code) ||
    code.startsWith('08') ||
    // Connections, memory or the disk are used up, or the disk fails.
    code.startsWith('53') ||
    code.startsWith('58') ||
    /Connection terminated|not queryable/.test(error.message)
  )
    return { kind: 'unavailable' }
  if (code.startsWith('22')) return { kind: 'value' }
  return undefined
}
