import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { clipOf, copyOf, markEmptied, pasted } from '../../../model/form/copy.js'
import type { Item, ItemList } from '../../../model/form/item.js'
import type { PlainItem } from '../../../model/form/plain.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { clip, copyToClip } from '../clip.js'
import { useEntry } from '../context.js'
import { focusAfter, keepingFocus } from '../moving.js'
import type { OpenItems } from '../open-items.js'
import { fieldId } from '../store/problems.js'
import { ChooseComponent } from './choose-component.js'
import { ChoosePlace } from './choose-place.js'
import { FieldNotes, GroupLabel, Shared, useFrame } from './frame.js'
import { nameOf } from './item-name.js'
import { type ItemActions, ItemRow } from './item-row.js'
import type { FieldProps } from './props.js'

/** A component, a list of them, or a zone. */
export function ItemsField(props: FieldProps<ItemList>) {
  const { node } = props
  const frame = useFrame(props)
  const items = node.items.value
  return (
    <fieldset class="items" aria-labelledby={`${frame.id}-label`} aria-describedby={frame.describedBy}>
      <legend id={frame.id} tabIndex={-1}>
        <GroupLabel frame={frame} isRequired={node.attribute.required} />
        {node.attribute.many && items.length > 0 && <span class="note"> ({items.length})</span>}{' '}
        <Shared frame={frame} />
      </legend>
      {node.attribute.many ? (
        <List list={node} label={frame.label} isReadOnly={frame.isReadOnly} />
      ) : (
        <One list={node} label={frame.label} isReadOnly={frame.isReadOnly} />
      )}
      <FieldNotes frame={frame} />
    </fieldset>
  )
}

interface ListProps {
  readonly list: ItemList
  readonly label: string
  readonly isReadOnly: boolean
}

function One({ list, label, isReadOnly }: ListProps) {
  const { store, fieldsOf } = useEntry()
  const [item] = list.items.value
  const place = useRef<HTMLDivElement>(null)
  const addFirst = () => {
    const [uid] = list.attribute.targets ?? []
    if (uid !== undefined) add(store.open, list, { uid, values: {} })
  }
  if (!item)
    return list.canAdd && !isReadOnly ? (
      <AddButtons list={list} label={label} onAdd={addFirst} onPaste={plain => add(store.open, list, plain)} />
    ) : (
      <p class="quiet">{t('items.none')}</p>
    )
  const name = nameOf(store.kinds, list, item)
  return (
    <div ref={place}>
      {fieldsOf(item)}
      {list.canRemove(item) && !isReadOnly && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            list.remove(item, name)
            say(t('items.removed', { title: name }))
            setTimeout(() => place.current?.closest('fieldset')?.querySelector<HTMLElement>('legend')?.focus())
          }}
        >
          {t('items.remove', { title: name })}
        </button>
      )}
    </div>
  )
}

/** Puts an item into a list, opened; its first field has the focus. */
function add(open: OpenItems, list: ItemList, plain: PlainItem, before?: Item): Item {
  const item = list.make(plain)
  open.open(item)
  const items = list.items.peek()
  const at = before ? items.indexOf(before) : items.length
  list.insert(item, at, list.attribute.name)
  setTimeout(() => {
    document.querySelector<HTMLElement>(`[id^="${fieldId(item, '')}"]:is(input, textarea, select)`)?.focus()
  })
  return item
}

/** The actions on the items of a list, and the items that dialogs of two of them are open for. */
function useActions(list: ItemList, rows: RefObject<HTMLUListElement | null>) {
  const { store } = useEntry()
  const { kinds } = store
  /** The item before which a component is being chosen; null for the end. */
  const choosing = useSignal<Item | null | undefined>(undefined)
  const moving = useSignal<Item | undefined>(undefined)
  const title = (item: Item) => nameOf(kinds, list, item)
  const actions: ItemActions = {
    move(item, to) {
      const name = title(item)
      keepingFocus(() => list.move(item, to, name))
      say(t('items.moved', { title: name, place: to + 1, count: list.items.peek().length }))
    },
    remove(item) {
      const at = list.items.peek().indexOf(item)
      const name = title(item)
      list.remove(item, name)
      say(t('items.removed', { title: name }))
      focusAfter(rows.current, at)
    },
    duplicate(item) {
      const copy = copyOf(kinds, item.plain())
      const items = list.items.peek()
      const made = add(store.open, list, copy.plain, items[items.indexOf(item) + 1])
      markEmptied(made, copy)
    },
    copy(item) {
      copyToClip(clipOf(kinds, item))
      say(t('items.copied', { title: title(item) }))
    },
    insert(before) {
      const [uid] = list.attribute.targets ?? []
      if (list.attribute.shape === 'zone') choosing.value = before ?? null
      else if (uid) add(store.open, list, { uid, values: {} }, before)
    },
    askPlace(item) {
      moving.value = item
    },
  }
  return { actions, choosing, moving }
}

function List({ list, label, isReadOnly }: ListProps) {
  const canAdd = list.canAdd && !isReadOnly
  const { store } = useEntry()
  const rows = useRef<HTMLUListElement>(null)
  const { actions, choosing, moving } = useActions(list, rows)
  const items = list.items.value
  return (
    <>
      {items.length > 0 && (
        <ul class="item-list" aria-label={label} ref={rows}>
          {items.map((item, at) => (
            <ItemRow key={item.key} {...{ list, item, at, isReadOnly, actions }} count={items.length} />
          ))}
        </ul>
      )}
      {items.length === 0 && !canAdd && <p class="quiet">{t('items.none')}</p>}
      {canAdd && (
        <AddButtons
          list={list}
          label={label}
          onAdd={() => actions.insert()}
          onPaste={plain => add(store.open, list, plain)}
        />
      )}
      {choosing.value !== undefined && (
        <ChooseComponent
          label={label}
          uids={list.attribute.targets ?? []}
          onClose={() => {
            choosing.value = undefined
          }}
          onChoose={uid => {
            const before = choosing.peek() ?? undefined
            choosing.value = undefined
            add(store.open, list, { uid, values: {} }, before)
          }}
        />
      )}
      {moving.value && (
        <ChoosePlace
          title={nameOf(store.kinds, list, moving.value)}
          at={items.indexOf(moving.value)}
          count={items.length}
          onClose={() => {
            moving.value = undefined
          }}
          onChoose={to => {
            const item = moving.peek()
            moving.value = undefined
            if (item) actions.move(item, to)
          }}
        />
      )}
    </>
  )
}

interface AddButtonsProps {
  readonly list: ItemList
  readonly label: string
  readonly onAdd: () => void
  readonly onPaste: (plain: PlainItem) => void
}

function AddButtons({ list, label, onAdd, onPaste }: AddButtonsProps) {
  const { store } = useEntry()
  const fitting = pasted(store.kinds, list, clip.value)
  return (
    <div class="row">
      <button type="button" class="button" onClick={onAdd}>
        {t('items.add', { label })}
      </button>
      {fitting && (
        <button type="button" class="text-button" onClick={() => onPaste(fitting)}>
          {t('items.paste', { label })}
        </button>
      )}
    </div>
  )
}
