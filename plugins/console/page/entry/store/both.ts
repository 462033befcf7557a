import type { EntryStore } from './store.js'

/** Saves an entry, and the one in another language beside it: the second only if the first was saved. */
export async function saveBoth(store: EntryStore): Promise<boolean> {
  const other = store.beside.peek()
  if (!other) return store.save()
  const isChanged = store.changes.peek() > 0 || other.changes.peek() === 0
  if (isChanged && !(await store.save())) return false
  return (other.changes.peek() === 0 && !other.isOutdated) || other.save()
}

/** True if values were changed that all languages of an entry have. */
export const sharesChanges = ({ form }: Pick<EntryStore, 'form'>): boolean =>
  [...(form.peek()?.root.nodes.values() ?? [])].some(
    ({ attribute, changes }) => attribute.localized !== true && changes.peek() > 0,
  )
