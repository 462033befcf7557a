import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { type ChangeWay, changeable, waysOf } from '../../../model/form/change-many.js'
import type { Form } from '../../../model/form/form.js'
import type { Item } from '../../../model/form/item.js'
import type { EntryChange } from '../../../model/list/standing.js'
import type { AttributeInfo } from '../../../model/meta.js'
import { EntryContext } from '../../entry/context.js'
import { Field } from '../../entry/fields/field.js'
import { Problems } from '../../entry/problems-region.js'
import { Rows } from '../../entry/rows.js'
import { AskDiscard } from '../../shell/ask-discard.js'
import { t } from '../../text.js'
import type { ListStore } from '../store.js'
import { ChangeStore } from './store.js'

interface ChangeProps {
  readonly list: ListStore
  readonly count: number | undefined
  readonly onChange: (change: EntryChange) => void
  readonly onClose: () => void
}

/** Changes fields of the chosen entries: each is left as it is unless a way to change it is chosen. */
export function ChangeDialog({ list, count, onChange, onClose }: ChangeProps) {
  const store = useMemo(() => ChangeStore.of(list), [list])
  const isAsking = useSignal(false)
  useEffect(() => void store.load(), [store])
  const form = store.form.value
  if (!form) return null
  const chosen = store.ways.value.size
  const stay = () => {
    isAsking.value = false
  }
  const close = () => {
    if (chosen > 0) isAsking.value = true
    else onClose()
  }
  if (isAsking.value)
    return <AskDiscard key="asking" text={t('change.discard', { count: chosen })} onStay={stay} onDiscard={onClose} />
  const start = (event: Event) => {
    event.preventDefault()
    const change = chosen > 0 ? store.change() : undefined
    if (change) onChange(change)
  }
  return (
    <Dialog key="form" title={t('do.update')} closeLabel={t('close')} onClose={close}>
      <p class="quiet">{t('change.about')}</p>
      <Fields list={list} store={store} form={form} onSubmit={start}>
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary" disabled={chosen === 0}>
            {count === undefined ? t('change.all') : t('ask.update', { count })}
          </button>
        </div>
      </Fields>
    </Dialog>
  )
}

interface FieldsProps {
  readonly list: ListStore
  readonly store: ChangeStore
  readonly form: Form
  readonly onSubmit: (event: Event) => void
  readonly children: ComponentChildren
}

function Fields({ list, store, form, onSubmit, children }: FieldsProps) {
  const context = useMemo(() => ({ store, form, fieldsOf: (item: Item) => <Rows item={item} /> }), [store, form])
  const attributes = changeable(list.kinds, list.type)
  return (
    <EntryContext.Provider value={context}>
      <Problems store={store} />
      <form class="entry-form beside" noValidate autocomplete="off" onSubmit={onSubmit}>
        {attributes.length === 0 && <p>{t('change.none')}</p>}
        {attributes.map(attribute => (
          <Change key={attribute.name} store={store} form={form} attribute={attribute} />
        ))}
        {children}
      </form>
    </EntryContext.Provider>
  )
}

/** One field: whether it is changed, how, and to what. */
function Change({ store, form, attribute }: { store: ChangeStore; form: Form; attribute: AttributeInfo }) {
  const id = useId()
  const { name } = attribute
  const layout = store.type.layout.fields[name]
  const way = store.ways.value.get(name)
  const node = form.root.nodes.get(name)
  if (!node) return null
  return (
    <div class={way ? 'change chosen' : 'change'}>
      <div class="change-head">
        <label for={id}>{t('change.field', { label: layout?.label ?? name })}</label>
        <select
          id={id}
          value={way ?? ''}
          onChange={({ currentTarget: { value } }) => {
            store.choose(name, value === '' ? undefined : (value as ChangeWay))
          }}
        >
          <option value="">{t('change.leave')}</option>
          {waysOf(attribute).map(one => (
            <option key={one} value={one}>
              {t(`change.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {way !== undefined && way !== 'clear' && <Field item={form.root} node={node} name={name} layout={layout} />}
    </div>
  )
}
