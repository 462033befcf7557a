import type { Bag, Loose } from '../../types.js'
import { type Access, mayFollow } from './access.js'
import { isMorphTo, isPrivateAttribute, type Model } from './content-types.js'
import { type Found, lookUp, walkFields, walkFilters, walkSort } from './query-walk.js'
import { isPlain } from './traverse-entity.js'

const leaveOut = () => undefined

export const cleanFilters = (filters: Loose, model: Model, access: Access): Loose =>
  walkFilters(filters, model, access, leaveOut)

export const cleanSort = (sort: Loose, model: Model, access: Access): Loose => walkSort(sort, model, access, leaveOut)

/** Private columns stay: they are read, and taken out of the response. */
export const cleanFields = (fields: Loose, model: Model): Loose =>
  walkFields(fields, name => name === 'id' || (model.attributes[name] ?? { type: 'password' }).type !== 'password')

/** A query without what the caller may not use in it; parameters that are not known here stay. */
export function cleanQuery(query: Loose, model: Model, access: Access): Loose {
  if (!isPlain(query)) return query
  const kept: Bag = { ...query }
  const parts = {
    filters: (value: Loose) => cleanFilters(value, model, access),
    sort: (value: Loose) => cleanSort(value, model, access),
    fields: (value: Loose) => cleanFields(value, model),
    populate: (value: Loose) => cleanPopulate(value, model, access),
  }
  for (const [name, clean] of Object.entries(parts)) {
    if (query[name] === undefined) continue
    const value = clean(query[name])
    if (value === undefined || value === '') delete kept[name]
    else kept[name] = value
  }
  return kept
}

/** The populated relations, in the form in which they were given. */
export function cleanPopulate(populate: Loose, model: Model | undefined, access: Access): Loose {
  if (!model) return populate
  if (typeof populate === 'string') return ofText(populate, model, access)
  if (Array.isArray(populate))
    return populate.map(one => cleanPopulate(one, model, access)).filter(one => one !== undefined)
  if (!isPlain(populate)) return populate
  const kept: Bag = {}
  for (const [key, value] of Object.entries(populate)) {
    if (key === '*') kept[key] = value
    else if (/^\d+$/.test(key)) {
      const one = cleanPopulate(value, model, access)
      if (one !== undefined) kept[key] = one
    } else {
      const found = lookUp(key, model, access)
      // A name of nothing stays: the database layer leaves it out, and plugins that listen read their words there.
      if (isUnknown(found)) kept[key] = value
      else if (found.kind === 'link') kept[key] = nested(value, found.attribute, found.model, access)
    }
  }
  return kept
}

/** `*` is all that the caller may follow. */
function ofText(populate: string, model: Model, access: Access): Loose {
  if (populate === '*') {
    const names = linkNames(model)
    const followed = names.filter(name => lookUp(name, model, access).kind === 'link')
    if (followed.length === names.length) return populate
    return followed.length === 0 ? undefined : Object.fromEntries(followed.map(name => [name, true]))
  }
  const paths = populate.split(',').filter(path => isFollowed(path.trim(), model, access))
  return paths.length === 0 ? undefined : paths.join(',')
}

const isUnknown = (found: Found): boolean => found.kind === 'refused' && found.why === 'unknown'

const linkTypes: readonly string[] = ['relation', 'media', 'component', 'dynamiczone']

/** Creators that stay private are no links of responses. */
const linkNames = (model: Model): string[] =>
  Object.keys(model.attributes).filter(
    name => linkTypes.includes(model.attributes[name]?.type) && !isPrivateAttribute(model, name),
  )

/** `tags.items`: each name on the way leads on. */
function isFollowed(path: string, model: Model, access: Access): boolean {
  let at: Model | undefined = model
  for (const name of path.split('.')) {
    if (!at || name === '*') return true
    const found = lookUp(name, at, access)
    if (found.kind !== 'link') return isUnknown(found)
    at = found.model
  }
  return true
}

/** Every other text populates. */
const no: readonly string[] = ['false', 'f', '0', '']

/** The query behind a relation; that of a zone or of a relation to any type is asked for each type. */
function nested(value: Loose, attribute: Bag, model: Model | undefined, access: Access): Loose {
  if (typeof value === 'string') return no.includes(value) ? undefined : true
  if (!isPlain(value)) return value
  const on = isPlain(value.on) ? byType(value.on, access, isMorphTo(attribute)) : undefined
  if (!model) return on === undefined ? value : { ...value, on }
  return { ...cleanQuery(value, model, access), ...(on !== undefined && { on }) }
}

function byType(on: Bag, access: Access, isRelation: boolean): Bag {
  const kept: Bag = {}
  for (const [uid, value] of Object.entries(on)) {
    const model = access.getModel(uid)
    if (model && (!isRelation || mayFollow(access, uid))) kept[uid] = cleanQuery(value, model, access)
  }
  return kept
}
