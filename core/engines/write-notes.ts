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

/** Statements that only read succeed with a full disk, so they do not tell that a write is stored. */
const isRead = /^\s*(select|with)\b/i

/** A session that tells of its writes. */
function watched(session: Session, told: () => void): Session {
  const { batch } = session
  const tells = <Result>(ask: (sql: string, values: readonly unknown[]) => Result): typeof ask => {
    return (sql, values) => {
      if (!isRead.test(sql)) told()
      return ask(sql, values)
    }
  }
  return {
    all: tells((...asked) => session.all(...asked)),
    run: tells((...asked) => session.run(...asked)),
    ...(batch && { batch: { ...batch, all: tells(batch.all), run: tells(batch.run) } }),
  }
}
