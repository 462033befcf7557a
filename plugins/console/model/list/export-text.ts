import type { Kinds } from '../form/kinds.js'
import { entriesAt } from '../form/read.js'
import type { LinkInfo, TypeMeta } from '../meta.js'
import { type Column, linkedTitle } from './columns.js'
import { stateOf } from './entry-state.js'
import type { Row } from './page.js'

export type ExportFormat = 'csv' | 'json'

interface ExportedColumn {
  readonly column: Column
  /** The head of the column. */
  readonly label: string
}

/** The text of a file with entries, made piece by piece. */
export class ExportText {
  readonly #kinds: Kinds
  readonly #type: TypeMeta
  readonly #columns: readonly ExportedColumn[]
  readonly #format: ExportFormat
  #isBegun = false

  constructor(kinds: Kinds, type: TypeMeta, columns: readonly ExportedColumn[], format: ExportFormat) {
    this.#kinds = kinds
    this.#type = type
    this.#columns = columns
    this.#format = format
  }

  /** The start of the file; spreadsheets know by its first sign that the text is UTF-8. */
  get start(): string {
    return this.#format === 'json' ? '[' : `\ufeff${lineOf(this.#columns.map(({ label }) => defused(label)))}`
  }

  /** More entries. */
  rows(rows: readonly Row[]): string {
    return rows.map(row => this.#row(row)).join('')
  }

  get end(): string {
    return this.#format === 'json' ? '\n]\n' : ''
  }

  #row(row: Row): string {
    const values = this.#columns.map(({ column }) => this.#value(column, row))
    if (this.#format === 'csv') return lineOf(values.map(textOf))
    const lead = this.#isBegun ? ',\n' : '\n'
    this.#isBegun = true
    const entry = Object.fromEntries(this.#columns.map(({ column }, index) => [column.name, values[index] ?? null]))
    return lead + JSON.stringify(entry)
  }

  #value({ kind, attribute }: Column, { values }: Row): unknown {
    if (kind === 'state') return stateOf(values)
    if (kind === 'languages')
      return [values, ...entriesAt(values.localizations)].map(({ locale }) => locale).filter(Boolean)
    if (!attribute) return undefined
    const value = values[attribute.name]
    return attribute.kind === 'field' || attribute.embedded ? value : this.#links(attribute, value)
  }

  /** Files by their addresses, and other entries by their titles. */
  #links(link: LinkInfo, value: unknown): unknown {
    const entries = entriesAt(value).map(entry =>
      link.type === 'media'
        ? new Named({ id: entry.id, name: entry.name, url: entry.url }, String(entry.url ?? entry.name))
        : new Named({ id: entry.id, title: linkedTitle(this.#kinds, this.#type, link, entry) }),
    )
    return link.many ? entries : entries[0]
  }
}

/** An entry behind a link: an object in JSON, and a text in a cell of a table. */
class Named {
  readonly #entry: Readonly<Record<string, unknown>>
  readonly text: string

  constructor(entry: Readonly<Record<string, unknown>>, text = String(entry.title)) {
    this.#entry = entry
    this.text = text
  }

  toJSON(): unknown {
    return this.#entry
  }
}

const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

const cellOf = (text: string): string => (/[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Named) return defused(value.text)
  if (Array.isArray(value) && value.every(one => one instanceof Named || typeof one === 'string'))
    return defused(value.map(one => (one instanceof Named ? one.text : one)).join(', '))
  return defused(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Spreadsheets run a cell that begins like a formula: an apostrophe before it keeps it a text. */
const defused = (text: string): string =>
  /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
    ? `'${text}`
    : text
