import { isDeepStrictEqual } from 'node:util'
import { change, type Host, rowsOf, type Session } from '../../../core/index.js'
import { layoutsLock, table } from '../layouts/layouts.js'
import { keyOf, keyStart, readStored } from '../layouts/stored.js'
import { viewsIn, viewsKeyStart, viewsLock } from '../views/views.js'
import { renamedLayout } from './layout.js'
import { Renames } from './renames.js'
import { renamedView } from './view.js'

type FollowingHost = Pick<Host, 'store' | 'shares' | 'types'>

interface Row {
  readonly key: string
  readonly value: string | null
}

/** Has stored layouts and saved views name types and attributes as they are called after renames. */
export async function followRenames({ store, shares, types }: FollowingHost): Promise<void> {
  const renames = new Renames(types)
  if (renames.isNone) return
  await store.transaction(async session => {
    await shares.lock(session, layoutsLock)
    await shares.lock(session, viewsLock)
    const rows = await rowsIn({ store }, session)
    const isTaken = new Set([...rows.values()].map(({ key }) => key))
    const follow = followed(renames, types)
    for (const [id, row] of rows) {
      const next = follow(row)
      // A layout that was made under the new name is the later one.
      if (next.key !== row.key && isTaken.has(next.key)) continue
      if (next.key !== row.key || next.value !== row.value)
        await change(session, store.knex(table).where({ id }).update(next))
    }
  })
}

async function rowsIn({ store }: Pick<FollowingHost, 'store'>, session: Session): Promise<ReadonlyMap<number, Row>> {
  const query = store
    .knex(table)
    .select('id', 'key', 'value')
    .where('key', 'like', `${keyStart}%`)
    .orWhere('key', 'like', `${viewsKeyStart}%`)
  const rows = (await rowsOf(session, query)) as readonly (readonly [number, string, string | null])[]
  return new Map(rows.map(([id, key, value]) => [id, { key, value }]))
}

/** The row that takes the place of one. */
function followed(renames: Renames, { types }: FollowingHost['types']): (row: Row) => Row {
  const uidOf = new Map(
    [...types.values()].flatMap(({ uid, kind, renamedFrom }) =>
      [uid, renamedFrom].flatMap(name => (name === undefined ? [] : [[keyOf(name, kind === 'component'), uid]])),
    ),
  )
  return row => {
    if (row.key.startsWith(viewsKeyStart)) {
      const views = viewsIn(row.value)
      const next = views.map(view => (typeof view?.query === 'string' ? renamedView(view, renames) : view))
      return isDeepStrictEqual(next, views) ? row : { ...row, value: JSON.stringify(next) }
    }
    const uid = uidOf.get(row.key)
    const layout = readStored(row.value)
    if (uid === undefined || !layout) return row
    const next = renamedLayout(layout, uid, renames)
    return {
      key: keyOf(uid, types.get(uid)?.kind === 'component'),
      value: isDeepStrictEqual(next, layout) ? row.value : JSON.stringify(next),
    }
  }
}
