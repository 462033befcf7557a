import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Form } from '../../../model/form/form.js'
import { actionsFor } from '../../extensions/known.js'
import { nextListed } from '../../list/listed.js'
import { go, inThisVisit } from '../../shell/address.js'
import { lazy } from '../../shell/lazy.js'
import { say } from '../../shell/messages.js'
import { addressOfDeleted, addressOfEntry, addressOfTrashed, addressOfVersions } from '../../shell/routes.js'
import { hasDeleted } from '../../shell/session.js'
import { t } from '../../text.js'
import { canPlan } from '../plans.js'
import { saveBoth } from '../store/both.js'
import type { EntryStore } from '../store/store.js'
import { CopyLanguage, otherLanguages } from './copy-language.js'
import { DeleteDialog } from './delete-dialog.js'
import { canDuplicate, duplicate } from './duplicate.js'
import { type Action, Menu } from './menu.js'
import { placesOutside } from './previewing.js'

const ScheduleDialog = lazy(() => import('../../schedule/schedule-dialog.js').then(part => part.ScheduleDialog))

/** The number of unsaved changes, and the actions on the entry. */
export function EntryBar({ store, form }: { store: EntryStore; form: Form }) {
  const { type, isBusy } = store
  useKeys(store, form)
  const canPublish = type.options.drafts && store.may('publish')
  const other = store.beside.value
  const canSave = store.canSave.value
  const canSaveAny = canSave || other?.canSave.value === true
  const isNew = form.isNew.value
  return (
    <div class="entry-bar">
      <Status store={store} />
      {form.history.last.value && (
        <button type="button" class="text-button" onClick={() => undo(form)}>
          {t('entry.undo')}
        </button>
      )}
      {canSaveAny && (
        <button
          type="button"
          class="button primary"
          disabled={isBusy.value || other?.isBusy.value}
          onClick={() => void saveBoth(store)}
        >
          {t('entry.save')}
        </button>
      )}
      {canPublish && <Publishing store={store} canSave={canSave} isNew={isNew} />}
      <More store={store} form={form} />
    </div>
  )
}

function Status({ store }: { store: EntryStore }) {
  const count = store.unsaved.value
  const isNew = store.form.value?.isNew.value === true
  const text =
    count > 0
      ? t('entry.changes', { count })
      : isNew
        ? t('entry.notStored')
        : store.canSave.value
          ? t('entry.noChanges')
          : t('entry.readOnly')
  return (
    <span role="status" aria-label={t('entry.status')} class={count > 0 ? 'changes' : 'quiet'}>
      {text}
    </span>
  )
}

interface PublishingProps {
  readonly store: EntryStore
  readonly canSave: boolean
  readonly isNew: boolean
}

/** Publishing saves what was changed, too; unpublishing leaves it in the form. */
function Publishing({ store, canSave, isNew }: PublishingProps) {
  const isPublished = store.isPublished.value
  const isDone = isPublished && (store.changes.value === 0 || !canSave)
  if (!canSave && isNew) return null
  return (
    <>
      {!isDone && !isPublished && (
        <button type="button" class="button" disabled={store.isBusy.value} onClick={() => void store.publish()}>
          {t('do.publish')}
        </button>
      )}
      {isPublished && (
        <button type="button" class="button" disabled={store.isBusy.value} onClick={() => void store.unpublish()}>
          {t('do.unpublish')}
        </button>
      )}
    </>
  )
}

