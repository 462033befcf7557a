import type { Kinds } from '../form/kinds.js'
import { isRecord, type PlainItem, type PlainValue, type Related, type Values } from '../form/plain.js'
import { typedOf } from '../form/typed.js'
import type { AttributeInfo, LinkInfo } from '../meta.js'

/** A state of an entry as versions have it: as it is written, with the ids of the entries that it leads to. */
export function stateOf(kinds: Kinds, uid: string, data: Values): PlainItem {
  const values = kinds.shown(uid).flatMap(attribute => {
    const value = data[attribute.name]
    return value === undefined ? [] : [[attribute.name, readValue(kinds, attribute, value)] as const]
  })
  return { uid, values: Object.fromEntries(values) }
}

function readValue(kinds: Kinds, attribute: AttributeInfo, value: unknown): PlainValue {
  if (attribute.kind === 'field') return { kind: 'typed', typed: typedOf(attribute, value) }
  const all = (Array.isArray(value) ? value : [value]).filter(one => one !== null)
  if (!attribute.embedded)
    return { kind: 'links', links: { head: all.map(end => relatedOf(attribute, end)), tail: [], more: false } }
  const items = all
    .filter(isRecord)
    .map(part => stateOf(kinds, String(part.__component ?? attribute.targets?.[0]), part))
  return { kind: 'items', items }
}

function relatedOf({ targets }: LinkInfo, end: unknown): Related {
  const { id, __type } = isRecord(end) ? end : { id: end, __type: undefined }
  return { id: Number(id), uid: String(__type ?? targets?.[0] ?? ''), values: {} }
}
