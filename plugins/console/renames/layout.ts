import { nameIn, objectOf, type StoredLayout } from '../layouts/given.js'
import type { Renames } from './renames.js'

/** A stored layout with the present names of its type and its attributes. */
export function renamedLayout(layout: StoredLayout, uid: string, renames: Renames): StoredLayout {
  const { layouts, metadatas, settings, ...others } = layout
  const nameOf = (former: string) => renames.attribute(uid, former)
  const { list, edit, ...more } = objectOf(layouts)
  return {
    ...others,
    ...(settings !== undefined && { settings: withNames(settings, ['mainField', 'defaultSortBy'], nameOf) }),
    ...(metadatas !== undefined && { metadatas: metadatasOf(objectOf(metadatas), uid, renames) }),
    ...(layouts !== undefined && {
      layouts: {
        ...more,
        ...(list !== undefined && { list: Array.isArray(list) ? list.map(cell => cellOf(cell, nameOf)) : list }),
        ...(edit !== undefined && {
          edit: Array.isArray(edit)
            ? edit.map(row => (Array.isArray(row) ? row.map(cell => cellOf(cell, nameOf)) : row))
            : edit,
        }),
      },
    }),
    ...('uid' in others && { uid }),
  }
}

function metadatasOf(before: Readonly<Record<string, unknown>>, uid: string, renames: Renames) {
  const all = Object.entries(before).map(([former, of]) => {
    const name = renames.attribute(uid, former)
    const [target, ...more] = renames.targets(uid, name)
    const { edit, list, ...others } = objectOf(of)
    const labelled = (part: unknown) => withNames(part, ['label'], label => (label === former ? name : label))
    const titled =
      target === undefined || more.length > 0
        ? labelled(edit)
        : withNames(labelled(edit), ['mainField'], field => renames.attribute(target, field))
    return [
      name,
      { ...others, ...(edit !== undefined && { edit: titled }), ...(list !== undefined && { list: labelled(list) }) },
    ] as const
  })
  return Object.fromEntries(all)
}

function withNames(part: unknown, keys: readonly string[], nameOf: (former: string) => string) {
  const values = objectOf(part)
  if (values !== part) return part
  const named = keys.flatMap(key => {
    const value = values[key]
    return typeof value === 'string' ? [[key, nameOf(value)] as const] : []
  })
  return { ...values, ...Object.fromEntries(named) }
}

function cellOf(cell: unknown, nameOf: (former: string) => string): unknown {
  const former = nameIn(cell)
  if (former === undefined) return cell
  return typeof cell === 'string' ? nameOf(former) : { ...objectOf(cell), name: nameOf(former) }
}
