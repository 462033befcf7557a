import type { Session } from '../session.js'

/**
 * The position in the log of a database server, in its own words, and the test of a copy that has come as far. Positions are
 * compared, not subtracted: clocks of servers differ, and a primary without writes has no delay to show.
 */
export interface Positions {
  of(primary: Session): Promise<string>
  isReached(position: string, replica: Session): Promise<boolean>
}

export async function positionsOf({ positions }: PositionSource): Promise<Positions> {
  if (!positions) throw new Error('this kind of database has no log that a copy could follow')
  return positions()
}

interface PositionSource {
  readonly positions?: (() => Promise<Positions>) | undefined
}

/** The one value that a statement reads. */
export async function textOf(session: Session, sql: string, values: readonly unknown[] = []): Promise<string> {
  return String((await session.all(sql, values))[0]?.[0] ?? '')
}
