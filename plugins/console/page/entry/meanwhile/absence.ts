import type { TypeMeta } from '../../../model/meta.js'
import { kinds, refresh } from '../../shell/session.js'

/**
 * The reason why an entry is not found: it was deleted, or the account may not read the type any more. It cannot be told where the
 * account may read only some entries.
 */
export type Absence = 'deleted' | 'hidden' | 'forbidden'

/** Reads permissions again, as they may be what has changed. */
export async function absenceOf({ uid }: TypeMeta, locale: string | null): Promise<Absence> {
  await refresh()
  const read = kinds.peek()?.type(uid)?.can.read ?? null
  if (read === null) return 'forbidden'
  const isEverything = read.own !== true && (locale === null || (read.locales?.includes(locale) ?? true))
  return isEverything ? 'deleted' : 'hidden'
}
