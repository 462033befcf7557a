import type { Form } from '../../../model/form/form.js'
import type { Node } from '../../../model/form/item.js'
import type { Related } from '../../../model/form/plain.js'
import type { TypeMeta } from '../../../model/meta.js'
import type { EntryStore } from '../store/store.js'

/** The fields that a new entry needs: its title, what is required, and addresses that are made of others. */
export const neededIn = ({ root }: Form, { layout }: TypeMeta): readonly (readonly [string, Node])[] =>
  [...root.nodes].filter(([name, { attribute, canWrite }]) => {
    const isMade = attribute.kind === 'field' && attribute.madeFrom !== undefined
    return canWrite && (name === layout.settings.mainField || attribute.required === true || isMade)
  })

/** Writes the title of a new entry into its form. */
export function begin({ root }: Form, { layout }: TypeMeta, text: string): void {
  const cell = root.cell(layout.settings.mainField)
  if (cell?.canWrite && cell.attribute.family === 'text') cell.value.value = text
}

/** A stored entry, as relations show it. */
export function relatedOf({ head, form, type }: EntryStore): Related | undefined {
  const stored = head.peek()
  const read = form.peek()?.base()?.values ?? {}
  const typed = Object.entries(read).flatMap(([name, value]) => (value.kind === 'typed' ? [[name, value.typed]] : []))
  if (!stored) return undefined
  const { id, publishedAt, locale } = stored
  return { id, uid: type.uid, values: { ...Object.fromEntries(typed), publishedAt, locale } }
}
