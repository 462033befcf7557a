import type { AppOptions } from '../app.js'
import type { Io } from '../io.js'

/** Options of every listing. */
export interface ListOptions extends AppOptions {
  readonly json?: true
}

type Row = Readonly<Record<string, unknown>>

/** Prints a list: as JSON for programs, or as a table for people, with the columns that `brief` leaves. */
export function printList<T extends Row>(
  rows: readonly T[],
  { json }: ListOptions,
  { stdout }: Io,
  brief: (row: T) => Row,
): void {
  stdout.write(json ? `${JSON.stringify(rows)}\n` : textTable(rows.map(brief)))
}

/** Rows as aligned columns under their names, for people. */
export function textTable(rows: readonly Row[]): string {
  const [first] = rows
  if (!first) return 'none\n'
  const names = Object.keys(first)
  const lines = [names, ...rows.map(row => names.map(name => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map(line => (line[column] as string).length)))
  return lines
    .map(line => `${line.map((text, column) => text.padEnd(widths[column] as number)).join('  ')}`.trimEnd())
    .map(line => `${line}\n`)
    .join('')
}

function cell(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ') || '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
