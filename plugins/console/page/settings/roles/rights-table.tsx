import type { ComponentChildren } from 'preact'
import { type Right, rights } from '../../../model/roles/types.js'
import { t } from '../../text.js'

/** The head of a table with a column for each action on entries. */
export function RightsHead({ title }: { title: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{title}</th>
        {rights.map(right => (
          <th key={right} scope="col">
            {t(`roles.right.${right}`)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps {
  readonly class?: string
  readonly cell: (right: Right) => ComponentChildren
  /** The heading of the row. */
  readonly children: ComponentChildren
}

/** A row of such a table. */
export function RightsRow({ class: className, cell, children }: RowProps) {
  return (
    <tr>
      <th scope="row" class={className}>
        {children}
      </th>
      {rights.map(right => (
        <td key={right}>{cell(right)}</td>
      ))}
    </tr>
  )
}
