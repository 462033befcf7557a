import { areBlocks, blocksText } from '../../model/blocks/text.js'
import type { Kinds } from '../../model/form/kinds.js'
import { loaded, type PlainItem, type PlainValue } from '../../model/form/plain.js'
import { t } from '../text.js'

/** A value of a form as a text, to compare it with others. */
export function valueText(kinds: Kinds, value: PlainValue | undefined): string {
  if (!value) return ''
  if (value.kind === 'items') return value.items.map(item => itemText(kinds, item)).join('\n')
  if (value.kind === 'links')
    return loaded(value.links)
      .map(({ id, uid, values }) => {
        const main = kinds.type(uid)?.layout.settings.mainField ?? 'name'
        return String(values[main] ?? values.name ?? `#${id}`)
      })
      .join('\n')
  const { typed } = value
  if (typed === null || typed === undefined) return ''
  if (typeof typed === 'boolean') return t(typed ? 'yes' : 'no')
  if (areBlocks(typed)) return blocksText(typed)
  return typeof typed === 'string' ? typed : JSON.stringify(typed, null, 2)
}

/** The name of a component: its type, and the first text in it. */
export function itemText(kinds: Kinds, { uid, values }: PlainItem): string {
  const kind = kinds.of(uid)
  const main = kind?.layout.settings.mainField ?? ''
  const texts = kinds.shown(uid).filter(one => one.kind === 'field' && one.family === 'text')
  const found = [main, ...texts.map(({ name }) => name)]
    .map(name => valueText(kinds, values[name]))
    .find(text => text !== '')
  return found === undefined ? (kind?.name ?? uid) : `${kind?.name ?? uid}: ${found.slice(0, 60)}`
}
