import { useSignal } from '@preact/signals'
import { type CellPlace, cellAt, movedCell, stepped, withCell } from '../../model/layout/rows.js'
import type { Layout } from '../../model/meta.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import type { LayoutStore } from './store.js'

interface PartProps {
  readonly store: LayoutStore
  readonly layout: Layout
}

/** The rows of the form: fields are dragged to other places, or moved by Alt and the arrows. */
export function FormPart({ store, layout }: PartProps) {
  const dragged = useSignal<string | undefined>(undefined)
  const { edit } = layout
  const moved = (name: string, rows: Layout['edit']) => {
    store.set({ edit: rows })
    const place = cellAt(rows, name)
    if (place) say(t('layout.moved', { field: store.labelOf(name), row: place.row + 1, place: place.at + 1 }))
    setTimeout(() => document.getElementById(cellId(name))?.focus())
  }
  const drop = (to: CellPlace) => (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const name = dragged.peek()
    dragged.value = undefined
    if (name !== undefined) moved(name, movedCell(edit, name, to))
  }
  const over = (event: DragEvent) => dragged.peek() !== undefined && event.preventDefault()
  const onKey = (name: string) => (event: KeyboardEvent) => {
    const step = ({ ArrowUp: 'before', ArrowLeft: 'before', ArrowDown: 'after', ArrowRight: 'after' } as const)[
      event.key
    ]
    if (!event.altKey || step === undefined || layout.isDeclared) return
    event.preventDefault()
    moved(name, stepped(edit, name, step))
  }
  return (
    <section class="layout-part" aria-label={t('layout.form')}>
      <h2>{t('layout.form')}</h2>
      <p class="quiet">{t('layout.form.how')}</p>
      <ol class="layout-rows" aria-label={t('layout.rows')}>
        {edit.map((cells, row) => (
          <li key={row}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: fields are dropped there; keys and the settings of a field move them as well */}
            <div class="layout-gap" onDragOver={over} onDrop={drop({ row })} />
            <ul
              class="layout-row"
              aria-label={t('layout.row', { count: row + 1 })}
              onDragOver={over}
              onDrop={drop({ row, at: cells.length })}
            >
              {cells.map(({ name, size }, at) => (
                <li key={name} class={`layout-cell span-${size}`} onDragOver={over} onDrop={drop({ row, at })}>
                  <button
                    type="button"
                    id={cellId(name)}
                    draggable={!layout.isDeclared}
                    aria-pressed={store.chosen.value === name}
                    onKeyDown={onKey(name)}
                    onDragStart={event => {
                      dragged.value = name
                      event.dataTransfer?.setData('text/plain', name)
                    }}
                    onDragEnd={() => {
                      dragged.value = undefined
                    }}
                    onClick={() => {
                      store.chosen.value = store.chosen.peek() === name ? undefined : name
                    }}
                  >
                    <span dir="auto">{store.labelOf(name)}</span> <span class="quiet">{size}/12</span>
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: fields are dropped there; keys and the settings of a field move them as well */}
      <div class="layout-gap" onDragOver={over} onDrop={drop({ row: edit.length })} />
      <Left store={store} layout={layout} />
    </section>
  )
}

/** Fields that the form does not have. */
function Left({ store, layout }: PartProps) {
  const { left } = store
  if (left.length === 0) return null
  return (
    <>
      <h3>{t('layout.left')}</h3>
      <div class="row">
        {left.map(name => (
          <button
            key={name}
            id={addingId(name)}
            type="button"
            class="button"
            onClick={() => {
              store.set({ edit: withCell(layout.edit, { name, size: 6 }) })
              store.setField(name, { visible: true })
              store.chosen.value = name
              setTimeout(() => document.getElementById(cellId(name))?.focus())
            }}
          >
            {t('layout.addField', { field: store.labelOf(name) })}
          </button>
        ))}
      </div>
    </>
  )
}

/** The id of the button that brings a field back. */
export const addingId = (name: string): string => `layout-add-${name}`

const cellId = (name: string): string => `layout-${name}`
