import type { AttributeInfo, Layout } from '../model/meta.js'
import { mainFieldOf } from './defaults.js'

/** The names that one caller may see entries by. */
export interface Names {
  /** The attributes that the caller may read or write. */
  attributes(uid: string): readonly AttributeInfo[]
  isReadable(uid: string, name: string): boolean
  /** The field that names an entry of a type. */
  title(uid: string): string
}

/** A layout with the attributes that a caller may read or write, where nothing is named by a field that stays hidden. */
export function cut(uid: string, layout: Layout, names: Names): Layout {
  const shown = new Map(names.attributes(uid).map(attribute => [attribute.name, attribute]))
  const isShown = (name: string) => name === 'id' || shown.has(name)
  const isReadable = (name: string) => names.isReadable(uid, name)
  const { settings } = layout
  const mainField = names.title(uid)
  const fields = Object.entries(layout.fields)
    .filter(([name]) => isShown(name))
    .map(([name, field]) => {
      const attribute = shown.get(name)
      const [target] = (attribute?.kind === 'link' && attribute.targets) || []
      if (field.mainField === undefined || target === undefined) return [name, field] as const
      const isKnown = names.isReadable(target, field.mainField)
      return [name, isKnown ? field : { ...field, mainField: names.title(target) }] as const
    })
  return {
    ...layout,
    settings: {
      ...settings,
      mainField,
      defaultSortBy: isReadable(settings.defaultSortBy) ? settings.defaultSortBy : mainField,
    },
    list: layout.list.filter(isReadable),
    edit: layout.edit.map(row => row.filter(({ name }) => isShown(name))).filter(row => row.length > 0),
    fields: Object.fromEntries(fields),
  }
}

/** Another field to name entries by, where the caller may not read the one that is chosen for it. */
export const titleAmong = (uid: string, mainField: string, attributes: readonly AttributeInfo[]): string => {
  const readable = attributes.filter(attribute => attribute.readable)
  const isThere = mainField === 'id' || readable.some(({ name }) => name === mainField)
  return isThere ? mainField : mainFieldOf({ uid, attributes: readable })
}
