import type { Bag, Loose } from '../../types.js'
import { type Access, mayFollow } from './access.js'
import { isMorphTo, isPrivateAttribute, type Model } from './content-types.js'
import { isPlain } from './traverse-entity.js'

/** The part of a query in which a name stands. */
export type Part = 'filters' | 'sort' | 'fields' | 'populate'

/** The reason for which a name may not stand where it stands. */
export type Refusal = 'unknown' | 'private' | 'password' | 'relation' | 'zone'

/** Called with a name that may not be used: it throws, or returns and the name is left out. */
export type OnRefused = (name: string, why: Refusal, part: Part) => void

/** The part of a model behind a name of a query. */
export type Found =
  | { readonly kind: 'value' }
  | { readonly kind: 'link'; readonly model: Model | undefined; readonly attribute: Bag }
  | { readonly kind: 'refused'; readonly why: Refusal }

/** Looks a name of a query up. */
export function lookUp(name: string, model: Model, access: Access): Found {
  if (name === 'id') return { kind: 'value' }
  const attribute = Object.hasOwn(model.attributes, name) ? model.attributes[name] : undefined
  if (!attribute) return { kind: 'refused', why: 'unknown' }
  if (attribute.type === 'password') return { kind: 'refused', why: 'password' }
  if (isPrivateAttribute(model, name)) return { kind: 'refused', why: 'private' }
  const { getModel } = access
  const link = (uid: string): Found => ({ kind: 'link', model: getModel(uid), attribute })
  switch (attribute.type) {
    case 'relation':
      if (isMorphTo(attribute)) return { kind: 'link', model: undefined, attribute }
      return mayFollow(access, attribute.target) ? link(attribute.target) : { kind: 'refused', why: 'relation' }
    case 'media':
      return link('plugin::upload.file')
    case 'component':
      return link(attribute.component)
    case 'dynamiczone':
      return { kind: 'link', model: undefined, attribute }
    default:
      return { kind: 'value' }
  }
}

const groups: readonly string[] = ['$and', '$or', '$not']
const operators: readonly string[] = [
  ...groups,
  ...['$eq', '$eqi', '$ne', '$nei', '$in', '$notIn', '$lt', '$lte', '$gt', '$gte', '$between', '$null', '$notNull'],
  ...[
    '$contains',
    '$containsi',
    '$notContains',
    '$notContainsi',
    '$startsWith',
    '$startsWithi',
    '$endsWith',
    '$endsWithi',
  ],
]

/** The filters of a query as far as their names may be used. */
export function walkFilters(filters: Loose, model: Model, access: Access, refuse: OnRefused): Loose {
  if (Array.isArray(filters)) return filters.map(one => walkFilters(one, model, access, refuse))
  if (!isPlain(filters)) return filters
  const kept: Bag = {}
  for (const [key, value] of Object.entries(filters)) {
    const found = foundIn(key, model, access)
    if (found === 'group') kept[key] = walkFilters(value, model, access, refuse)
    else if (found === 'operator' || found.kind === 'value') kept[key] = value
    else if (found.kind === 'refused') refuse(key, found.why, 'filters')
    else if (!found.model) refuse(key, 'zone', 'filters')
    else kept[key] = walkFilters(value, found.model, access, refuse)
  }
  return kept
}

/** A key of filters: conditions, an operator, or a name. */
function foundIn(key: string, model: Model, access: Access): Found | 'group' | 'operator' {
  // A list comes as an object where its indexes are too large for the parser of a query.
  if (groups.includes(key) || /^\d+$/.test(key)) return 'group'
  if (operators.includes(key)) return 'operator'
  return key.startsWith('$') ? unknown : lookUp(key, model, access)
}

const unknown: Found = { kind: 'refused', why: 'unknown' }

/** The order of a query, in the form in which it was given. */
export function walkSort(sort: Loose, model: Model, access: Access, refuse: OnRefused): Loose {
  if (typeof sort === 'string') {
    const terms = sort.split(',').filter(term => isSortable(term, model, access, refuse))
    return terms.length === 0 ? undefined : terms.join(',')
  }
  if (Array.isArray(sort))
    return sort.map(one => walkSort(one, model, access, refuse)).filter(one => one !== undefined && !isEmpty(one))
  if (!isPlain(sort)) return sort
  const kept: Bag = {}
  for (const [key, value] of Object.entries(sort)) {
    // Lists come as objects where their indexes are too large for a parser.
    if (/^\d+$/.test(key)) {
      kept[key] = walkSort(value, model, access, refuse)
      continue
    }
    const found = lookUp(key, model, access)
    if (found.kind === 'refused') refuse(key, found.why, 'sort')
    else if (found.kind === 'value') kept[key] = value
    else if (found.model && isPlain(value)) kept[key] = walkSort(value, found.model, access, refuse)
    else refuse(key, 'zone', 'sort')
  }
  return kept
}

/** `author.name:desc`: each name on the way is looked up, and the last one is a column. */
function isSortable(term: string, model: Model, access: Access, refuse: OnRefused): boolean {
  const [path = ''] = term.trim().split(':')
  if (path === '') return false
  const names = path.split('.')
  let at: Model | undefined = model
  for (const [index, name] of names.entries()) {
    const found: Found = at ? lookUp(name, at, access) : unknown
    const isLast = index === names.length - 1
    const isWrong = found.kind === 'refused' || (found.kind === 'link') === isLast
    if (isWrong) {
      refuse(name, found.kind === 'refused' ? found.why : 'relation', 'sort')
      return false
    }
    at = found.kind === 'link' ? found.model : undefined
  }
  return true
}

const isEmpty = (value: Loose): boolean => isPlain(value) && Object.keys(value).length === 0

/** The columns that a query chooses, in the form in which they were given: a text is one name. */
export function walkFields(fields: Loose, keeps: (name: string) => boolean): Loose {
  const isKept = (name: Loose) => name === '*' || keeps(String(name).trim())
  if (typeof fields === 'string') return isKept(fields) ? fields.trim() : undefined
  return Array.isArray(fields) ? fields.filter(isKept) : fields
}
