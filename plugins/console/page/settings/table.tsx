import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useFocusKept } from '../shell/focus.js'

export interface Column<Row> {
  readonly label: string
  readonly show: (row: Row) => ComponentChildren
}

/** A table of what a section has. The first column names a row, `actions` stand at its end; on narrow screens a row is a card. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  actions?: { readonly label: string; readonly show: (row: Row) => ComponentChildren }
}) {
  const place = useRef<HTMLElement>(null)
  // The row of the button that was pressed may be gone.
  useFocusKept(place)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys, too
    <section ref={place} class="table-place" aria-label={label} tabIndex={0}>
      <table class="settings-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span class="hidden">{actions.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ label: name, show }, index) =>
                index === 0 ? (
                  <th key={name} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={name} data-label={name}>
                    {show(row)}
                  </td>
                ),
              )}
              {actions && <td class="row-actions">{actions.show(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
