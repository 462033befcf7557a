import type { Host, Session } from '../../../../core/index.js'
import type { Runtime } from '../../types.js'

/** Work that writes, in the transaction that the code is in, or in one of its own. */
export function inTransaction<T>(
  { data }: Pick<Runtime, 'data'>,
  { store }: Pick<Host, 'store'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const current = data.current()
  return current ? work(current.session) : store.transaction(work)
}
