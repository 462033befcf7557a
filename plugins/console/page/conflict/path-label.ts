import type { Kinds } from '../../model/form/kinds.js'
import type { PlainItem } from '../../model/form/plain.js'
import { refOf } from '../../model/form/plain.js'
import { itemText } from './value-text.js'

export const pathKey = (path: readonly string[], what: string): string => JSON.stringify([...path, what])

/** A place in an entry in words: the labels of fields, and the names of the items between them. */
export function pathLabel(kinds: Kinds, entries: readonly PlainItem[], path: readonly string[]): string {
  const [name = '', ref, ...rest] = path
  const uid = entries[0]?.uid
  const label = kinds.of(uid)?.layout.fields[name]?.label ?? name
  if (ref === undefined) return label
  const items = entries.flatMap(({ values }) => {
    const value = values[name]
    return value?.kind === 'items' ? value.items.filter(item => refOf(item) === ref) : []
  })
  const [item] = items
  const title = item ? itemText(kinds, item) : ref
  return [label, title, ...(rest.length > 0 ? [pathLabel(kinds, items, rest)] : [])].join(' › ')
}
