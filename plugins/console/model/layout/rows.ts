import type { Cell } from '../meta.js'

/** The rows of a form, on 12 columns. */
export type Rows = readonly (readonly Cell[])[]

export const columns = 12

export const cellAt = (rows: Rows, name: string) => {
  const row = rows.findIndex(cells => cells.some(cell => cell.name === name))
  const at = rows[row]?.findIndex(cell => cell.name === name) ?? -1
  const cell = rows[row]?.[at]
  return cell && { row, at, cell }
}

/** Rows with another width of a field; what has no place in its row any more goes into the next one. */
export const resized = (rows: Rows, name: string, size: number): Rows =>
  fitted(rows.map(cells => cells.map(cell => (cell.name === name ? { ...cell, size } : cell))))

/** Rows without a field. */
export const withoutCell = (rows: Rows, name: string): Rows =>
  fitted(rows.map(cells => cells.filter(cell => cell.name !== name)))

/** Rows with a further field at their end. */
export function withCell(rows: Rows, cell: Cell): Rows {
  const last = rows.at(-1) ?? []
  return widthOf(last) + cell.size <= columns ? [...rows.slice(0, -1), [...last, cell]] : [...rows, [cell]]
}

/** A place in the form: before a field of a row, or in a row of its own before another one. */
export interface CellPlace {
  readonly row: number
  /** Absent for a row of its own. */
  readonly at?: number
}

/** Rows with a field at another place; the numbers of rows are those before. */
export function movedCell(rows: Rows, name: string, { row, at }: CellPlace): Rows {
  const from = cellAt(rows, name)
  if (!from) return rows
  const left = rows.map(cells => cells.filter(cell => cell.name !== name))
  if (at === undefined) return fitted(left.toSpliced(row, 0, [from.cell]))
  const isBefore = from.row === row && from.at < at
  const target = left[row] ?? []
  return fitted(left.with(Math.min(row, left.length - 1), target.toSpliced(isBefore ? at - 1 : at, 0, from.cell)))
}

/** Rows with a field one step on: within its row, and over its edge into the row beside it. */
export function stepped(rows: Rows, name: string, step: 'before' | 'after'): Rows {
  const from = cellAt(rows, name)
  if (!from) return rows
  const { row, at } = from
  const isEdge = step === 'before' ? at === 0 : at === (rows[row]?.length ?? 0) - 1
  if (!isEdge) return movedCell(rows, name, { row, at: step === 'before' ? at - 1 : at + 2 })
  const isAlone = rows[row]?.length === 1
  const beside = step === 'before' ? row - 1 : row + 1
  // From a row that it shares, it goes into one of its own first.
  if (!isAlone) return movedCell(rows, name, { row: step === 'before' ? row : row + 1 })
  const next = rows[beside]
  if (!next) return rows
  // It goes past a row that has no place for it.
  if (widthOf(next) + from.cell.size > columns)
    return movedCell(rows, name, { row: step === 'before' ? beside : beside + 1 })
  return movedCell(rows, name, { row: beside, at: step === 'before' ? next.length : 0 })
}

const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, { size }) => sum + size, 0)

/** Each row split where it is too wide; empty ones are left out. */
function fitted(rows: Rows): Rows {
  return rows.flatMap(cells => {
    const parts: Cell[][] = [[]]
    for (const cell of cells) {
      const last = parts.at(-1) as Cell[]
      if (widthOf(last) + cell.size > columns) parts.push([cell])
      else last.push(cell)
    }
    return parts.filter(part => part.length > 0)
  })
}
