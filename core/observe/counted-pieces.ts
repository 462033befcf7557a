import type { Session, Statement } from '../engines/session.js'
import type { Tally } from './tally.js'

/** What is counted of statements that are asked in one piece: each of them, and their time once. */
export function countedPieces(session: Session, counting: Session, tally: Tally): Session {
  const { together, settled, afterCommit } = session
  /** A statement whose error became that of the next one. */
  let failed: Tally['failed']
  const blamed = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (failed) tally.failed = failed
      throw error
    }
  }
  return {
    all: (sql, values) => (settled ? blamed(counting.all(sql, values)) : counting.all(sql, values)),
    run(sql, values, heard) {
      if (!heard || !settled) return settled ? blamed(counting.run(sql, values)) : counting.run(sql, values)
      tally.statements += 1
      return blamed(
        session.run(sql, values, (error, changes) => {
          tally.rows += changes
          if (error) failed = { sql, error }
          return heard(error, changes)
        }),
      )
    },
    ...(together && { together: asked => blamed(timed(asked, () => together(asked), tally)) }),
    ...(settled && { settled: () => blamed(settled()) }),
    ...(afterCommit && { afterCommit }),
  }
}

async function timed(
  asked: readonly Statement[],
  ask: () => ReturnType<Required<Session>['together']>,
  tally: Tally,
): ReturnType<typeof ask> {
  tally.statements += asked.length
  const begun = performance.now()
  try {
    const found = await ask()
    for (const rows of found) tally.rows += rows.length
    tally.stated = performance.now()
    tally.statementMs += tally.stated - begun
    return found
  } catch (error) {
    tally.failed = { sql: asked.map(({ sql }) => sql).join('; '), error }
    throw error
  }
}
