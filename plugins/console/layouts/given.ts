import type { AttributeInfo, Cell, FieldLayout, LayoutSettings } from '../model/meta.js'
import { columns } from './defaults.js'

type Values = Readonly<Record<string, unknown>>

/** A layout as Strapi 4 stores it; there may be more in it than is understood here. */
export interface StoredLayout {
  readonly settings?: unknown
  readonly metadatas?: unknown
  readonly layouts?: unknown
  readonly [other: string]: unknown
}

/** The parts of a layout that a request or `config/console` sets; all others stay as they are. */
export interface LayoutChange {
  readonly settings?: Partial<LayoutSettings>
  readonly list?: readonly string[]
  readonly edit?: readonly (readonly Cell[])[]
  readonly fields?: Readonly<Record<string, Partial<FieldLayout>>>
}

/** The longest page of a list. */
export const maxPageSize = 100

/** A layout as the database or code gives it, before anything of it was looked at. */
export interface GivenLayout {
  readonly settings: Values
  readonly list: unknown
  readonly edit: unknown
  /** By attribute, in the words of `FieldLayout`. */
  readonly fields: Readonly<Record<string, Values>>
  readonly source: 'default' | 'stored' | 'declared'
}

export const nothingGiven: GivenLayout = {
  settings: {},
  list: undefined,
  edit: undefined,
  fields: {},
  source: 'default',
}

/** A layout as it is stored, in the words of the page. */
export function givenBy({ settings, metadatas, layouts }: StoredLayout): GivenLayout {
  const fields = Object.entries(objectOf(metadatas)).map(([name, of]) => {
    const { edit, list } = objectOf(of)
    const { label: listLabel, searchable, sortable } = objectOf(list)
    return [name, { ...objectOf(edit), listLabel, searchable, sortable }] as const
  })
  const { list, edit } = objectOf(layouts)
  return { settings: objectOf(settings), list, edit, fields: Object.fromEntries(fields), source: 'stored' }
}

export const objectOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

/** The name in a cell of a form; one of the usual width may be the name alone. */
export const nameIn = (cell: unknown): string | undefined => {
  const name = typeof cell === 'string' ? cell : objectOf(cell).name
  return typeof name === 'string' ? name : undefined
}

export function sizeIn(cell: unknown): number | undefined {
  const { size } = objectOf(cell)
  return Number.isInteger(size) && Number(size) > 0 && Number(size) <= columns ? Number(size) : undefined
}

/** The names of fields among attributes. */
export const fieldsIn = (attributes: readonly AttributeInfo[] = []): readonly string[] =>
  attributes.filter(({ kind }) => kind === 'field').map(({ name }) => name)
