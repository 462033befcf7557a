import { signal } from '@preact/signals'

/** The entries of the page of a list that was shown last: the form of one leads on to the next. */
export const listed = signal<{ readonly uid: string; readonly ids: readonly number[] } | undefined>(undefined)

/** The entry behind another one in that list. */
export function nextListed(uid: string, id: number | undefined): number | undefined {
  const ids = listed.value?.uid === uid ? listed.value.ids : []
  const at = id === undefined ? -1 : ids.indexOf(id)
  return at < 0 ? undefined : ids[at + 1]
}
