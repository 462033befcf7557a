import { createHash } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import type { DatabaseConfig } from '../../config/types.js'
import { noted } from '../driver-errors.js'
import type { RawRow } from '../engine.js'
import type { Probe } from '../server/side-connection.js'
import { tlsOptions } from '../server/tls.js'
import type { WatchedConnection } from '../server/watchdog.js'
import { type KnownStatement, parseOf, type RepeatedQuery } from './asked-again.js'
import { numbered, words } from './words.js'

/** A reply of the server as the driver gives it. */
export interface Result {
  readonly rows: RawRow[]
  readonly rowCount: number | null
  readonly command: string
  readonly fields: readonly { readonly name?: string; readonly dataTypeID: number }[]
}

/** One connection of the driver. */
export interface Connection {
  readonly connection: { readonly stream: WatchedConnection['stream'] }
  /** As the server calls it. */
  readonly processID: number
  query(query: RepeatedQuery): unknown
  query<T = Result>(query: Record<string, unknown>): Promise<T>
  /** As of the last reply: `I` outside of a transaction. */
  getTransactionStatus(): string | null
  /** It was lost, or is closed. */
  isOver?: boolean
  /** Ends it at once where a statement is running. */
  end(): Promise<void>
}

/** A connection that is ready for statements. */
export async function connectTo(config: DatabaseConfig): Promise<Connection> {
  const client = new pg.Client({
    host: config.host,
    port: config.port,
    user: config.user,
    password: config.password,
    database: config.database,
    // Nothing is said otherwise, so that the driver's own variables may say it.
    ...(config.ssl !== false && { ssl: typeof config.ssl === 'object' ? tlsOptions(config.ssl) : true }),
    ...(config.statementTimeout > 0 && { statement_timeout: config.statementTimeout }),
    connectionTimeoutMillis: config.acquireTimeout,
    types: { getTypeParser: parseOf },
  } as ClientConfig)
  const connection = client as unknown as Connection
  const over = () => {
    connection.isOver = true
  }
  client.on('error', over)
  client.on('end', over)
  try {
    await client.connect()
    if (config.schema !== undefined) await client.query(`set search_path to ${words.quote(config.schema)}`)
    return connection
  } catch (error) {
    leave(connection)
    throw noted(error)
  }
}

/** A statement as the driver takes it. */
export interface PreparedStatement {
  readonly text: string
  /** The same text has the same name on every connection; there is none where there are too many already. */
  readonly name?: string
}

const prepared = new Map<string, PreparedStatement>()
const maxStatements = 1000

/** Plans and builders have numbered the places of values; in a text by hand they are question marks like everywhere else. */
export function prepare(sql: string): PreparedStatement {
  const known = prepared.get(sql)
  if (known) return known
  const text = sql.includes('$1') ? sql : numbered(sql)
  const isNamed = prepared.size < maxStatements
  const statement = isNamed ? { text, name: `s${createHash('sha1').update(text).digest('base64url')}` } : { text }
  if (prepared.size < maxStatements * 2) prepared.set(sql, statement)
  return statement
}

/** The statements that a connection has prepared, by their texts. */
export class NamedStatements {
  readonly #known = new Map<string, KnownStatement>()
  /**
   * The number of times that a statement which the server had prepared was of no use any more: new names are others from then on.
   */
  #turn = 0

  known(sql: string): KnownStatement | undefined {
    return this.#known.get(sql)
  }

  /** The name under which a statement is prepared here. */
  named(name: string): string {
    return this.#turn === 0 ? name : `${name}.${this.#turn}`
  }

  learn(sql: string, known: KnownStatement): void {
    this.#known.set(sql, known)
  }

  /** Forgets a statement, or all of them. */
  forget(sql?: string): void {
    this.#turn += 1
    if (sql === undefined) this.#known.clear()
    else this.#known.delete(sql)
  }
}

export const leave = (connection: Connection): void => void connection.end().catch(() => undefined)

/** A connection that several ask: the driver wants one question after the other. */
interface SharedConnection {
  readonly connection: Connection
  ask(text: string, values: unknown[]): Promise<unknown>
}

export function asked(connection: Connection): SharedConnection {
  let last: Promise<unknown> = Promise.resolve()
  const answer = async (text: string, values: unknown[]) =>
    (await connection.query({ text, values, rowMode: 'array' })).rows[0]?.[0]
  return {
    connection,
    ask(text, values) {
      const next = () => answer(text, values)
      const answered = last.then(next, next)
      last = answered
      return answered
    },
  }
}

/** A connection to the same server, asked about the first one. */
export function probeOf(doubted: Connection, { connection, ask }: SharedConnection): Probe {
  return {
    async doing() {
      // A proxy in between numbers its connections by itself, and means others than the server does.
      const state = await ask(
        'select state from pg_stat_activity where pid = $1 and pg_backend_pid() = $2 ' +
          'and usename = current_user and datname = current_database()',
        [doubted.processID, connection.processID],
      )
      if (state === 'active') return 'works'
      return String(state).startsWith('idle') ? 'waits' : undefined
    },
    end: () => ask('select pg_terminate_backend($1)', [doubted.processID]),
  }
}
