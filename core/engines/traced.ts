import type { Log } from '../log.js'
import type { Engine, Session } from './engine.js'

/** At log level `trace` every statement of the content is a line of the log, its values only counted; otherwise nothing stands in between. */
export function traced(engine: Engine, log: Log): Engine {
  if (!log.isLevelEnabled('trace')) return engine
  const tell = (sql: string, values: readonly unknown[]) => log.trace({ sql, values: values.length }, 'statement')
  const watch = (session: Session): Session => {
    const { together, last, settled, atEnd } = session
    return {
      all(sql, values) {
        tell(sql, values)
        return session.all(sql, values)
      },
      run(sql, values, heard) {
        tell(sql, values)
        return session.run(sql, values, heard)
      },
      ...(together && {
        together(statements) {
          for (const { sql, values } of statements) tell(sql, values)
          return together(statements)
        },
      }),
      ...(last && {
        last(sql, values) {
          tell(sql, values)
          return last(sql, values)
        },
      }),
      ...(atEnd && {
        atEnd(sql, values, heard) {
          tell(sql, values)
          atEnd(sql, values, heard)
        },
      }),
      ...(settled && { settled }),
    }
  }
  return {
    ...engine,
    reader: watch(engine.reader),
    ...(engine.relaxed && { relaxed: () => watch(engine.relaxed?.() ?? engine.reader) }),
    transaction: work => engine.transaction(session => work(watch(session))),
    snapshot: work => engine.snapshot(session => work(watch(session))),
  }
}
