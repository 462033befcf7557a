import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import { leaveFor } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { addressOfType } from '../shell/routes.js'
import { t } from '../text.js'
import { LinkGroups } from './link-groups.js'
import { type LinkGroup, linksTo } from './links.js'
import type { EntryStore } from './store.js'

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
    const title = store.title.peek()
    const isDone = await store.remove()
    onClose()
    if (!isDone) return
    say(t('entry.deleted', { title }))
    leaveFor(addressOfType(store.type))
  }
  const count = links.value?.reduce((sum, { total }) => sum + total, 0) ?? 0
  return (
    <Dialog title={t('delete', { title: store.title.value })} closeLabel={t('close')} onClose={onClose}>
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
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={isSending.value || links.value === undefined}
          onClick={() => void remove()}
        >
          {t('do.delete')}
        </button>
      </div>
    </Dialog>
  )
}
