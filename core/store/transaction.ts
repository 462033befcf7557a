import type { Engine, Session } from './engine.js'

/** Runs work in one transaction; the steps that it leaves for afterwards run once nothing can undo it any more. */
export async function transact<T>(
  engine: Pick<Engine, 'transaction'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let left: (() => Promise<void>)[] = []
  const value = await engine.transaction(session => {
    // The database may ask for the work again: what a lost attempt left does not count.
    left = []
    return work({
      all: (sql, values) => session.all(sql, values),
      run: (sql, values) => session.run(sql, values),
      afterCommit: step => left.push(step),
    })
  })
  for (const step of left) await step()
  return value
}
