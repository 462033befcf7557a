import type { Bag, Loose } from '../../types.js'
import { type Access, mayFollow } from './access.js'
import { getNonWritableAttributes, isMorphTo, type Model } from './content-types.js'
import { isPlain } from './traverse-entity.js'

/** The data of a write without what clients may not set: what the server sets, and links to types that the caller may not find. */
export function cleanInput(data: Loose, model: Model, access: Access): Loose {
  if (Array.isArray(data)) return data.map(one => cleanInput(one, model, access))
  if (data === null || data === undefined) return {}
  if (!isPlain(data)) return data
  const fixed = new Set(getNonWritableAttributes(model))
  const kept = Object.fromEntries(Object.entries(data).filter(([key]) => !fixed.has(key)))
  return linked(kept, model, access)
}

/** The same data without relations that the caller may not follow, in components too. */
function linked(data: Loose, model: Model | undefined, access: Access): Loose {
  if (!isPlain(data) || !model) return data
  const copy: Bag = {}
  for (const [key, value] of Object.entries(data)) {
    const attribute = model.attributes[key]
    if (attribute?.type === 'relation') {
      const kept = isMorphTo(attribute)
        ? morphs(value, access)
        : mayFollow(access, attribute.target)
          ? value
          : undefined
      if (kept !== undefined) copy[key] = kept
    } else if (attribute?.type === 'component') copy[key] = each(value, access, () => attribute.component)
    else if (attribute?.type === 'dynamiczone') copy[key] = each(value, access, one => one?.__component)
    else copy[key] = value
  }
  return copy
}

const each = (value: Loose, access: Access, uidOf: (one: Loose) => string): Loose =>
  Array.isArray(value)
    ? value.map(one => linked(one, access.getModel(uidOf(one)), access))
    : linked(value, access.getModel(uidOf(value)), access)

/** Links to entries of any type name the type of each. */
function morphs(value: Loose, access: Access): Loose {
  const follows = (one: Loose) => !isPlain(one) || one.__type === undefined || mayFollow(access, one.__type)
  if (Array.isArray(value)) return value.filter(follows)
  return follows(value) ? value : undefined
}
