import type { Session } from '../../../core/index.js'
import type { Bag, Loose } from '../types.js'
import type { CheckedWrite } from './checks.js'
import { eventName, type Lifecycles, type States } from './lifecycles.js'
import type { Model, Models } from './models.js'
import type { QueryParams } from './query-params.js'
import type { Entry, Reader } from './reader.js'
import type { RowWriter } from './row-writer.js'
import type { Scopes } from './scope.js'
import { isPlain } from './where.js'

/** Stores and removes the entries of a model. */
export type Sink = Pick<RowWriter, 'create' | 'update' | 'remove'>

/** The means by which queries work. */
export interface QueryParts {
  readonly models: Models
  readonly reader: Reader
  readonly rows: RowWriter
  /** Entries of a type are stored with all that the server does beside; others as rows. */
  readonly sinkOf: (model: Model) => Sink
  readonly lifecycles: Lifecycles
  readonly scopes: Scopes
  /** A `populate` that stands for more than it says, in full. */
  readonly inFull: (model: Model, populate: Loose) => Loose
  /** The locale of entries that name none. */
  readonly defaultLocale: () => string | undefined
}

/** The checks that are left for the transaction of a write. */
export type OpenChecks = Pick<CheckedWrite, 'settle'>

/** `strapi.db.query(uid)` */
export class Query {
  readonly uid: string
  readonly #model: Model
  readonly #parts: QueryParts

  constructor(model: Model, parts: QueryParts) {
    this.uid = model.uid
    this.#model = model
    this.#parts = parts
  }

  get model(): Bag {
    return this.#model.meta
  }

  readonly findOne = async (given: QueryParams = {}): Promise<Loose> => {
    const read = async (params: QueryParams) => {
      const [first] = await this.#find({ ...params, limit: 1, offset: undefined })
      return first ?? null
    }
    return this.#read('findOne', given, read)
  }

  readonly findMany = async (given: QueryParams = {}): Promise<Loose> =>
    this.#read('findMany', given, params => this.#find(params))

