import { PaginationError } from '../packages/utils/errors.js'
import type { Bag, Loose } from '../types.js'
import type { Model, Models } from './models.js'
import type { QueryParams } from './query-params.js'
import { groupWords, isOperator, isPlain } from './where.js'

const wrongOrder = 'Invalid order. order can only be one of asc|desc|ASC|DESC'
const wrongPopulate = 'Invalid populate parameter. Expected a string, an array of strings, a populate object'

/** Makes the parameters of `strapi.entityService` those of `strapi.db.query`. */
export class ParamsReader {
  readonly #models: Models

  constructor(models: Models) {
    this.#models = models
  }

  read(model: Model, params: Bag = {}): QueryParams {
    const { _q, sort, filters, fields, populate, publicationState } = params
    const query: QueryParams = {}
    if (isGiven(_q)) query._q = _q
    if (isGiven(sort)) query.orderBy = readSort(sort)
    if (isGiven(filters)) query.where = this.filters(filters, model)
    const select = isGiven(fields) && fields !== '' ? readFields(fields) : undefined
    if (select) query.select = select
    if (isGiven(populate) && populate !== '') query.populate = this.populate(populate, model)
    if (publicationState === 'live') query.filters = live
    return Object.assign(query, readPage(params))
  }

  /** The conditions without names and operators that there are not, and without what is then left of them. */
  filters(filters: Loose, model: Model | undefined): Loose {
    if (Array.isArray(filters))
      return filters.map(one => this.filters(one, model)).filter(one => !isPlain(one) || Object.keys(one).length > 0)
    if (!isPlain(filters)) return filters
    const read: Bag = {}
    for (const [name, value] of Object.entries(filters)) {
      const kept = this.#filter(name, value, model)
      if (kept !== dropped && !(isPlain(kept) && Object.keys(kept).length === 0)) read[name] = kept
    }
    return read
  }

  #filter(name: string, value: Loose, model: Model | undefined): Loose {
    const link = model?.links.get(name)
    if (link) {
      const target = this.#models.target(link)
      return target ? this.filters(value, target) : dropped
    }
    const column = model?.columns.get(name)
    if (column) return column.attribute.type === 'password' ? dropped : this.filters(value, model)
    if (!isOperator(name)) return dropped
    if (name === '$null' || name === '$notNull') return truth(value)
    return groupWords.includes(name) || isPlain(value) ? this.filters(value, model) : value
  }

  /** `'*'`, `'tags,main'`, a list of paths, or an object. */
  populate(populate: Loose, model: Model): Loose {
    if (populate === '*') return true
    // Paths stay as they are: what listens to the database layer may know words that are no names.
    if (typeof populate === 'string') return populate.split(',').map(path => path.trim())
    if (Array.isArray(populate)) {
      const paths = populate.flatMap(path => {
        if (typeof path !== 'string') throw new Error(wrongPopulate)
        return path.split(',').map(part => part.trim())
      })
      return paths.includes('*') ? true : paths
    }
    if (!isPlain(populate)) throw new Error(wrongPopulate)
    return this.#object(populate, model)
  }

  #object(populate: Bag, model: Model): Bag {
    if (Object.keys(populate).every(name => name === '*') && populate['*']) return true as Loose
    const read: Bag = {}
    for (const [name, value] of Object.entries(populate)) {
      const link = model.links.get(name)
      if (!link || value === undefined || value === null || truth(value) === false) continue
      if (!isPlain(value)) {
        if (isTruth(value)) read[name] = true
        else throw new Error(wrongPopulate)
        continue
      }
      const target = this.#models.target(link)
      read[name] = target ? this.#nested(value, target) : this.#several(value)
    }
    return read
  }

  #nested(value: Bag, target: Model): Bag {
    const { sort, filters, fields, populate, count, start, limit, page, pageSize, publicationState } = value
    return {
      ...this.read(target, { sort, filters, fields, populate, start, limit, page, pageSize, publicationState }),
      ...(truth(count) === true && { count: true }),
    }
  }

  /** Entries at one place may be of several types: each by its name, or the same for all of them. */
  #several(value: Bag): Bag {
    const { on, populate, count } = value
    const counted = truth(count) === true ? { count: true } : {}
    if (isPlain(on)) {
      const read: Bag = {}
      for (const [uid, inner] of Object.entries(on))
        if (this.#models.has(uid)) read[uid] = isPlain(inner) ? this.#nested(inner, this.#models.get(uid)) : {}
      return { on: read, ...counted }
    }
    if (populate === undefined || populate === null) return counted
    if (populate === '*' || populate === true) return { populate: true, ...counted }
    return { populate: this.#loose(populate), ...counted }
  }

  /** Names that only some of the types have. */
  #loose(populate: Loose): Loose {
    if (typeof populate === 'string') return populate.split(',').map(path => path.trim())
    if (!isPlain(populate)) return populate
    return Object.fromEntries(
      Object.entries(populate).map(([name, value]) => {
        if (!isPlain(value)) return [name, truth(value) ?? true]
        const { populate: below, ...rest } = value
        const inner = below === '*' ? true : below === undefined ? undefined : this.#loose(below)
        const { fields, sort, filters } = rest
        return [
          name,
          {
            ...(fields !== undefined && { select: readFields(fields) }),
            ...(sort !== undefined && { orderBy: readSort(sort) }),
            ...(filters !== undefined && { where: filters }),
            ...(inner !== undefined && { populate: inner }),
          },
        ]
      }),
    )
  }
}

