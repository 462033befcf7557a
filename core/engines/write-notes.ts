import type { Engine, Session } from './engine.js'

/**
 * The engine with a note for operators while it stores nothing: reads go on where a disk is full, so the server stays ready.
 * The writes of requests tell, so that no statement is run for it; the first one that is stored ends it.
 */
export function withWriteNotes(engine: Engine, time: () => number = Date.now): Engine {
  let since: number | undefined
  const note = () =>
    since === undefined
      ? []
      : [
          `no write has been stored since ${new Date(since).toISOString()}, when the database refused one for want of room or of a connection; reads go on, and the log has the error of each write`,
        ]
  return {
    ...engine,
    async transaction(work) {
      let hasWritten = false
      const told = () => {
        hasWritten = true
      }
      try {
        const done = await engine.transaction(session => work(since === undefined ? session : watched(session, told)))
        if (hasWritten) since = undefined
        return done
      } catch (error) {
        // The reason that a group of writes was given up stands behind the refusal of each.
        const reasons = [error, error instanceof Error ? error.cause : undefined]
        if (reasons.some(reason => engine.classify(reason)?.kind === 'unavailable')) since ??= time()
        throw error
      }
    },
    notes: async () => [...note(), ...((await engine.notes?.()) ?? [])],
  }
}

/** Statements that only read are stored whatever the disk is like. */
const isRead = /^\s*(select|with)\b/i

/** A session that tells of what it writes. */
function watched(session: Session, told: () => void): Session {
  const { together, last, settled, atEnd } = session
  const tell = (sql: string) => {
    if (!isRead.test(sql)) told()
  }
  return {
    all(sql, values) {
      tell(sql)
      return session.all(sql, values)
    },
    run(sql, values, heard) {
      tell(sql)
      return session.run(sql, values, heard)
    },
    ...(atEnd && {
      atEnd(sql, values, heard) {
        tell(sql)
        atEnd(sql, values, heard)
      },
    }),
    ...(together && { together }),
    ...(last && { last }),
    ...(settled && { settled }),
  }
}
