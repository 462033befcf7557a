import type { Row, Written } from '../../../core/index.js'
import type { Sessions } from './sessions.js'

/** Ends sessions together with what they depend on, whatever code changes the account. */
export async function endSessions(
  row: Row,
  { action, session, afterCommit }: Pick<Written, 'action' | 'session' | 'afterCommit'>,
  sessions: Sessions,
): Promise<void> {
  afterCommit(() => sessions.changed(row.id))
  const isOver = 'password' in row || row.blocked === true || row.isActive === false
  if (action === 'delete' || (action === 'update' && isOver)) await sessions.closeAll(row.id, session)
}
