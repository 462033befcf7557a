import type { Batch, RawRow, Session, Statement } from '../../core/engines/engine.js'

/** The batch of a session that has one. */
export function batchOf({ batch }: Session): Batch {
  if (!batch) throw new Error('the session has no batch')
  return batch
}

/** The rows of reads that a session asks together. */
export async function askedTogether(
  session: Session,
  statements: readonly Statement[],
): Promise<readonly (readonly RawRow[])[]> {
  const batch = batchOf(session)
  const found = statements.map(({ sql, values }) => batch.all(sql, values))
  await batch.send()
  return Promise.all(found)
}