function More({ store, form }: { store: EntryStore; form: Form }) {
  const isDeleting = useSignal(false)
  const isCopying = useSignal(false)
  const isNew = form.isNew.value
  const next = nextListed(store.type.uid, store.head.value?.id)
  const actions: Action[] = [
    ...(next !== undefined && store.canSave.value
      ? [{ label: t('entry.saveNext'), onDo: () => void saveAndNext(store) }]
      : []),
    ...(canPlan(store)
      ? [
          {
            label: t('schedule'),
            onDo: () => {
              store.isPlanning.value = true
            },
          },
        ]
      : []),
    ...(!isNew && canDuplicate(store) ? [{ label: t('entry.duplicate'), onDo: () => void duplicate(store) }] : []),
    ...(store.canSave.value && otherLanguages(store).length > 0
      ? [
          {
            label: t('entry.copyLanguage'),
            onDo: () => {
              isCopying.value = true
            },
          },
        ]
      : []),
    ...(store.type.options.versions && store.head.value
      ? [{ label: t('versions'), onDo: () => showVersions(store) }]
      : []),
    ...(store.isSingle && store.type.options.trash
      ? [{ label: t('state.trash'), onDo: () => go(addressOfTrashed(store.type, 0, store.locale.peek())) }]
      : []),
    ...(store.isSingle && isNew && hasDeleted(store.type)
      ? [{ label: t('list.deleted'), onDo: () => go(addressOfDeleted(store.type, store.locale.peek())) }]
      : []),
    ...placesOutside(store),
    ...actionsFor(store.type.uid, 'entry').map(({ action, label }) => ({
      label,
      onDo: () => void import('../../extensions/run.js').then(({ runOnEntry }) => runOnEntry(action, store)),
    })),
    ...(!isNew && store.may('delete')
      ? [
          {
            label: t('do.delete'),
            isDanger: true,
            onDo: () => {
              isDeleting.value = true
            },
          },
        ]
      : []),
  ]
  return (
    <>
      {actions.length > 0 && <Menu label={t('entry.more')} sign="⋯" actions={actions} />}
      {isDeleting.value && (
        <DeleteDialog
          store={store}
          onClose={() => {
            isDeleting.value = false
          }}
        />
      )}
      {store.isPlanning.value && <ScheduleDialog store={store} />}
      {isCopying.value && (
        <CopyLanguage
          store={store}
          onClose={() => {
            isCopying.value = false
          }}
        />
      )}
    </>
  )
}

function showVersions({ type, stored: { id = 0, locale = null } }: EntryStore): void {
  go(addressOfVersions(type, id, locale))
}

/** Saves, and opens the entry behind this one in the list that it was opened from. */
async function saveAndNext(store: EntryStore): Promise<void> {
  const next = nextListed(store.type.uid, store.head.peek()?.id)
  const isHere = inThisVisit()
  if (next !== undefined && (await store.save()) && isHere()) go(addressOfEntry(store.type, next))
}

function undo({ history }: Form): void {
  const step = history.undo()
  if (step) say(t('entry.undone', { title: step.title }))
}

function redo({ history }: Form): void {
  const step = history.redo()
  if (step) say(t('entry.redone', { title: step.title }))
}

/** Texts have an undo of their own. */
const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type))

/** The form that a key is pressed in. */
function formAt(target: EventTarget | null, store: EntryStore, form: Form): Form {
  const isOther = target instanceof Element && target.closest('.other-language') !== null
  return (isOther ? store.beside.peek()?.form.peek() : undefined) ?? form
}

/** The action of a key while Control is held: undefined for keys of the browser. */
function actionOf(event: KeyboardEvent, store: EntryStore, form: Form): (() => unknown) | undefined {
  const { shiftKey, target } = event
  const key = event.key.toLowerCase()
  const other = store.beside.peek()
  if (key === 's' && (store.canSave.peek() || other?.canSave.peek())) return () => saveBoth(store)
  if (key === 'enter' && !shiftKey && store.type.options.drafts && store.may('publish')) return () => store.publish()
  if (key === 'enter' && shiftKey && store.canSave.peek()) return () => saveAndNext(store)
  if (key === 'z' && !isText(target)) return () => (shiftKey ? redo : undo)(formAt(target, store, form))
  return undefined
}

function useKeys(store: EntryStore, form: Form): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const action = actionOf(event, store, form)
      // The browser's own dialog would save the page, which holds nothing.
      if (action || event.key.toLowerCase() === 's') event.preventDefault()
      if (!document.querySelector('dialog[open]')) action?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [store, form])
}
