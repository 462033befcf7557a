import type { AttributeInfo, Cell, FieldLayout, LayoutSettings } from '../model/meta.js'

/** A type or component as layouts see it: its attributes, those of the schema file first and in its order. */
export interface LaidOutType {
  readonly uid: string
  readonly attributes: readonly AttributeInfo[]
}

/** The types behind relations, as far as layouts name their entries. */
export interface Targets {
  /** The field that names an entry. */
  title(uid: string): string
  /** The fields that may. */
  fields(uid: string): readonly string[]
}

/** The type of which a relation names entries; of several, and of components, none. */
export const targetOf = (attribute: AttributeInfo): string | undefined =>
  attribute.kind === 'link' && !attribute.embedded && attribute.targets?.length === 1 ? attribute.targets[0] : undefined

/** The width of a form, and of its rows. */
export const columns = 12

const wide = ['richtext', 'blocks', 'json', 'component', 'dynamiczone']
const narrow = ['integer', 'biginteger', 'float', 'decimal', 'boolean', 'date', 'time']

export const sizeOf = ({ type }: AttributeInfo): number =>
  wide.includes(type) ? columns : narrow.includes(type) ? 4 : 6

/** The first text that can name an entry, as Strapi 4 chooses it. */
export const mainFieldOf = ({ attributes }: LaidOutType): string =>
  attributes.find(({ type, added, private: isPrivate }) => type === 'string' && !added && !isPrivate)?.name ?? 'id'

export const defaultSettings = (type: LaidOutType): LayoutSettings => {
  const mainField = mainFieldOf(type)
  return {
    ...{ bulkable: true, filterable: true, searchable: true, pageSize: 25 },
    ...{ mainField, defaultSortBy: mainField, defaultSortOrder: 'ASC' },
  }
}

/** Values that are short enough for a column of a table. */
const isSimple = ({ kind, type }: AttributeInfo): boolean =>
  kind === 'field' && !['richtext', 'blocks', 'json', 'array', 'password'].includes(type)

/** The id and three fields. */
export const defaultList = ({ attributes }: LaidOutType): readonly string[] => [
  'id',
  ...attributes
    .filter(attribute => !attribute.added && attribute.readable && isSimple(attribute))
    .slice(0, 3)
    .map(({ name }) => name),
]

/** The attributes of the schema file: those of the server and of plugins have other places in the page. */
export const formOf = ({ attributes }: LaidOutType): readonly Cell[] =>
  attributes.filter(({ added }) => !added).map(attribute => ({ name: attribute.name, size: sizeOf(attribute) }))

/** Cells in rows that are as full as they can be in this order. */
export function rowsOf(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const rows: Cell[][] = []
  let left = 0
  for (const cell of cells) {
    if (cell.size > left) {
      rows.push([])
      left = columns
    }
    rows.at(-1)?.push(cell)
    left -= cell.size
  }
  return rows
}

/** The layout of an attribute of which nothing is said. */
export function defaultField(attribute: AttributeInfo, targets: Targets): FieldLayout {
  const { name, kind, added } = attribute
  const target = targetOf(attribute)
  const isListed = kind === 'field' ? isSimple(attribute) : !attribute.many && attribute.followed && !attribute.embedded
  return {
    ...{ label: name, visible: !added, editable: true },
    ...(target !== undefined && { mainField: targets.title(target) }),
    ...{ listLabel: name, searchable: isListed, sortable: isListed },
  }
}

export const idField: FieldLayout = {
  ...{ label: 'id', visible: false, editable: false },
  ...{ listLabel: 'id', searchable: true, sortable: true },
}
