import { toldElsewhere } from './batch.js'
import type { Batch, ChangeResult, Engine, RawRow, Session } from './engine.js'

/** A statement that has run. */
export interface StatementSeen {
  readonly kind: 'select' | 'insert' | 'update' | 'delete' | 'other'
  /** Its text, with placeholders for values. */
  readonly sql: string
  readonly ms: number
  /** Rows read or changed. */
  readonly rows: number
  /** The place where it ran: beside transactions, in one, or on a replica. */
  readonly session: 'read' | 'write' | 'replica'
  readonly error: unknown
}

/** The engine with observers of every statement of the content; without any it is the engine itself. */
export function observed(engine: Engine, tell: ((seen: StatementSeen) => void) | undefined): Engine {
  if (!tell) return engine
  const watch = (session: Session, where: StatementSeen['session']): Session => {
    const timed = <T>(sql: string, run: () => T | Promise<T>, rowsOf: (result: T) => number): T | Promise<T> => {
      const begun = performance.now()
      const end = (rows: number, error?: unknown) =>
        tell({ kind: kindOf(sql), sql, ms: performance.now() - begun, rows, session: where, error })
      const done = (result: T) => {
        end(rowsOf(result))
        return result
      }
      const failed = (error: unknown): never => {
        end(0, error)
        throw error
      }
      try {
        const result = run()
        return result instanceof Promise ? result.then(done, failed) : done(result)
      } catch (error) {
        return failed(error)
      }
    }
    const rowsIn = ({ length }: readonly RawRow[]) => length
    const changesIn = ({ changes }: ChangeResult) => changes
    // Each statement of a piece has the time until its rows are there.
    const watchBatch = (batch: Batch): Batch => ({
      isPiece: batch.isPiece,
      all: (sql, values) =>
        toldElsewhere(timed(sql, () => batch.all(sql, values), rowsIn) as Promise<readonly RawRow[]>),
      run: (sql, values) => toldElsewhere(timed(sql, () => batch.run(sql, values), changesIn) as Promise<ChangeResult>),
      send: batch.send,
    })
    const batch = where === 'write' ? session.batch : undefined
    return {
      all: (sql, values) => timed(sql, () => session.all(sql, values), rowsIn),
      run: (sql, values) => timed(sql, () => session.run(sql, values), changesIn),
      ...(batch && { batch: watchBatch(batch) }),
    }
  }
  return {
    ...engine,
    reader: watch(engine.reader, 'read'),
    ...(engine.relaxed && { relaxed: () => watch(engine.relaxed?.() ?? engine.reader, 'replica') }),
    transaction: work => engine.transaction(session => work(watch(session, 'write'))),
    snapshot: work => engine.snapshot(session => work(watch(session, 'read'))),
  }
}

const kinds: readonly StatementSeen['kind'][] = ['select', 'insert', 'update', 'delete']

function kindOf(sql: string): StatementSeen['kind'] {
  const [, word = ''] = /^[\s(]*(\w+)/.exec(sql) ?? []
  const found = word.toLowerCase()
  return found === 'with' ? 'select' : (kinds.find(kind => kind === found) ?? 'other')
}
