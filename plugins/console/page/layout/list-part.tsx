import { useRef } from 'preact/hooks'
import { Icon } from '../../../pages/page/controls.js'
import { movedName } from '../../model/layout/change.js'
import type { Layout } from '../../model/meta.js'
import { MoveButtons } from '../entry/move-buttons.js'
import { focusAfter, keepingFocus, moveByKey } from '../entry/moving.js'
import { Check, Choose } from '../shell/boxes.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import type { LayoutStore } from './store.js'

interface PartProps {
  readonly store: LayoutStore
  readonly layout: Layout
}

const sizes = [10, 20, 25, 50, 100]

/** The list of a type: its columns, its order, and what is offered above it. */
export function ListPart({ store, layout }: PartProps) {
  const { settings } = layout
  const fields = [
    'id',
    ...store.kind.attributes
      .filter(({ kind, type }) => kind === 'field' && type !== 'password')
      .map(({ name }) => name),
  ]
  const named = (names: readonly string[]) => names.map(value => ({ value, label: store.labelOf(value) }))
  const among = (value: string) => named(fields.includes(value) ? fields : [value, ...fields])
  const pages = sizes.includes(settings.pageSize) ? sizes : [settings.pageSize, ...sizes]
  return (
    <section class="layout-part" aria-label={t('layout.list')}>
      <h2>{t('layout.list')}</h2>
      <Columns store={store} layout={layout} />
      <div class="layout-choices">
        <Choose
          label={t('layout.mainField')}
          value={settings.mainField}
          choices={among(settings.mainField)}
          onChange={mainField => store.setSettings({ mainField })}
        />
        <Choose
          label={t('layout.pageSize')}
          value={String(settings.pageSize)}
          choices={pages.map(size => ({ value: String(size), label: String(size) }))}
          onChange={size => store.setSettings({ pageSize: Number(size) })}
        />
        <Choose
          label={t('layout.sortBy')}
          value={settings.defaultSortBy}
          choices={among(settings.defaultSortBy)}
          onChange={defaultSortBy => store.setSettings({ defaultSortBy })}
        />
        <Choose
          label={t('layout.order')}
          value={settings.defaultSortOrder}
          choices={(['ASC', 'DESC'] as const).map(value => ({ value, label: t(`layout.order.${value}`) }))}
          onChange={order => store.setSettings({ defaultSortOrder: order === 'DESC' ? 'DESC' : 'ASC' })}
        />
      </div>
      <div class="row">
        {(['searchable', 'filterable', 'bulkable'] as const).map(name => (
          <Check
            key={name}
            label={t(`layout.${name}`)}
            value={settings[name]}
            onChange={isOn => store.setSettings({ [name]: isOn })}
          />
        ))}
      </div>
    </section>
  )
}

function Columns({ store, layout }: PartProps) {
  const place = useRef<HTMLUListElement>(null)
  const { list } = layout
  const known = ['id', ...store.kind.attributes.filter(({ type }) => type !== 'password').map(({ name }) => name)]
  const move = (from: number, to: number) => {
    const title = store.labelOf(list[from] ?? '')
    keepingFocus(() => store.set({ list: movedName(list, from, to) }))
    say(t('items.moved', { title, place: to + 1, count: list.length }))
  }
  return (
    <>
      <ul class="related" aria-label={t('columns')} ref={place}>
        {list.map((name, at) => {
          const title = store.labelOf(name)
          return (
            <li
              key={name}
              onKeyDown={event => {
                if (!layout.isDeclared) moveByKey(event, at, list.length, to => move(at, to))
              }}
            >
              <span class="related-title" dir="auto">
                {title}
              </span>
              <MoveButtons title={title} at={at} count={list.length} onMove={to => move(at, to)} />
              <Icon
                label={t('items.remove', { title })}
                sign="×"
                onClick={() => {
                  store.set({ list: list.filter(other => other !== name) })
                  focusAfter(place.current, at)
                }}
              />
            </li>
          )
        })}
      </ul>
      <Choose
        label={t('layout.addColumn')}
        value=""
        choices={[
          { value: '', label: '–' },
          ...known.filter(name => !list.includes(name)).map(value => ({ value, label: store.labelOf(value) })),
        ]}
        onChange={name => name !== '' && store.set({ list: [...list, name] })}
      />
    </>
  )
}
