import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { inThisVisit, leaveFor } from '../../shell/address.js'
import { Ask } from '../../shell/ask.js'
import { say } from '../../shell/messages.js'
import { addressOfType } from '../../shell/routes.js'
import { t } from '../../text.js'
import { LinkGroups } from '../link-groups.js'
import { type LinkGroup, linksTo } from '../links.js'
import type { EntryStore } from '../store/store.js'

/** Asks before an entry is deleted, and says what leads to it. */
export function DeleteDialog({ store, onClose }: { store: EntryStore; onClose: () => void }) {
  const id = store.head.peek()?.id ?? 0
  const links = useSignal<readonly LinkGroup[] | undefined>(undefined)
  const isSending = useSignal(false)
  useEffect(() => {
    void linksTo(store.type, id).then(found => {
      links.value = found ?? []
    })
  }, [])
  const remove = async () => {
    isSending.value = true
    const isHere = inThisVisit()
    const title = store.title.peek()
    const isDone = await store.remove()
    onClose()
    if (!isDone) return
    say(t('entry.deleted', { title }))
    if (isHere()) leaveFor(addressOfType(store.type))
  }
  const count = links.value?.reduce((sum, { total }) => sum + total, 0) ?? 0
  return (
    <Ask
      title={t('delete', { title: store.title.value })}
      label={t('do.delete')}
      isDisabled={isSending.value || links.value === undefined}
      onDo={() => void remove()}
      onClose={onClose}
    >
      {links.value === undefined ? (
        <p class="quiet">{t('loading')}</p>
      ) : (
        count > 0 && (
          <>
            <p>{t('delete.links', { count })}</p>
            <LinkGroups groups={links.value} />
          </>
        )
      )}
      <p class="quiet">{t(store.type.options.trash ? 'delete.trash' : 'delete.final')}</p>
    </Ask>
  )
}
