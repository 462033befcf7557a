import { createHash } from 'node:crypto'
import type { RawRow, Session } from './engine.js'
import { heard, type Line, type Witness } from './silence.js'

/** One connection of the driver. */
export interface Connection {
  readonly connection: { readonly stream: Line['stream'] }
  /** As the server calls it. */
  readonly processID: number
  query(query: Record<string, unknown>): Promise<{ rows: RawRow[]; rowCount: number | null; command: string }>
  /** Ends it at once where a statement is running. */
  end(): Promise<void>
}

const undone =
  'the transaction was undone: one of its statements had failed, and whoever caught that error went on; on PostgreSQL nothing ' +
  'of a transaction is kept after an error'

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
export function witnessOf(doubted: Connection, { connection, ask }: Asked): Witness {
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

export function sessionOf(connection: Connection, statementTimeout: number, line: Line): Session {
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
