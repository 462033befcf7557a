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

/**
 * Refuses what writes in a transaction of its own while the code is in one, where only one writes at a time: it would wait for
 * the end of the one that waits for it.
 */
export function mustStandAlone({ data, host }: Pick<Runtime, 'data' | 'host'>, what: string): void {
  if (host?.store.facts.oneWriter && data.current())
    throw new Error(
      `${what} cannot be called within strapi.db.transaction on SQLite, where one transaction writes at a time; call it before or after`,
    )
}
