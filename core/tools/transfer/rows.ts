import type { Engine, Session } from '../../engines/engine.js'
import type { ArchiveRow } from './archive.js'
import type { Target } from './match.js'
import { inward, representationOf } from './values.js'

/** Rows of one statement; few lengths make few statements, which stay prepared. */
const atOnce = 100
/** No engine binds more values in one statement. */
const mostValues = 30_000

/** Inserts rows of an archive as they are, ids included. */
export async function insertRows(
  engine: Engine,
  session: Session,
  { table, columns }: Target,
  rows: readonly ArchiveRow[],
): Promise<void> {
  const all = [{ name: 'id', as: 'id' as const }, ...columns]
  const into = engine.knex
    .raw(`insert into ?? (${all.map(() => '??').join(', ')}) values `, [table.name, ...all.map(({ name }) => name)])
    .toString()
  const length = Math.max(1, Math.min(atOnce, Math.floor(mostValues / all.length)))
  for (let at = 0; at < rows.length; ) {
    const some = rows.length - at >= length ? rows.slice(at, at + length) : rows.slice(at, at + 1)
    at += some.length
    const values: unknown[] = []
    const places = some.map(row => {
      const marks = all.map(({ name, as }) => {
        const kind = representationOf(as)
        const value = inward(engine, as, row[name])
        values.push(engine.encode(kind, value))
        return engine.place(kind, value)
      })
      return `(${marks.join(', ')})`
    })
    await session.run(into + places.join(', '), values)
  }
}
