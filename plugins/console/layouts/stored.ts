import type { Layout } from '../model/meta.js'
import type { LaidOutType } from './defaults.js'
import { type LayoutChange, nameIn, objectOf, type StoredLayout } from './given.js'

/** The keys of all layouts begin with it. */
export const keyStart = 'plugin_content_manager_configuration_'

/** The key under which Strapi 4 stores the layout of a type or a component. */
export const keyOf = (uid: string, isComponent: boolean): string =>
  `${keyStart}${isComponent ? 'components' : 'content_types'}::${uid}`

/** Undefined for a text that is no layout: the type has the one by default. */
export function readStored(text: unknown): StoredLayout | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * The layout to be stored for a change of it: what the change does not name is as it was, also where it is not understood here,
 * such as attributes that only Strapi serves.
 */
export function changedLayout(
  type: LaidOutType & { readonly isComponent: boolean },
  before: StoredLayout | undefined,
  now: Layout,
  change: LayoutChange,
): StoredLayout {
  const known = new Set(['id', ...type.attributes.map(({ name }) => name)])
  const settings = before ? change.settings : now.settings
  const layouts = objectOf(before?.layouts)
  return {
    ...before,
    settings: { ...objectOf(before?.settings), ...settings },
    metadatas: metadatasOf(type, objectOf(before?.metadatas), now, change),
    layouts: {
      ...layouts,
      list: change.list || !Array.isArray(layouts.list) ? [...now.list, ...strange(layouts.list, known)] : layouts.list,
      edit:
        change.edit || !Array.isArray(layouts.edit) ? [...now.edit, ...strangeRows(layouts.edit, known)] : layouts.edit,
    },
    uid: type.uid,
    ...(type.isComponent && { isComponent: true }),
  }
}

/** The attributes that Strapi 4 lists beside those of the schema file. */
const common = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']

function metadatasOf(
  { attributes }: LaidOutType,
  before: Readonly<Record<string, unknown>>,
  now: Layout,
  { fields = {} }: LayoutChange,
): Readonly<Record<string, unknown>> {
  const names = attributes.filter(({ name, added }) => !added || common.includes(name)).map(({ name }) => name)
  const missing = ['id', ...names].filter(name => !Object.hasOwn(before, name))
  const made = [...missing, ...Object.keys(fields)].map(name => [name, metadataOf(name, objectOf(before[name]), now)])
  return { ...before, ...Object.fromEntries(made) }
}

function metadataOf(name: string, before: Readonly<Record<string, unknown>>, { fields }: Layout) {
  const {
    label,
    description = '',
    placeholder = '',
    visible,
    editable,
    mainField,
    listLabel,
    ...list
  } = fields[name] as Layout['fields'][string]
  const { searchable, sortable } = list
  const edit = { label, description, placeholder, visible, editable, ...(mainField !== undefined && { mainField }) }
  return {
    ...before,
    edit: name === 'id' ? objectOf(before.edit) : { ...objectOf(before.edit), ...edit },
    list: { ...objectOf(before.list), label: listLabel, searchable, sortable },
  }
}

/** The columns of attributes that are not known here. */
const strange = (list: unknown, known: ReadonlySet<string>): readonly unknown[] =>
  Array.isArray(list) ? list.filter(name => !known.has(name)) : []

function strangeRows(rows: unknown, known: ReadonlySet<string>): readonly unknown[] {
  if (!Array.isArray(rows)) return []
  const isStrange = (cell: unknown) => !known.has(nameIn(cell) ?? '')
  return rows.map(row => (Array.isArray(row) ? row.filter(isStrange) : [])).filter(row => row.length > 0)
}
