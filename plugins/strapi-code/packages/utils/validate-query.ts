import type { Loose } from '../../types.js'
import type { Access } from './access.js'
import type { Model } from './content-types.js'
import { ValidationError } from './errors.js'
import { lookUp, type OnRefused, walkFields, walkFilters, walkSort } from './query-walk.js'
import { isPlain } from './traverse-entity.js'

const refuse: OnRefused = name => {
  throw new ValidationError(`Invalid parameter ${name}`)
}

export const checkFilters = (filters: Loose, model: Model, access: Access): void =>
  void walkFilters(filters, model, access, refuse)

export const checkSort = (sort: Loose, model: Model, access: Access): void => void walkSort(sort, model, access, refuse)

export function checkFields(fields: Loose, model: Model, access: Access): void {
  walkFields(fields, name => {
    if (name === '' || name === '*') return true
    const found = lookUp(name, model, access)
    if (found.kind === 'refused') refuse(name, found.why, 'fields')
    return true
  })
}

/** Throws where a query names what is not there, or what its caller may not name. What is populated is not looked at. */
export function checkQuery(query: Loose, model: Model, access: Access): void {
  if (!isPlain(query)) return
  if (query.filters) checkFilters(query.filters, model, access)
  if (query.sort) checkSort(query.sort, model, access)
  if (query.fields) checkFields(query.fields, model, access)
}

/** Throws where the data of a write sets what only the server sets, or links to a type that its caller may not find. */
export function checkInput(data: Loose, model: Model, access: Access): void {
  if (!isPlain(data)) return
  for (const key of Object.keys(data)) {
    const attribute = model.attributes[key]
    const isFixed = key === 'id' || attribute?.writable === false
    const isRefused = attribute?.type === 'relation' && lookUp(key, model, access).kind === 'refused'
    if (isFixed || isRefused) refuse(key, 'relation', 'fields')
  }
}
