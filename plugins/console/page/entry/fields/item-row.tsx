import type { Item, ItemList } from '../../../model/form/item.js'
import { t } from '../../text.js'
import { type Action, Menu } from '../actions/menu.js'
import { useEntry } from '../context.js'
import { MoveButtons } from '../move-buttons.js'
import { moveByKey } from '../moving.js'
import { nameOf } from './item-name.js'

/** The actions on the items of a list. */
export interface ItemActions {
  readonly move: (item: Item, to: number) => void
  readonly remove: (item: Item) => void
  readonly duplicate: (item: Item) => void
  readonly copy: (item: Item) => void
  /** Adds an item before another one, or at the end. */
  readonly insert: (before?: Item) => void
  readonly askPlace: (item: Item) => void
}

interface RowProps {
  readonly list: ItemList
  readonly item: Item
  readonly at: number
  readonly count: number
  readonly isReadOnly: boolean
  readonly actions: ItemActions
}

/** An item of a list: its name and what can be done with it, and its fields while it is open. */
export function ItemRow(props: RowProps) {
  const { list, item, at, count, isReadOnly, actions } = props
  const { store } = useEntry()
  const isOpen = store.open.state(list, item)
  const onKey = (event: KeyboardEvent) => {
    if (!isReadOnly) moveByKey(event, at, count, to => actions.move(item, to))
    if (!event.altKey || event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    isOpen.value = !isOpen.value
  }
  return (
    <li class={isOpen.value ? 'item open' : 'item'} onKeyDown={onKey}>
      <Head
        {...props}
        isOpen={isOpen.value}
        onToggle={() => {
          isOpen.value = !isOpen.value
        }}
      />
      {isOpen.value && <Body list={list} item={item} />}
    </li>
  )
}

/** Apart from the head, so that a key in the title of an item does not render its fields again. */
function Body({ list, item }: { list: ItemList; item: Item }) {
  const { store, fieldsOf } = useEntry()
  const name = store.kinds.of(item.uid)?.name ?? item.uid
  return (
    <fieldset class="item-body" aria-label={`${name} ${list.items.peek().indexOf(item) + 1}`}>
      {fieldsOf(item)}
    </fieldset>
  )
}

type HeadProps = RowProps & { readonly isOpen: boolean; readonly onToggle: () => void }

function Head({ list, item, at, count, isReadOnly, actions, isOpen, onToggle }: HeadProps) {
  const { store } = useEntry()
  const title = nameOf(store.kinds, list, item)
  const adding = [
    { label: t('items.insert', { title }), onDo: () => actions.insert(item) },
    { label: t('items.duplicate', { title }), onDo: () => actions.duplicate(item) },
  ]
  const removing = { label: t('items.remove', { title }), onDo: () => actions.remove(item), isDanger: true }
  const more: readonly Action[] = [
    { label: t('items.moveTo', { title }), onDo: () => actions.askPlace(item) },
    ...(list.canAdd ? adding : []),
    { label: t('items.copy', { title }), onDo: () => actions.copy(item) },
    ...(list.canRemove(item) ? [removing] : []),
  ]
  return (
    <div class="item-head">
      <button
        type="button"
        class="item-toggle"
        aria-expanded={isOpen}
        aria-label={t(isOpen ? 'items.close' : 'items.open', { title })}
        onClick={onToggle}
      >
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>{' '}
        <span class="item-name" dir="auto">
          {title}
        </span>
      </button>
      {!isReadOnly && (
        <>
          <MoveButtons title={title} at={at} count={count} onMove={to => actions.move(item, to)} />
          <Menu label={t('items.more', { title })} sign="⋯" class="icon" actions={more} hasButtons />
        </>
      )}
    </div>
  )
}
