import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { editorsText } from '../../../model/roles/code.js'
import { t } from '../../text.js'
import { Copied } from '../copied.js'
import type { RoleStore } from './store.js'

/** The role as it stands in the form, in the words of `config/permissions`. */
export function CodeButton({ store }: { store: RoleStore }) {
  const isOpen = useSignal(false)
  const { code, kept, types } = store.role
  const role = { code, kept, types, name: store.name.value, description: store.description.value }
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t('roles.code')}
      </button>
      {isOpen.value && (
        <Dialog
          title={t('roles.code')}
          closeLabel={t('close')}
          onClose={() => {
            isOpen.value = false
          }}
        >
          <p class="quiet">{t('roles.code.text')}</p>
          <Copied label={t('roles.code.file')} text={editorsText(role, store.drafts.value)} rows={16} />
        </Dialog>
      )}
    </>
  )
}
