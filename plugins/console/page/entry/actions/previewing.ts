import { placeholdersIn, previewAddress } from '../../../model/preview.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import type { EntryStore } from '../store/store.js'
import type { Action } from './menu.js'

/** Places outside of the console where the entry is seen, as it is stored. */
export function placesOutside({ type, head, account }: EntryStore): readonly Action[] {
  const stored = head.value
  const address = type.preview && stored && previewAddress(type.preview, { ...stored.previewed, id: stored.id })
  const explorer = stored && account.isSuperAdmin ? meta.value?.app.explorer : undefined
  return [
    ...(address ? [{ label: t('entry.preview'), onDo: () => open(address) }] : []),
    ...(explorer === undefined ? [] : [{ label: t('entry.explorer'), onDo: () => open(`${explorer}#${type.uid}`) }]),
  ]
}

const open = (address: string): void => void window.open(address, '_blank', 'noopener,noreferrer')

/** The attributes that the address of a preview needs. */
export const previewedBy = ({ preview = '' }: EntryStore['type']): readonly string[] => placeholdersIn(preview)
