import { useSignal } from '@preact/signals'
import { firstPage, viewText } from '../../../model/list/view.js'
import { lazy } from '../../shell/lazy.js'
import { mayConfigure } from '../../shell/sections.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import type { ListStore } from '../store.js'

const ViewDialog = lazy(() => import('./view-dialog.js').then(part => part.ViewDialog))

/** Keeps what the list shows under a name, or changes the view that it shows. */
export function SaveView({ list }: { list: ListStore }) {
  const isOpen = useSignal(false)
  const { type } = list
  const query = viewText({ ...list.view.value, place: firstPage })
  const saved = meta.value?.views.find(view => view.uid === type.uid && view.query === query)
  const canShare = mayConfigure(type)
  if (query === '' || (saved?.isShared && !canShare)) return null
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {saved ? t('views.change', { name: saved.name }) : t('views.save')}
      </button>
      {isOpen.value && (
        <ViewDialog
          type={type}
          query={query}
          saved={saved}
          canShare={canShare}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
