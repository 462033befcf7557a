import { useEffect, useRef } from 'preact/hooks'
import type { Column } from '../../model/list/columns.js'
import type { Row } from '../../model/list/page.js'
import { choose, isChosen } from '../../model/list/selection.js'
import { type SortState, sortOf } from '../../model/list/view.js'
import { actionsFor } from '../extensions/known.js'
import { t } from '../text.js'
import { toolsOf } from './actions.js'
import { Cell, columnLabel } from './cell.js'
import { NoRows } from './empty.js'
import type { ListStore } from './store.js'

export function ListTable({ list }: { list: ListStore }) {
  const { type } = list
  const page = list.page.value
  const columns = list.columns.value
  if (page?.rows.length === 0) return <NoRows list={list} />
  const isChoosing = toolsOf(type, list.view.value.state).length + actionsFor(type.uid, 'list').length > 0
  return (
    <div class="table-place">
      <table class="list" aria-label={type.name} aria-busy={list.isLoading.value}>
        <thead>
          <tr>
            {isChoosing && <SelectAll list={list} rows={page?.rows ?? []} />}
            {columns.map(column => (
              <Head key={column.name} list={list} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {page
            ? page.rows.map(row => (
                <EntryRow key={row.id} list={list} row={row} columns={columns} isChoosing={isChoosing} />
              ))
            : skeleton(columns.length + (isChoosing ? 1 : 0))}
        </tbody>
      </table>
    </div>
  )
}

/** Lines of the final size; the style shows them only after a while. */
const skeleton = (columns: number) =>
  Array.from({ length: 8 }, (_, row) => (
    <tr key={row} class="skeleton">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span />
        </td>
      ))}
    </tr>
  ))

function Head({ list, column }: { list: ListStore; column: Column }) {
  const label = columnLabel(column)
  if (column.sort === undefined) return <th scope="col">{label}</th>
  const sort = sortOf(list.type, list.view.value, list.requests.isRanked)
  const isSorted = sort?.name === column.name
  const next: SortState = { name: column.name, isDescending: isSorted && !sort.isDescending }
  return (
    <th scope="col" aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        class="sort"
        aria-label={t('list.sort', { label })}
        onClick={() => list.change({ sort: next })}
      >
        {label}
        <span aria-hidden="true">{isSorted ? (sort.isDescending ? ' ▼' : ' ▲') : ''}</span>
      </button>
    </th>
  )
}

function SelectAll({ list, rows }: { list: ListStore; rows: readonly Row[] }) {
  const box = useRef<HTMLInputElement>(null)
  const chosen = rows.filter(({ id }) => isChosen(list.selection.value, id)).length
  const isAll = rows.length > 0 && chosen === rows.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !isAll
  }, [chosen, isAll])
  return (
    <th scope="col" class="choice">
      <label class="box">
        <input
          type="checkbox"
          ref={box}
          aria-label={t('list.selectPage')}
          checked={isAll}
          onChange={event => {
            const ids = rows.map(({ id }) => id)
            list.selection.value = choose(list.selection.value, ids, event.currentTarget.checked)
          }}
        />
      </label>
    </th>
  )
}

interface RowProps {
  readonly list: ListStore
  readonly row: Row
  readonly columns: readonly Column[]
  readonly isChoosing: boolean
}

function EntryRow({ list, row, columns, isChoosing }: RowProps) {
  const title = list.titleOf(row)
  const isOn = isChosen(list.selection.value, row.id)
  return (
    <tr class={isOn ? 'chosen' : undefined}>
      {isChoosing && (
        <td class="choice">
          <label class="box">
            <input
              type="checkbox"
              aria-label={t('list.select', { title })}
              checked={isOn}
              // A click by the mouse or by the space bar tells of the shift key, a change does not.
              onClick={event => list.choose(row.id, event.currentTarget.checked, event.shiftKey)}
            />
          </label>
        </td>
      )}
      {columns.map(column => (
        <Cell key={column.name} list={list} row={row} column={column} />
      ))}
    </tr>
  )
}
