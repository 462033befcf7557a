import type { Engine, Session } from '../engines/engine.js'

type Reads<T> = (session: Session) => Promise<T>

/**
 * Does reads that all show one state of the database. They are done as any others first, where they may be cached; and in a
 * snapshot, where nothing is, if the database has changed meanwhile or cannot tell.
 */
export async function atOneState<T>(
  engine: Pick<Engine, 'versions' | 'snapshot' | 'classify'>,
  session: Session,
  reads: Reads<T>,
): Promise<T> {
  const { versions } = engine
  const before = await versions.state()
  if (before === undefined) return engine.snapshot(session => reads(apart(session)))
  const value = await reads(session)
  // Within one turn of the event loop, the state is the one that was asked for first.
  await new Promise(setImmediate)
  if ((await versions.state()) === before) return value
  return inSnapshot(engine, reads, value)
}

/** A snapshot of SQLite has no thread for long statements: where one takes too long, the value that was read before remains. */
async function inSnapshot<T>({ snapshot, classify }: Pick<Engine, 'snapshot' | 'classify'>, reads: Reads<T>, value: T) {
  let isOutOfTime = false
  const seen = (error: unknown): never => {
    isOutOfTime ||= classify(error)?.kind === 'timeout'
    throw error
  }
  try {
    const again = await snapshot(session => reads(apart(session, seen)))
    return isOutOfTime ? value : again
  } catch (error) {
    if (isOutOfTime) return value
    throw error
  }
}

/** The session of a snapshot, whose statements are sent one by one; `failed` sees errors. */
const apart = (session: Session, failed: (error: unknown) => never = rethrow): Session => ({
  isSnapshot: true,
  all: async (sql, values) => {
    try {
      return await session.all(sql, values)
    } catch (error) {
      return failed(error)
    }
  },
  run: (sql, values) => session.run(sql, values),
})

const rethrow = (error: unknown): never => {
  throw error
}
