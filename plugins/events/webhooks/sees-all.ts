import type { Caller, ContentType } from '../../../core/index.js'

/**
 * True if a caller may read every entry of a type as webhooks are sent it: all readable attributes, and the entries at the
 * other ends of its relations. What a webhook was sent is not cut to a caller: it is shown as a whole or not at all.
 */
export function seesAll(caller: Caller, uid: string, types: ReadonlyMap<string, ContentType>): boolean {
  const type = types.get(uid)
  // An event about the content as a whole has no entry.
  if (!type) return uid === '*'
  const others = [...type.links.values()].filter(({ readable, embedded }) => readable && !embedded)
  return [type, ...others.flatMap(link => link.types())].every(one => readsWhole(caller, one))
}

function readsWhole({ can, rows, fields }: Caller, { uid, fields: own, links }: ContentType): boolean {
  if (!can('find', uid) || rows?.('find', uid) !== undefined) return false
  const named = fields?.('find', uid)
  return !named || [...own.values(), ...links.values()].every(one => !one.readable || named.has(one.name))
}
