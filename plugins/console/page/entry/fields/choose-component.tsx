import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'

/** A search is offered from this number of components on. */
const many = 8

/** Chooses one of the components of a zone, by category. */
export function ChooseComponent({
  label,
  uids,
  onChoose,
  onClose,
}: {
  label: string
  uids: readonly string[]
  onChoose: (uid: string) => void
  onClose: () => void
}) {
  const { store } = useEntry()
  const text = useSignal('')
  const components = uids.flatMap(uid => {
    const kind = store.kinds.of(uid)
    return kind && 'category' in kind ? [kind] : []
  })
  const wanted = text.value.trim().toLowerCase()
  const shown = components.filter(({ name }) => name.toLowerCase().includes(wanted))
  const categories = [...new Set(shown.map(({ category }) => category))]
  return (
    <Dialog title={t('items.add', { label })} closeLabel={t('close')} onClose={onClose}>
      {components.length >= many && (
        <input
          type="search"
          aria-label={t('items.search')}
          placeholder={t('items.search')}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
      )}
      {categories.map(category => (
        <section key={category} class="components" aria-label={category}>
          {categories.length > 1 && <h3>{category}</h3>}
          {shown
            .filter(one => one.category === category)
            .map(({ uid, name }) => (
              <button key={uid} type="button" class="button" onClick={() => onChoose(uid)}>
                {name}
              </button>
            ))}
        </section>
      ))}
      {shown.length === 0 && <p class="empty">{t('items.nothing')}</p>}
    </Dialog>
  )
}
