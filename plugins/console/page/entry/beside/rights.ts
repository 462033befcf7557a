import type { Related } from '../../../model/form/plain.js'
import type { TypeMeta } from '../../../model/meta.js'
import type { EntryInPage } from '../context.js'

/** Files have dialogs of their own, and a dialog opens no further one. */
const isOpened = ({ Beside }: EntryInPage, { uid, path, kind }: TypeMeta): boolean =>
  Beside !== undefined && path !== undefined && kind === 'collectionType' && uid !== 'plugin::upload.file'

/** True if the account may change entries of the type of this one; whether it may change this one, the server says. */
export function canEditBeside(here: EntryInPage, { uid, id }: Related): boolean {
  const { type, head, kinds } = here.store
  const other = kinds.type(uid)
  const isItself = type.uid === uid && head.value?.id === id
  return (
    other !== undefined && !isItself && isOpened(here, other) && other.can.read !== null && other.can.update !== null
  )
}

/** True if the account may make entries of a type, in the language of this entry. */
export function canCreateBeside(here: EntryInPage, type: TypeMeta): boolean {
  const { create, read } = type.can
  const locale = type.options.localized ? here.store.locale.value : null
  const isIn = locale === null || (create?.locales?.includes(locale) ?? true)
  return isOpened(here, type) && create !== null && read !== null && isIn
}
