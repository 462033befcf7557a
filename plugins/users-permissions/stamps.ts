import { type Host, rowsOf, type Session } from '../../core/index.js'
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
 * account.
 */
export async function endSessions(entries: Entries, id: number, latest: number, session: Session): Promise<void> {
  const stamps = entries(stampUid, session)
  const former = await stamps.first({ where: { user: { $eq: id } } })
  const since = Math.max(Math.floor(Date.now() / 1000), latest, Number(former?.since ?? 0)) + 1
  if (former) await stamps.update(Number(former.id), { since: String(since) })
  else await stamps.create({ user: id, since: String(since) })
}

/** The row whose lock everybody takes who gives an account an address, so that no two get the same. */
const turnstile = 0

export async function makeTurnstile(entries: Entries, session: Session): Promise<void> {
  const stamps = entries(stampUid, session)
  if (!(await stamps.first({ where: { user: { $eq: turnstile } } })))
    await stamps.create({ user: turnstile, since: '0' })
}

/** Waits for the others who give accounts addresses; the lock ends with the transaction. */
export async function passTurnstile({ store, types }: Pick<Host, 'store' | 'types'>, session: Session): Promise<void> {
  // SQLite has one writer at a time anyway.
  if (store.engine === 'sqlite') return
  await rowsOf(session, store.knex(types.get(stampUid).table).select('id').where({ user: turnstile }).forUpdate())
}
