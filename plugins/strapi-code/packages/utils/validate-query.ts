import type { Bag, Loose } from '../../types.js'
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

export function checkSort(sort: Loose, model: Model, access: Access): void {
  walkSort(sort, model, access, refuse)
  checkDirections(sort)
}

const directions: readonly Loose[] = ['asc', 'desc', 'ASC', 'DESC']

/** `title:down` and `sort[title]=down` are no order. */
function checkDirections(sort: Loose, name = 'sort'): void {
  if (Array.isArray(sort)) for (const one of sort) checkDirections(one)
  else if (isPlain(sort))
    for (const [key, value] of Object.entries(sort)) {
      if (typeof value === 'string' && !/^\d+$/.test(key)) checkDirection(value, key)
      else checkDirections(value)
    }
  else if (typeof sort === 'string')
    for (const term of sort.split(',')) {
      const [, direction] = term.trim().split(':')
      if (direction !== undefined) checkDirection(direction, name)
    }
}

function checkDirection(direction: string, name: string): void {
  if (!directions.includes(direction)) refuse(name, 'unknown', 'sort')
}

export function checkFields(fields: Loose, model: Model, access: Access): void {
  if (isPlain(fields)) throw new ValidationError('Invalid parameter fields')
  walkFields(fields, name => {
    const found = lookUp(name, model, access)
    if (found.kind !== 'value') refuse(name, 'unknown', 'fields')
    return true
  })
}

/** Throws where a query names what is not there, or what its caller may not name. What is populated may be unknown. */
export function checkQuery(query: Loose, model: Model, access: Access): void {
  if (!isPlain(query)) return
  if (query.filters) checkFilters(query.filters, model, access)
  if (query.sort) checkSort(query.sort, model, access)
  if (query.fields !== undefined) checkFields(query.fields, model, access)
  if (isPlain(query.populate)) checkPopulate(query.populate, model, access)
}

/** The queries behind what is populated are checked like the one that it is in. */
function checkPopulate(populate: Bag, model: Model, access: Access): void {
  for (const [name, value] of Object.entries(populate)) {
    const found = lookUp(name, model, access)
    if (found.kind !== 'link' || !isPlain(value)) continue
    // A zone has no columns of its own: what its components have is asked for each of them.
    checkQuery(found.model ? value : { ...value, populate: undefined }, found.model ?? { attributes: {} }, access)
    if (isPlain(value.on))
      for (const [uid, inner] of Object.entries(value.on)) {
        const type = access.getModel(uid)
        if (type) checkQuery(inner, type, access)
      }
  }
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
