import type { ComponentChildren } from 'preact'
import { t } from '../text.js'

interface ComparisonTableProps {
  readonly label: string
  /** The heads of the columns behind that of the field. */
  readonly columns: readonly string[]
  readonly children: ComponentChildren
}

/** A table with a row for each field. */
export const ComparisonTable = ({ label, columns, children }: ComparisonTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys, too
  <section class="table-place" aria-label={label} tabIndex={0}>
    <table class="comparison" aria-label={label}>
      <thead>
        <tr>
          {[t('conflict.field'), ...columns].map((column, index) => (
            <th key={index} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)
