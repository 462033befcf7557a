import type { AttributeInfo, Cell, FieldLayout, Layout, LayoutSettings } from '../model/meta.js'
import {
  defaultField,
  defaultList,
  defaultSettings,
  formOf,
  idField,
  type LaidOutType,
  rowsOf,
  sizeOf,
  type Targets,
  targetOf,
} from './defaults.js'
import { type GivenLayout, type LayoutChange, maxPageSize, nameIn, objectOf, sizeIn } from './given.js'

/** The layout of a type: as given, as far as it fits to the attributes that the type has now; the rest as by default. */
export function layoutOf(type: LaidOutType, given: GivenLayout, targets: Targets): Layout {
  const known = new Map(type.attributes.map(attribute => [attribute.name, attribute]))
  return {
    settings: settingsOf(type, given.settings),
    list: listOf(given.list, known) ?? defaultList(type),
    edit: editOf(type, given, known),
    fields: Object.fromEntries([
      ['id', fieldOf(idField, given.fields.id, [])],
      ...type.attributes.map(attribute => {
        const { name } = attribute
        const said = Object.hasOwn(given.fields, name) ? given.fields[name] : undefined
        const target = targetOf(attribute)
        const names = target === undefined ? [] : ['id', ...targets.fields(target)]
        return [name, fieldOf(defaultField(attribute, targets), said, names)]
      }),
    ]),
    isStored: given.source === 'stored',
    isDeclared: given.source === 'declared',
  }
}

/** A layout with a change. */
export const applied = (layout: Layout, { settings, list, edit, fields = {} }: LayoutChange): Layout => ({
  ...layout,
  settings: { ...layout.settings, ...settings },
  ...(list && { list }),
  ...(edit && { edit }),
  fields: Object.fromEntries(
    Object.entries(layout.fields).map(([name, field]) => [
      name,
      Object.hasOwn(fields, name) ? { ...field, ...fields[name] } : field,
    ]),
  ),
})

/** The field that names an entry of a type. */
export const titleOf = (type: LaidOutType, { settings }: GivenLayout): string => settingsOf(type, settings).mainField

type Known = ReadonlyMap<string, AttributeInfo>

function settingsOf(type: LaidOutType, given: GivenLayout['settings']): LayoutSettings {
  const usual = defaultSettings(type)
  const isField = (name: unknown) =>
    name === 'id' || type.attributes.some(one => one.name === name && one.kind === 'field')
  const mainField = isField(given.mainField) ? String(given.mainField) : usual.mainField
  const { pageSize, defaultSortOrder } = given
  const isSize = Number.isInteger(pageSize) && Number(pageSize) > 0 && Number(pageSize) <= maxPageSize
  return {
    bulkable: truth(given.bulkable, usual.bulkable),
    filterable: truth(given.filterable, usual.filterable),
    searchable: truth(given.searchable, usual.searchable),
    pageSize: isSize ? Number(pageSize) : usual.pageSize,
    mainField,
    defaultSortBy: isField(given.defaultSortBy) ? String(given.defaultSortBy) : mainField,
    defaultSortOrder: defaultSortOrder === 'ASC' || defaultSortOrder === 'DESC' ? defaultSortOrder : 'ASC',
  }
}

function listOf(given: unknown, known: Known): readonly string[] | undefined {
  if (!Array.isArray(given)) return undefined
  return [...new Set(given.filter(name => name === 'id' || known.has(name)))]
}

/** The rows of the form. Attributes that a stored layout does not know yet come last; one that it knows was left out. */
function editOf(type: LaidOutType, given: GivenLayout, known: Known): Layout['edit'] {
  if (!Array.isArray(given.edit)) return rowsOf(formOf(type))
  const seen = new Set<string>()
  const rows = given.edit.filter(Array.isArray).map(row =>
    (row as readonly unknown[]).flatMap((cell): Cell[] => {
      const name = nameIn(cell)
      const attribute = name === undefined ? undefined : known.get(name)
      if (!attribute || seen.has(attribute.name)) return []
      seen.add(attribute.name)
      return [{ name: attribute.name, size: sizeIn(cell) ?? sizeOf(attribute) }]
    }),
  )
  const isNew = ({ name }: Cell) => !seen.has(name) && !Object.hasOwn(given.fields, name)
  const added = given.source === 'stored' ? formOf(type).filter(isNew) : []
  return [...rows, added].flatMap(rowsOf)
}

/** `names` are the fields that may name the entries behind a relation. */
function fieldOf(usual: FieldLayout, given: unknown, names: readonly string[]): FieldLayout {
  const said = objectOf(given)
  const label = text(said.label) ?? usual.label
  const [description, placeholder] = [text(said.description), text(said.placeholder)]
  const mainField = names.find(name => name === said.mainField) ?? usual.mainField
  return {
    label,
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    visible: truth(said.visible, usual.visible),
    editable: truth(said.editable, usual.editable),
    ...(mainField !== undefined && { mainField }),
    listLabel: text(said.listLabel) ?? label,
    searchable: truth(said.searchable, usual.searchable),
    sortable: truth(said.sortable, usual.sortable),
  }
}

const truth = (value: unknown, usual: boolean): boolean => (typeof value === 'boolean' ? value : usual)
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
