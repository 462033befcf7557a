import { createHash } from 'node:crypto'
import type { RawRow, Session } from '../engine.js'
import { type Probe, type WatchedConnection, withWatchdog } from '../server/watchdog.js'
import { tablesWritten, tableWritten } from '../written-tables.js'
import type { OwnCommits } from './own-commits.js'
import { numbered } from './words.js'

/** One connection of the driver. */
export interface Connection {
  readonly connection: { readonly stream: WatchedConnection['stream'] }
  /** As the server calls it. */
  readonly processID: number
  query(query: Record<string, unknown>): Promise<{ rows: RawRow[]; rowCount: number | null; command: string }>
  /** Ends it at once where a statement is running. */
  end(): Promise<void>
}

const undone =
  'the transaction was undone: one of its statements had failed, and the code that caught the error went on; on PostgreSQL nothing ' +
  'of a transaction is kept after an error'

/** A statement as the driver takes it. */
interface Prepared {
  readonly text: string
  /** The same text has the same name on every connection; there is none where there are too many already. */
  readonly name?: string
}

const prepared = new Map<string, Prepared>()
const maxStatements = 1000

/** Plans and builders have numbered the places of values; in a text by hand they are question marks like everywhere else. */
function prepare(sql: string): Prepared {
  const known = prepared.get(sql)
  if (known) return known
  const text = sql.includes('$1') ? sql : numbered(sql)
  const isNamed = prepared.size < maxStatements
  const statement = isNamed ? { text, name: `s${createHash('sha1').update(text).digest('base64url')}` } : { text }
  if (prepared.size < maxStatements * 2) prepared.set(sql, statement)
  return statement
}

export const leave = (connection: Connection): void => void connection.end().catch(() => undefined)

/** A connection that several ask: the driver wants one question after the other. */
interface Asked {
  readonly connection: Connection
  ask(text: string, values: unknown[]): Promise<unknown>
}

export function asked(connection: Connection): Asked {
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
export function probeOf(doubted: Connection, { connection, ask }: Asked): Probe {
  return {
    async doing() {
      // A proxy in between calls its connections what it likes, and means others than the server does.
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

/** The id of a transaction, if it has changed anything, in the round trip of its commit. */
const commitWithId = 'select pg_current_xact_id_if_assigned()::text; commit'
const isFailed = '25P02'

export function sessionOf(
  connection: Connection,
  statementTimeout: number,
  watched: WatchedConnection,
  own: OwnCommits,
): Session {
  /** The tables that the transaction of this session has written. */
  const written = new Set<string>()
  const query = (sql: string, values: readonly unknown[]) => {
    written.add(tablesWritten.get(sql) ?? tableWritten(sql))
    const statement = values.length > 0 ? prepare(sql) : { text: sql }
    const answer = connection.query({ ...statement, values, rowMode: 'array' })
    return withWatchdog(answer, statementTimeout, watched)
  }
  async function commit(): Promise<void> {
    const sent = connection.query({ text: commitWithId, rowMode: 'array' }) as Promise<unknown>
    const acknowledged = withWatchdog(sent, statementTimeout, watched).then(results => {
      const [asked, { command }] = results as readonly [{ rows: RawRow[] }, { command: string }]
      // It answers so, without an error, where a statement had failed before.
      if (command === 'ROLLBACK') throw new Error(undone)
      const id = asked.rows[0]?.[0]
      if (id !== null) own.add(Number(id), [...written])
    })
    own.sent(acknowledged)
    try {
      await acknowledged
    } catch (error) {
      throw (error as { code?: string }).code === isFailed ? new Error(undone, { cause: error }) : error
    } finally {
      written.clear()
    }
  }
  return {
    all: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => {
      if (sql === 'commit') {
        await commit()
        return { changes: 0, id: 0 }
      }
      const { rows, rowCount } = await query(sql, values)
      return { changes: rowCount ?? 0, id: Number(rows?.[0]?.[0] ?? 0) }
    },
  }
}
