import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { errorMessageOf, isDone, type PageRequest } from '../../../../pages/page/request.js'
import type { SavedView, TypeMeta } from '../../../model/meta.js'
import { ask } from '../../api.js'
import { base } from '../../shell/address.js'
import { useIsShown } from '../../shell/is-shown.js'
import { say } from '../../shell/messages.js'
import { refresh } from '../../shell/session.js'
import { t } from '../../text.js'

interface ViewProps {
  readonly type: TypeMeta
  readonly query: string
  /** The view that is changed; a new one is saved without it. */
  readonly saved: SavedView | undefined
  readonly canShare: boolean
  readonly onClose: () => void
}

/** The name of a saved view, and whether all editors have it. */
export function ViewDialog({ type, query, saved, canShare, onClose }: ViewProps) {
  const name = useSignal(saved?.name ?? '')
  const isShared = useSignal(saved?.isShared ?? false)
  const failure = useSignal('')
  const isBusy = useSignal(false)
  const isShown = useIsShown()
  const url = saved ? `${base}/views/${saved.id}` : `${base}/views`
  const send = async (request: PageRequest, done: string) => {
    isBusy.value = true
    const reply = await ask(request)
    isBusy.value = false
    failure.value = isDone(reply) ? '' : (errorMessageOf(reply) ?? t('failed'))
    if (!isDone(reply)) return
    say(done)
    if (isShown()) onClose()
    await refresh()
  }
  const save = (event: Event) => {
    event.preventDefault()
    const given = { name: name.peek().trim(), isShared: isShared.peek() }
    const body = saved ? given : { ...given, uid: type.uid, query }
    void send({ method: saved ? 'PUT' : 'POST', url, body }, t('views.saved', { name: given.name }))
  }
  const remove = () => void send({ method: 'DELETE', url }, t('views.deleted', { name: saved?.name ?? '' }))
  return (
    <Dialog
      title={saved ? t('views.change', { name: saved.name }) : t('views.save')}
      closeLabel={t('close')}
      onClose={onClose}
    >
      <form onSubmit={save}>
        <label class="stacked">
          {t('views.name')}
          <input
            type="text"
            required
            maxLength={100}
            autocomplete="off"
            dir="auto"
            value={name.value}
            onInput={event => {
              name.value = event.currentTarget.value
            }}
          />
        </label>
        {canShare && (
          <label class="check">
            <input
              type="checkbox"
              checked={isShared.value}
              onChange={event => {
                isShared.value = event.currentTarget.checked
              }}
            />
            {t('views.shared')}
          </label>
        )}
        {failure.value !== '' && (
          <p class="problem" role="alert">
            {failure.value}
          </p>
        )}
        <div class="row dialog-buttons">
          {saved && (
            <button type="button" class="button danger" disabled={isBusy.value} onClick={remove}>
              {t('views.delete')}
            </button>
          )}
          <span class="spread" />
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {t('entry.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
