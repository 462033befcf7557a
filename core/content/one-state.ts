import type { Engine, Session } from '../engines/engine.js'

/**
 * Does reads that all show one state of the database. They are done as any others first, where they may be cached; and in a
 * snapshot, where nothing is, if the database has changed meanwhile or cannot tell.
 */
export async function atOneState<T>(
  { versions, snapshot }: Pick<Engine, 'versions' | 'snapshot'>,
  session: Session,
  reads: (session: Session) => Promise<T>,
): Promise<T> {
  const inSnapshot = () => snapshot(session => reads(apart(session)))
  const before = await versions.state()
  if (before === undefined) return inSnapshot()
  const value = await reads(session)
  // Within one turn of the event loop, the state is the one that was asked for first.
  await new Promise(setImmediate)
  if ((await versions.state()) === before) return value
  return inSnapshot()
}

/** The session of a snapshot, whose statements are sent one by one. */
const apart = (session: Session): Session => ({
  isSnapshot: true,
  all: (sql, values) => session.all(sql, values),
  run: (sql, values) => session.run(sql, values),
})