  readonly count = async (given: QueryParams = {}): Promise<Loose> =>
    this.#read('count', given, async params => {
      const { reader, scopes } = this.#parts
      return reader.count(scopes.reader, this.#model, params)
    })

  readonly findWithCount = async (given: QueryParams = {}): Promise<[Loose, number]> => {
    const counted = { ...given, limit: undefined, offset: undefined, orderBy: undefined }
    // One transaction takes one statement after the other.
    if (this.#parts.scopes.current) return [await this.findMany(given), await this.count(counted)]
    return Promise.all([this.findMany(given), this.count(counted)])
  }

  readonly findPage = async (given: QueryParams = {}): Promise<Loose> => {
    const { page: askedPage, pageSize: askedSize, ...params } = given
    const page = Number.parseInt(String(askedPage), 10) || 1
    const pageSize = Number.parseInt(String(askedSize), 10) || 10
    const [results, total] = await this.findWithCount({
      ...params,
      limit: pageSize,
      offset: Math.max(page - 1, 0) * pageSize,
    })
    const pageCount = pageSize > 0 ? Math.ceil(total / pageSize) : 0
    return { results, pagination: { page, pageSize, pageCount, total } }
  }

  readonly create = async (given: QueryParams = {}, { settle }: OpenChecks = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('create', params)
    if (!isPlain(params.data)) throw new Error('Create expects a data object')
    this.#place([params.data])
    const id = await this.#write(async session => {
      await settle?.(session)
      return this.#parts.sinkOf(this.#model).create(session, this.#model, params.data)
    })
    const { select, populate } = params
    const result = await this.findOne({ where: { id }, select, populate })
    await this.#after('create', { params, result }, states)
    return result
  }

  readonly createMany = async (given: QueryParams = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('createMany', params)
    if (!Array.isArray(params.data)) throw new Error('CreateMany expects data to be an array')
    if (params.data.length === 0) throw new Error('Nothing to insert')
    this.#place(params.data)
    const ids = await this.#write(session => this.#parts.rows.createMany(session, this.#model, params.data))
    const result = { count: ids.length, ids }
    await this.#after('createMany', { params, result }, states)
    return result
  }

  readonly update = async (given: QueryParams = {}, { settle }: OpenChecks = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('update', params)
    const { where, data } = params
    if (!isPlain(data)) throw new Error('Update requires a data object')
    if (isEmpty(where)) throw new Error('Update requires a where parameter')
    const id = await this.#write(async session => {
      const [found] = await this.#parts.reader.ids(session, this.#model, { where }, true)
      if (found === undefined) return undefined
      await settle?.(session)
      await this.#parts.sinkOf(this.#model).update(session, this.#model, found, data)
      return Number(data.id ?? found)
    })
    if (id === undefined) return null
    const { select, populate } = params
    const result = await this.findOne({ where: { id }, select, populate })
    await this.#after('update', { params, result }, states)
    return result
  }

  readonly updateMany = async (given: QueryParams = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('updateMany', params)
    const { where, data } = params
    if (!isPlain(data) || !this.#hasColumn(data)) throw new Error('Update requires data')
    const count = await this.#write(async session => {
      const { reader, rows } = this.#parts
      const condition = reader.direct(this.#model, { where })
      if (condition) return rows.updateWhere(session, this.#model, data, condition)
      const ids = await reader.ids(session, this.#model, { where })
      return ids.length === 0 ? 0 : rows.updateMany(session, this.#model, data, ids)
    })
    const result = { count }
    await this.#after('updateMany', { params, result }, states)
    return result
  }

  readonly delete = async (given: QueryParams = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('delete', params)
    const { where, select, populate } = params
    if (isEmpty(where)) throw new Error('Delete requires a where parameter')
    const withId = select === undefined || select === null ? undefined : ['id', ...[select].flat()]
    const entity = await this.findOne({ where, select: withId, populate })
    if (!entity) return null
    await this.#write(session => this.#parts.sinkOf(this.#model).remove(session, this.#model, [Number(entity.id)]))
    await this.#after('delete', { params, result: entity }, states)
    return entity
  }

  readonly deleteMany = async (given: QueryParams = {}): Promise<Loose> => {
    const params = copied(given)
    const states = await this.#before('deleteMany', params)
    const { where, filters, _q } = params
    const count = await this.#write(async session => {
      const { reader, rows } = this.#parts
      const condition = reader.direct(this.#model, { where, filters, _q })
      const removed = condition && (await rows.removeWhere(session, this.#model, condition))
      if (removed !== undefined) return removed
      const ids = await reader.ids(session, this.#model, { where, filters, _q })
      return ids.length === 0 ? 0 : rows.remove(session, this.#model, ids)
    })
    const result = { count }
    await this.#after('deleteMany', { params, result }, states)
    return result
  }

  /** The entries behind one link of an entry, or behind several. */
  readonly load = async (entity: Loose, names: string | readonly string[], params?: Loose): Promise<Loose> => {
    const wanted = [names].flat() as string[]
    for (const name of wanted)
      if (!this.#model.links.has(name)) throw new Error(`Invalid load. Expected ${name} to be a relational attribute`)
    const populate = Object.fromEntries(wanted.map(name => [name, params ?? true]))
    const entry = await this.findOne({ select: ['id'], where: { id: entity.id }, populate })
    if (!entry) return null
    return Array.isArray(names) ? Object.fromEntries(wanted.map(name => [name, entry[name]])) : entry[names as string]
  }

  readonly loadPages = async (entity: Loose, name: string, params: Bag = {}, pagination: Bag = {}): Promise<Loose> => {
    const page = Number.parseInt(String(pagination.page), 10) || 1
    const pageSize = Number.parseInt(String(pagination.pageSize), 10) || 10
    const counted = await this.load(entity, name, { where: params.where, filters: params.filters, count: true })
    const total = counted?.count ?? 0
    const found = await this.load(entity, name, { ...params, limit: pageSize, offset: (page - 1) * pageSize })
    return { results: found ?? [], pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } }
  }

  /** An entry that nothing hears of. */
  async quietly(params: QueryParams): Promise<Loose> {
    return (await this.listQuietly({ ...params, limit: 1 }))[0]
  }

  listQuietly(params: QueryParams): Promise<Bag[]> {
    return this.#find(params)
  }

  /** Removes rows that nothing hears of. */
  async removeQuietly(ids: readonly number[]): Promise<void> {
    await this.#write(session => this.#parts.rows.remove(session, this.#model, ids))
  }

  /** Of some components those that stand in an entry of the type. */
  async ownedParts(
    parts: readonly { readonly uid: string; readonly id: number }[],
  ): Promise<{ uid: string; id: number }[]> {
    const { reader, scopes } = this.#parts
    return reader.owned(scopes.reader, this.#model, parts)
  }

  #find(params: QueryParams): Promise<Entry[]> {
    const { reader, scopes, inFull } = this.#parts
    const populate = inFull(this.#model, params.populate)
    return reader.find(scopes.reader, this.#model, populate === params.populate ? params : { ...params, populate })
  }

  async #read<T>(action: string, given: QueryParams, read: (params: QueryParams) => Promise<T>): Promise<T> {
    if (!this.#parts.lifecycles.hears(this.uid, action)) return read(given)
    const params = { ...given }
    const states = await this.#before(action, params)
    const result = await read(params)
    await this.#after(action, { params, result }, states)
    return result
  }

  #write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#parts.scopes.write(work)
  }

  #before(action: string, params: QueryParams): Promise<States> {
    return this.#parts.lifecycles.run(eventName('before', action), this.#model, { params })
  }

  async #after(action: string, parts: { params: QueryParams; result: Loose }, states: States): Promise<void> {
    await this.#parts.lifecycles.run(eventName('after', action), this.#model, parts, states)
  }

  /** Entries of a localized type that name no locale are in the default one. */
  #place(list: readonly Loose[]): void {
    if (!this.#model.isLocalized) return
    for (const data of list)
      if (data && (data.locale === undefined || data.locale === null)) data.locale = this.#parts.defaultLocale()
  }

  #hasColumn(data: Bag): boolean {
    return Object.keys(data).some(name => data[name] !== undefined && this.#model.columns.has(name))
  }
}

/** A copy of the parameters: the caller does not see what handlers change. */
function copied(given: QueryParams): QueryParams {
  const { data } = given
  if (Array.isArray(data)) return { ...given, data: data.map(one => (isPlain(one) ? { ...one } : one)) }
  return isPlain(data) ? { ...given, data: { ...data } } : { ...given }
}

const isEmpty = (where: Loose): boolean =>
  where === undefined || where === null || (isPlain(where) && Object.keys(where).length === 0)