const isGiven = (value: Loose): boolean => value !== undefined && value !== null

function readPage({ page, pageSize, start, limit }: Bag): QueryParams {
  const read: QueryParams = {}
  if (isGiven(page)) read.page = positive('page', page)
  if (isGiven(pageSize)) read.pageSize = positive('pageSize', pageSize)
  const hasPage = read.page !== undefined || read.pageSize !== undefined
  if (hasPage && (isGiven(start) || isGiven(limit)))
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    )
  if (isGiven(start)) read.offset = whole('convertStartQueryParams', start)
  const most = isGiven(limit) ? limited(limit) : undefined
  if (most !== undefined) read.limit = most
  return read
}

const dropped = Symbol('dropped')

/** Entries that are published, of types that have drafts. */
const live = ({ meta }: { readonly meta: Bag }): Bag | undefined =>
  meta.attributes.publishedAt ? { publishedAt: { $notNull: true } } : undefined

const isTruth = (value: Loose): boolean => truth(value) !== undefined

function truth(value: Loose): boolean | undefined {
  if ([true, 'true', 't', '1', 1].includes(value)) return true
  if ([false, 'false', 'f', '0', 0].includes(value)) return false
  return undefined
}

/** `'title:desc,id'`, a list of such texts, an object, a list of objects. */
export function readSort(sort: Loose): Loose[] {
  if (typeof sort === 'string') return sort.split(',').map(one => ofText(one.trim()))
  if (Array.isArray(sort) && sort.every(one => typeof one === 'string')) return sort.flatMap(readSort)
  if (Array.isArray(sort)) return sort.flatMap(one => ofObject(one))
  return isPlain(sort) ? ofObject(sort) : refuseOrder()
}

function ofText(text: string): Loose {
  const [path = '', way = 'asc'] = text.split(':')
  if (path === '') throw new Error('Field cannot be empty')
  return path.split('.').reduceRight<Loose>((inner, name) => ({ [name]: inner }), wayOf(way))
}

function ofObject(sort: Loose): Loose[] {
  if (!isPlain(sort)) return refuseOrder()
  const nested = (value: Loose): Loose =>
    isPlain(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, nested(inner)]))
      : wayOf(value)
  return Object.entries(sort).map(([name, value]) => ({ [name]: nested(value) }))
}

const wayOf = (way: Loose): string => (['asc', 'desc', 'ASC', 'DESC'].includes(way) ? way : refuseOrder())

function refuseOrder(): never {
  throw new Error(wrongOrder)
}

/** The names of columns, the id first; undefined for all. */
function readFields(fields: Loose): string[] | undefined {
  if (fields === '*') return undefined
  if (typeof fields === 'string') return readFields(fields.split(',').map(one => one.trim()))
  if (!Array.isArray(fields) || !fields.every(one => typeof one === 'string'))
    throw new Error('Invalid fields parameter. Expected a string or an array of strings')
  const names = fields.flatMap(one => one.split(',')).filter(name => name !== '')
  return names.includes('*') ? undefined : [...new Set(['id', ...names])]
}

function positive(name: string, value: Loose): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number <= 0)
    throw new PaginationError(`Invalid '${name}' parameter. Expected an integer > 0, received: ${value}`)
  return number
}

function whole(who: string, value: Loose): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0) throw new Error(`${who} expected a positive integer got ${number}`)
  return number
}

function limited(value: Loose): number | undefined {
  const number = Number(value)
  if (!Number.isInteger(number) || (number !== -1 && number < 0))
    throw new Error(`convertLimitQueryParams expected a positive integer got ${number}`)
  return number > 0 ? number : undefined
}
