import type { AttributeInfo, LinkInfo } from '../../../pages/values/attributes.js'
import type { Query } from '../../../pages/values/query-text.js'
import type { Kind, Kinds } from '../form/kinds.js'
import type { Values } from '../form/plain.js'
import type { TypeMeta } from '../meta.js'
import type { SortState } from './view.js'

/** A column of a list: an attribute, or one of those that the page makes itself. */
export interface Column {
  readonly name: string
  readonly kind: 'attribute' | 'languages' | 'state'
  readonly label: string
  readonly attribute?: AttributeInfo
  /** The name that a sort by it has; absent where it cannot be sorted. */
  readonly sort?: string
}

/** Columns beside those of the layout: their names are no attributes. */
export const languagesColumn = '@languages'
export const stateColumn = '@state'

const idAttribute: AttributeInfo = {
  ...{ kind: 'field', name: 'id', type: 'id', family: 'order', readable: true, writable: false },
}

/** All columns that a list of a type may have, those of its layout first. */
export function possibleColumns(kinds: Kinds, type: TypeMeta): readonly Column[] {
  const rest = ['id', ...type.attributes.filter(isListed).map(({ name }) => name)]
  const names = [...new Set([...type.layout.list, ...rest])]
  return names.flatMap(name => columnOf(kinds, type, name) ?? [])
}

/** The columns of a list: those that the editor has chosen, else those of the layout. */
export function columnsOf(kinds: Kinds, type: TypeMeta, chosen = usualColumns(type)): readonly Column[] {
  const names = [...new Set(chosen)].flatMap(name => columnOf(kinds, type, name) ?? [])
  const { mainField } = type.layout.settings
  // The title leads to the entry, so that it is in every list.
  if (names.some(({ name }) => name === mainField)) return names
  const title = columnOf(kinds, type, mainField)
  return title ? [title, ...names] : names
}

/** The columns before an editor changes them. */
export const usualColumns = ({ layout, options }: TypeMeta): readonly string[] => [
  ...layout.list,
  ...(options.localized ? [languagesColumn] : []),
  ...(options.drafts ? [stateColumn] : []),
]

function columnOf(kinds: Kinds, type: TypeMeta, name: string): Column | undefined {
  if (name === languagesColumn) return type.options.localized ? { name, kind: 'languages', label: '' } : undefined
  if (name === stateColumn) return type.options.drafts ? { name, kind: 'state', label: '' } : undefined
  const attribute = name === 'id' ? idAttribute : type.attributes.find(one => one.name === name)
  if (!attribute?.readable || attribute.type === 'password') return undefined
  const layout = type.layout.fields[name]
  const sort = layout?.sortable === false ? undefined : sortName(kinds, type, attribute)
  return { name, kind: 'attribute', label: layout?.listLabel ?? name, attribute, ...(sort !== undefined && { sort }) }
}

const isListed = ({ readable, type, name }: AttributeInfo): boolean =>
  readable && !['password', 'richtext', 'blocks'].includes(type) && !['locale', 'localizations'].includes(name)

const unsorted = ['json', 'array', 'blocks', 'richtext']

function sortName(kinds: Kinds, type: TypeMeta, attribute: AttributeInfo): string | undefined {
  const { name } = attribute
  if (attribute.kind === 'field') return unsorted.includes(attribute.type) ? undefined : name
  if (attribute.many || !attribute.followed || attribute.embedded) return undefined
  return `${name}.${titleField(kinds, type, attribute)}`
}

/** The field that names the entries behind a link. */
function titleField(kinds: Kinds, holder: Kind, link: LinkInfo): string {
  const target = kinds.type(link.targets?.[0])
  const wanted = [holder.layout.fields[link.name]?.mainField, target?.layout.settings.mainField]
  const known = kinds.titleFields(link, holder)
  return wanted.find(name => name !== undefined && known.includes(name)) ?? 'id'
}

/** The title of an entry behind a link. */
export function linkedTitle(kinds: Kinds, holder: Kind, link: LinkInfo, entry: Values): string {
  const uid = String(entry.__type ?? link.targets?.[0] ?? '')
  const names = uid === 'admin::user' ? [entry.firstname, entry.lastname] : [entry[titleField(kinds, holder, link)]]
  return names.filter(name => name !== null && name !== undefined && name !== '').join(' ') || `#${entry.id}`
}

/** The sort of a request; the id decides between equal values. */
export function sortQuery(columns: readonly Column[], sort: SortState | undefined): readonly string[] {
  const column = columns.find(({ name }) => name === sort?.name)
  return column?.sort === undefined ? [] : [`${column.sort}:${sort?.isDescending ? 'desc' : 'asc'}`]
}

/** Entries of a relation that are read for a cell: two are shown, and the number of the others. */
export const shownLinks = 2
export const readLinks = 12

/** The query of a request for the columns of a list. */
export function columnsQuery(
  kinds: Kinds,
  type: TypeMeta,
  columns: readonly Column[],
  links: 'first links' | 'all links' = 'first links',
): Query {
  const has = (name: string) => type.attributes.some(one => one.kind === 'field' && one.name === name && one.readable)
  const fields = columns.flatMap(({ attribute }) => (attribute?.kind === 'field' ? [attribute.name] : []))
  const besides = ['publishedAt', 'publishAt', 'locale', 'updatedAt', type.layout.settings.mainField].filter(has)
  const populate = columns.flatMap(({ kind, attribute }) => {
    if (kind === 'languages')
      return has('locale') ? [['localizations', { fields: ['locale', 'publishedAt'].filter(has) }]] : []
    return attribute?.kind === 'link' ? [[attribute.name, linkQuery(kinds, type, attribute, links)]] : []
  })
  return {
    fields: [...new Set(['id', ...fields, ...besides])],
    ...(populate.length > 0 && { populate: Object.fromEntries(populate) }),
  }
}

function linkQuery(kinds: Kinds, type: TypeMeta, link: LinkInfo, links: 'first links' | 'all links'): unknown {
  const { targets, many, embedded, shape } = link
  if (embedded || shape === 'zone' || targets?.length !== 1) return true
  if (link.type === 'media') {
    const file = kinds.type(targets[0])
    const known = ['name', 'url', 'mime', 'formats', 'alternativeText'].filter(name =>
      file?.attributes.some(one => one.name === name && one.readable),
    )
    return known.length > 0 ? { fields: known } : true
  }
  const fields = ['id', ...kinds.titleFields(link, type)]
  return { fields, ...(many && links === 'first links' && kinds.dialect.pagingInPopulate && { limit: readLinks }) }
}
