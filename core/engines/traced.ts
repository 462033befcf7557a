import type { Log } from '../log.js'
import type { Engine, Session } from './engine.js'

/** At log level `trace` every statement of the content is a line of the log, its values only counted; otherwise nothing stands in between. */
export function traced(engine: Engine, log: Log): Engine {
  if (!log.isLevelEnabled('trace')) return engine
  const tell = (sql: string, values: readonly unknown[]) => log.trace({ sql, values: values.length }, 'statement')
  const watch = (session: Session): Session => {
    const traces = <Result>(ask: (sql: string, values: readonly unknown[]) => Result): typeof ask => {
      return (sql, values) => {
        tell(sql, values)
        return ask(sql, values)
      }
    }
    const { batch } = session
    return {
      all: traces((...asked) => session.all(...asked)),
      run: traces((...asked) => session.run(...asked)),
      ...(batch && { batch: { ...batch, all: traces(batch.all), run: traces(batch.run) } }),
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
