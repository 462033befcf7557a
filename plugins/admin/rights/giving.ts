import type { ContentType, Registry } from '../../../core/index.js'
import { isElsewhere, neededFor, type Right, rightOf } from './actions.js'
import { leavesIn } from './names.js'
import { type Grant, type Grants, grantKey, has } from './permissions.js'

/** The permissions of some roles. */
interface Held {
  readonly grants: Grants
  of(right: Right, uid: string): readonly Grant[]
}

interface Permission {
  readonly action: string
  readonly uid: string
}

/**
 * True if an editor has what a permission of the API gives to tokens and visitors: all entries, all attributes, and publishing by
 * every write. Who writes an entry is shown it.
 */
export function hasWhole(held: Held, { action, uid }: Permission, { types }: Pick<Registry, 'types'>): boolean {
  const type = types.get(uid)
  if (!type || isElsewhere(uid))
    return neededFor(action, uid)?.every(name => has(held.grants.get(grantKey(name, null)) ?? [], {})) ?? false
  const right = rightOf(action)
  if (!right) return false
  const publishes =
    right !== 'read' && action !== 'delete' && action !== 'destroy' && type.added.includes('publishedAt')
  const needed: readonly Right[] = ['read', right, ...(publishes ? (['publish'] as const) : [])]
  return needed.every(one => has(held.of(one, uid), { fields: leavesIn(type, namesFor(one, type)) }))
}

/** The attributes that are named by requests which have no attributes of their own. */
const namesFor = (right: Right, { attributes, added, fields, links }: ContentType): readonly string[] =>
  Object.keys(attributes).filter(name => {
    const known = fields.get(name) ?? links.get(name)
    if (added.includes(name) || !known) return false
    return right === 'read' ? known.readable : known.writable
  })
