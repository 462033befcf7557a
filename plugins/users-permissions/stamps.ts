import type { Host, Session } from '../../core/index.js'
import { stampUid } from './content-types.js'

type Entries = Host['entries']

/** The second in which the sessions of an account begin; older tokens have ended. */
export async function sessionsSince(entries: Entries, id: number, session?: Session): Promise<number> {
  const stamp = await entries(stampUid, session).first({ where: { user: { $eq: id } } })
  return Number(stamp?.since ?? 0)
}

/**
 * Ends all sessions of an account. They begin again with the next second, so that tokens of this one end too, and after the
 * latest that any token is known to name: a clock that was set back lets none of them live on. The caller has locked the
 * account. Gives the second in which they begin.
 */
export async function endSessions(entries: Entries, id: number, latest: number, session: Session): Promise<number> {
  const stamps = entries(stampUid, session)
  const former = await stamps.first({ where: { user: { $eq: id } } })
  const since = Math.max(Math.floor(Date.now() / 1000), latest, Number(former?.since ?? 0)) + 1
  if (former) await stamps.update(Number(former.id), { since: String(since) })
  else await stamps.create({ user: id, since: String(since) })
  return since
}
