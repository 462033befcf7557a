import type { Session, Statement } from '../engines/session.js'
import type { Tally } from './tally.js'

/** What is counted of statements that are asked in one piece: each of them, and their time once. */
export function countedPieces(session: Session, counting: Session, tally: Tally): Session {
  const { together, last, settled, afterCommit } = session
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
      const ran = session.run(sql, values, (error, changes) => {
        tally.rows += changes
        if (error) failed = { sql, error }
        return heard(error, changes)
      })
      // What is left for the next statement cannot fail before, and waiting for it would cost every write a turn.
      return ran instanceof Promise ? blamed(ran) : ran
    },
    ...(together && { together: asked => blamed(timed(asked, () => together(asked), tally)) }),
    ...(last && {
      last: async (sql, values) => {
        const ask = async () => [await last(sql, values)]
        const [rows = []] = await blamed(timed([{ sql, values }], ask, tally))
        return rows
      },
    }),
    ...(settled && { settled: () => blamed(settled()) }),
    ...(afterCommit && { afterCommit }),
  }
}

type Ask = () => ReturnType<Required<Session>['together']>

async function timed(asked: readonly Statement[], ask: Ask, tally: Tally): ReturnType<Ask> {
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
