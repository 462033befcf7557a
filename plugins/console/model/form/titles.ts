import type { LinkInfo } from '../meta.js'
import type { Item } from './item.js'
import type { Kind, Kinds } from './kinds.js'
import { isRecord, type Related } from './plain.js'

/** The title of a component: its main field, or the first text in it; undefined where nothing is written. Views may subscribe to it. */
export function itemTitle(kinds: Kinds, item: Item): string | undefined {
  const main = kinds.of(item.uid)?.layout.settings.mainField
  const cells = [...item.nodes.values()].filter(node => node.kind === 'cell')
  const texts = cells.filter(({ attribute }) => attribute.family === 'text' && attribute.type !== 'password')
  for (const cell of [item.cell(main ?? ''), ...texts]) {
    const typed = cell?.value.value
    if (typeof typed === 'string' && typed.trim() !== '') return firstLine(typed)
  }
  return undefined
}

/** The title of an entry at the other end of a relation, undefined where it has none. */
export function relatedTitle(kinds: Kinds, link: LinkInfo, holder: Kind, { uid, values }: Related): string | undefined {
  const mains = [holder.layout.fields[link.name]?.mainField, kinds.type(uid)?.layout.settings.mainField, 'name']
  for (const name of mains) {
    const value = values[name ?? '']
    if (value !== undefined && value !== null && value !== '' && !isRecord(value)) return firstLine(String(value))
  }
  return undefined
}

const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 100) ?? ''
