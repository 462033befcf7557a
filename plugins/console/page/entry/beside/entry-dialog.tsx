import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import type { Form } from '../../../model/form/form.js'
import type { Item } from '../../../model/form/item.js'
import type { TypeMeta } from '../../../model/meta.js'
import { AskDiscard } from '../../shell/ask-discard.js'
import { useIsShown } from '../../shell/is-shown.js'
import { lazy } from '../../shell/lazy.js'
import { addressOfEntry } from '../../shell/routes.js'
import { kinds, meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { type BesideProps, EntryContext } from '../context.js'
import { Field } from '../fields/field.js'
import { Problems } from '../problems-region.js'
import { Rows } from '../rows.js'
import { EntryStore } from '../store/store.js'
import { Keeping } from '../unsaved/keeping.js'
import { KeptRegion } from '../unsaved/kept-region.js'
import { begin, neededIn, relatedOf } from './needed.js'

const Conflict = lazy(() => import('../../conflict/conflict.js').then(part => part.Conflict))

/** The form of another entry above that of the page, saved by itself: whole, or of a new one what it needs. */
export function EntryDialog({ type, id, text, locale, onStored, onClose }: BesideProps) {
  const store = useMemo(() => storeOf(type, id, locale), [])
  const keeping = useMemo(() => store && new Keeping(store), [store])
  const isAsking = useSignal(false)
  const isShown = useIsShown()
  useEffect(() => {
    if (!store) return
    // A comparison with what others have changed saves as well.
    store.onStored = () => {
      if (!isShown()) return
      const stored = relatedOf(store)
      if (stored) onStored(stored)
      onClose()
    }
    void store.load().then(() => {
      const form = store.form.peek()
      if (form && text !== undefined) begin(form, type, text)
    })
    return keeping?.start()
  }, [store])
  const form = store?.form.value
  if (!store || store.phase.value === 'loading') return null
  const close = () => {
    if (store.changes.peek() > 0) isAsking.value = true
    else onClose()
  }
  const save = async () => {
    if ((await store.save()) && isShown()) onClose()
  }
  if (isAsking.value)
    return (
      <AskDiscard
        key="asking"
        text={t('entry.changes', { count: store.changes.value })}
        onStay={() => {
          isAsking.value = false
        }}
        onDiscard={() => {
          store.giveUp()
          void store.discardKept()
          onClose()
        }}
      />
    )
  return (
    <Dialog
      key="form"
      title={id === undefined ? store.title.value : t('relation.edit', { title: store.title.value })}
      closeLabel={t('close')}
      onClose={close}
    >
      {id !== undefined && keeping && <KeptRegion keeping={keeping} />}
      {form && store.phase.value === 'ready' ? (
        <Content store={store} form={form} isNew={id === undefined} onSave={save} onCancel={close} />
      ) : (
        <p class="problem">{t('beside.missing')}</p>
      )}
    </Dialog>
  )
}

function storeOf(type: TypeMeta, id: number | undefined, locale: string | null | undefined): EntryStore | undefined {
  const [known, app] = [kinds.peek(), meta.peek()]
  if (!known || !app) return undefined
  const usual = app.languages.find(({ isDefault }) => isDefault)?.code ?? null
  const place = id === undefined ? { locale: type.options.localized ? (locale ?? usual) : null } : { id }
  const store = new EntryStore(app, known, type, place)
  store.problemsId = 'problems-beside'
  return store
}

interface ContentProps {
  readonly store: EntryStore
  readonly form: Form
  readonly isNew: boolean
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
}

function Content({ store, form, isNew, onSave, onCancel }: ContentProps) {
  const fieldsOf = (item: Item) => <Rows item={item} />
  const context = useMemo(() => ({ store, form, fieldsOf }), [store, form])
  const id = store.head.value?.id
  return (
    <EntryContext.Provider value={context}>
      <Problems store={store} />
      <form
        class="entry-form beside"
        noValidate
        autocomplete="off"
        onSubmit={event => {
          event.preventDefault()
          void onSave()
        }}
        onKeyDown={event => {
          // The dialog stands in a field of another form, whose keys are not meant.
          event.stopPropagation()
          if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
          event.preventDefault()
          void onSave()
        }}
      >
        {isNew ? <Needed store={store} form={form} /> : <Rows item={form.root} />}
        <div class="row dialog-buttons">
          {id !== undefined && (
            <a href={addressOfEntry(store.type, id)} target="_blank" rel="noreferrer">
              {t('beside.tab')}
            </a>
          )}
          <span class="spread" />
          <button type="button" class="button" onClick={onCancel}>
            {t('cancel')}
          </button>
          {store.canSave.value && (
            <button type="submit" class="button primary" disabled={store.isBusy.value}>
              {t('entry.save')}
            </button>
          )}
        </div>
      </form>
      {store.conflict.value && <Conflict store={store} conflict={store.conflict.value} />}
    </EntryContext.Provider>
  )
}

function Needed({ store, form }: { store: EntryStore; form: Form }) {
  const { fields } = store.type.layout
  return (
    <div class="needed">
      {neededIn(form, store.type).map(([name, node]) => (
        <Field key={name} item={form.root} node={node} name={name} layout={fields[name]} />
      ))}
    </div>
  )
}
