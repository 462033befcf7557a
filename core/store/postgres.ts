import { createHash } from 'node:crypto'
import knexPackage from 'knex'
import type { DatabaseConfig } from '../config/types.js'
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
import { parseJson } from './json.js'
import { paced } from './paced.js'
import { pooled } from './pooled.js'
import { quiet } from './quiet.js'
import { heard, type Line, Overdue, Silence, type Witness } from './silence.js'
import { clockAt, instantOf, type Zone, zoneOf } from './zone.js'

interface Connection {
  readonly connection: { readonly stream: Line['stream'] }
  /** As the server calls it. */
  readonly processID: number
  query(query: Record<string, unknown>): Promise<{ rows: RawRow[]; rowCount: number | null; command: string }>
  /** Ends it at once where a statement is running. */
  end(): Promise<void>
}

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

const undone =
  'the transaction was undone: one of its statements had failed, and whoever caught that error went on; on PostgreSQL nothing ' +
  'of a transaction is kept after an error'

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
          beside: async () => witnessOf(connection, await knex.client.acquireRawConnection()),
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
  const { borrow, unhurried, ...shared } = pooled<Opened>({
    knex,
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

/** Names of prepared statements: the same text has the same name on every connection. */
const names = new Map<string, string>()
const keptStatements = 1000

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= keptStatements) return known
  const name = `s${createHash('sha1').update(text).digest('base64url')}`
  names.set(text, name)
  return name
}

const numbered = new Map<string, string>()

/** The driver counts its placeholders; statements are written with question marks like everywhere else. */
function withNumbers(sql: string): string {
  const known = numbered.get(sql)
  if (known !== undefined) return known
  let count = 0
  const text = sql.replace(/\?/g, () => {
    count += 1
    return `$${count}`
  })
  if (numbered.size < keptStatements * 2) numbered.set(sql, text)
  return text
}

const leave = (connection: Connection): void => void connection.end().catch(() => undefined)

/** A connection to the same server, asked about the first one. */
function witnessOf(doubted: Connection, beside: Connection): Witness {
  const ask = async (text: string, values: unknown[]) =>
    (await beside.query({ text, values, rowMode: 'array' })).rows[0]?.[0]
  return {
    async doing() {
      // A proxy in between calls its connections what it likes, and means others than the server does.
      const state = await ask(
        'select state from pg_stat_activity where pid = $1 and pg_backend_pid() = $2 ' +
          'and usename = current_user and datname = current_database()',
        [doubted.processID, beside.processID],
      )
      if (state === 'active') return 'works'
      return String(state).startsWith('idle') ? 'waits' : undefined
    },
    end: () => ask('select pg_terminate_backend($1)', [doubted.processID]),
    close: () => leave(beside),
  }
}

function sessionOf(connection: Connection, statementTimeout: number, line: Line): Session {
  const query = (sql: string, values: readonly unknown[]) => {
    const text = sql.includes('$1') ? sql : withNumbers(sql)
    const name = values.length > 0 ? nameOf(text) : undefined
    const answer = connection.query({ text, values, rowMode: 'array', ...(name !== undefined && { name }) })
    return heard(answer, statementTimeout, line)
  }
  return {
    all: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => {
      const { rows, rowCount, command } = await query(sql, values)
      // It answers so, without an error, where a statement had failed before.
      if (sql === 'commit' && command === 'ROLLBACK') throw new Error(undone)
      return { changes: rowCount ?? 0, id: Number(rows?.[0]?.[0] ?? 0) }
    },
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
    // Connections, memory or the disk are used up.
    code.startsWith('53') ||
    /Connection terminated|not queryable/.test(error.message)
  )
    return { kind: 'unavailable' }
  if (code.startsWith('22')) return { kind: 'value' }
  return undefined
}
