import type { Collations } from '../languages.js'
import type { Session } from '../session.js'
import type { Collation } from '../words.js'
import { words } from './words.js'

const suffix = '-x-icu'

/** PostgreSQL has the orders of ICU, where it was built with that; each is named by its tag. */
export async function collationsOf(session: Session): Promise<Collations> {
  const rows = await session.all(`select collname from pg_collation where collname like '%${suffix}'`, [])
  const all = new Set(rows.map(([name]) => String(name)))
  return tag => (all.has(tag + suffix) ? tag + suffix : undefined)
}

export const sortedBy = (name: string): Collation => ({ of: column => `${column} collate ${words.quote(name)}` })
