import type { AppOutline, Caller, ContentType } from '../../../core/index.js'
import { hidingsOf } from '../../../core/plugin-kit.js'

type Outline = Pick<AppOutline, 'types' | 'plugins' | 'actions'>

/**
 * True if a caller may read every entry of a type as webhooks are sent it: all readable attributes, entries that a plugin
 * hides from others, and the entries at the other ends of its relations. What a webhook was sent is not cut to a caller: it is shown as a whole or not at all.
 */
export function seesAll(caller: Caller, uid: string, outline: Outline): boolean {
  const type = outline.types.types.get(uid)
  // An event about the content as a whole has no entry.
  if (!type) return uid === '*'
  const others = [...type.links.values()].filter(({ readable, embedded }) => readable && !embedded)
  return [type, ...others.flatMap(link => link.types())].every(one => readsWhole(caller, one, outline))
}

function readsWhole({ can, rows, fields }: Caller, type: ContentType, outline: Outline): boolean {
  const { uid, fields: own, links } = type
  if (!can('find', uid) || rows?.('find', uid) !== undefined) return false
  if (hidingsOf(outline, type).some(({ shownBy }) => !can(shownBy, uid))) return false
  const named = fields?.('find', uid)
  return !named || [...own.values(), ...links.values()].every(one => !one.readable || named.has(one.name))
}
