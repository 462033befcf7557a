import type { Host } from '../../../core/index.js'
import { ValidationError } from '../packages/utils/errors.js'
import type { Bag, Loose, Runtime } from '../types.js'
import { type Checks, unknownLocale } from './checks.js'
import { Components, embedded, type Part, wholeParts } from './components.js'
import { publicOf } from './hooks.js'
import type { Locales } from './locales.js'
import { sharedOf } from './localize.js'
import type { Model } from './models.js'
import type { ParamsReader } from './params.js'
import type { Query, QueryParts } from './query.js'
import type { QueryParams } from './query-params.js'
import { isPlain } from './where.js'

export interface EntityParts extends Pick<QueryParts, 'models' | 'lifecycles' | 'scopes'> {
  readonly host: Pick<Host, 'types'>
  readonly runtime: Pick<Runtime, 'strapi'>
  readonly params: ParamsReader
  readonly checks: Checks
  readonly locales: Locales
  readonly query: (uid: string) => Query
}

type Events = 'entry.create' | 'entry.update' | 'entry.delete'

/** `strapi.entityService`: entries with drafts, locales, checks and components, on top of `strapi.db.query`. */
export class EntityService {
  readonly #parts: EntityParts
  readonly #components: Components

  constructor(parts: EntityParts) {
    this.#parts = parts
    const { models, query } = parts
    this.#components = new Components({
      ...{ models, query },
      prepare: (model, data) => this.#hashed(model, data),
      isHeard: uid => ['delete', 'findOne'].some(action => parts.lifecycles.hears(uid, action)),
    })
  }

  readonly findMany = async (uid: string, params: Bag = {}): Promise<Loose> => {
    const model = this.#parts.models.get(uid)
    const { page: _, pageSize: __, ...query } = this.#listed(model, withoutPages(params))
    if (model.type?.kind === 'singleType') return this.#parts.query(uid).findOne(query)
    return this.#parts.query(uid).findMany(query)
  }

  readonly findPage = async (uid: string, params: Bag = {}): Promise<Loose> => {
    const model = this.#parts.models.get(uid)
    return this.#parts.query(uid).findPage(this.#listed(model, params))
  }

  readonly findWithRelationCountsPage = (uid: string, params: Bag = {}): Promise<Loose> =>
    this.findPage(uid, { ...params, populate: this.#counted(uid, params.populate) })

  readonly findWithRelationCounts = (uid: string, params: Bag = {}): Promise<Loose> =>
    this.findMany(uid, { ...params, populate: this.#counted(uid, params.populate) })

  readonly findOne = async (uid: string, id: Loose, params: Bag = {}): Promise<Loose> => {
    if (id === undefined) throw new Error('findOne expects the id of an entry, and got undefined')
    const { select, populate } = this.#parts.params.read(this.#parts.models.get(uid), withoutPages(params))
    return this.#parts.query(uid).findOne({ where: { id }, ...given({ select, populate }) })
  }

  readonly count = async (uid: string, params: Bag = {}): Promise<number> => {
    const model = this.#parts.models.get(uid)
    const { where, filters, _q } = this.#listed(model, withoutPages(params))
    return this.#parts.query(uid).count(given({ where, filters, _q }))
  }

  readonly create = async (uid: string, params: Bag = {}): Promise<Loose> => {
    const model = this.#writable(uid)
    const { data, files, ...rest } = params
    if (!isPlain(data)) throw new Error('cannot create')
    const shown = this.#shown(model, rest)
    const placed = this.#placed(model, data)
    const isDraft = model.hasDrafts && placed.publishedAt === null
    const { data: checked, ...settling } = await this.#parts.checks.check(model, placed, { isNew: true, isDraft })
    const made: Part[] = []
    const entry = await this.#guarded(model, made, async () => {
      const stored = await this.#components.create(model, checked, made)
      return this.#parts.query(uid).create({ data: await this.#hashed(model, stored), ...shown }, settling)
    })
    const whole = await this.#withFiles(model, entry, files, shown)
    await this.#syncLocalizations(model, whole)
    await this.#shareAttributes(model, whole)
    await this.#emit('entry.create', model, whole)
    return whole
  }

  readonly update = async (uid: string, id: Loose, params: Bag = {}): Promise<Loose> => {
    const model = this.#writable(uid)
    const { data, files, ...rest } = params
    const shown = this.#shown(model, rest)
    const before = await this.#parts.query(uid).findOne({ where: { id } })
    if (!before) return null
    if (!isPlain(data)) throw new ValidationError(notAnObject(model, data))
    const { locale, localizations, ...own } = data as Bag
    const given = model.isLocalized ? own : data
    const isDraft = model.hasDrafts && (before.publishedAt === null || before.publishedAt === undefined)
    const checking = { isNew: false, isDraft, stored: before }
    const { data: checked, ...settling } = await this.#parts.checks.check(model, given, checking)
    const made: Part[] = []
    const gone: Part[] = []
    const parts = await this.#partsOf(model, before.id, checked)
    const entry = await this.#guarded(model, made, async () => {
      const stored = await this.#components.update(model, parts, checked, { made, gone })
      const data = await this.#hashed(model, stored)
      const updated = await this.#parts.query(uid).update({ where: { id: before.id }, data, ...shown }, settling)
      await this.#components.remove(gone)
      return updated
    })
    const whole = await this.#withFiles(model, entry, files, shown)
    await this.#shareAttributes(model, whole)
    await this.#emit('entry.update', model, whole)
    return whole
  }

  readonly delete = async (uid: string, id: Loose, params: Bag = {}): Promise<Loose> => {
    const model = this.#writable(uid)
    const query = this.#parts.query(uid)
    const entry = await query.findOne({ where: { id }, ...this.#shown(model, params) })
    if (!entry) return null
    const parts = await this.#storedParts(model, entry.id ?? id)
    const work = async () => {
      await query.delete({ where: { id: entry.id ?? id } })
      await this.#components.remove(parts)
    }
    await (this.#isSilent(model) ? this.#parts.scopes.atomic(work) : work())
    await this.#emit('entry.delete', model, entry)
    return entry
  }

  readonly deleteMany = async (uid: string, params: Bag = {}): Promise<Loose> => {
    const model = this.#writable(uid)
    const query = this.#parts.query(uid)
    const { where, filters, _q, limit, offset, orderBy, populate } = this.#listed(model, withoutPages(params))
    const found: Bag[] = await query.findMany(given({ where, filters, _q, limit, offset, orderBy, populate }))
    if (found.length === 0) return { count: 0 }
    const ids = found.map(entry => entry.id)
    const parts = await this.#partsOfMany(model, ids)
    const work = async () => {
      const result = await query.deleteMany({ where: { id: { $in: ids } } })
      await this.#components.remove(parts)
      return result
    }
    const result = await (this.#isSilent(model) ? this.#parts.scopes.atomic(work) : work())
    for (const entry of found) await this.#emit('entry.delete', model, entry)
    return result
  }

  /** A new entry with the values of another one, as far as the data does not say otherwise. */
  readonly clone = async (uid: string, id: Loose, params: Bag = {}): Promise<Loose> => {
    const model = this.#writable(uid)
    const { data = {}, ...rest } = params
    const links = [...model.links.values()].filter(
      link => link.storage.via === 'table' && link.name !== 'localizations',
    )
    const populate: Bag = Object.fromEntries(
      links.filter(link => !link.embedded).map(({ name }) => [name, { select: ['id'] }]),
    )
    const source = await this.#parts
      .query(uid)
      .findOne({ where: { id }, populate: { ...populate, ...wholeParts(model, this.#parts.models) } })
    if (!source) return null
    const { id: _, createdAt, updatedAt, ...values } = withoutIds(source, model, this.#parts.models)
    return this.create(uid, { ...rest, data: { ...values, ...data } })
  }

  readonly load = async (uid: string, entity: Loose, name: string, params?: Bag): Promise<Loose> =>
    this.#parts.query(uid).load(entity, name, this.#behind(uid, name, params))

  readonly loadPages = async (uid: string, entity: Loose, name: string, ...rest: [Bag?, Bag?]): Promise<Loose> => {
    const [params, pagination = {}] = rest
    return this.#parts.query(uid).loadPages(entity, name, this.#behind(uid, name, params) ?? {}, pagination)
  }

  readonly wrapParams = (params: Bag = {}): Bag => params
  readonly uploadFiles = (uid: string, entity: Loose, files: Loose): Promise<Loose> =>
    this.#withFiles(this.#parts.models.get(uid), entity, files, {})
  readonly emitEvent = (uid: string, event: Events, entity: Loose): Promise<void> =>
    this.#emit(event, this.#parts.models.get(uid), entity)

  /** Parameters of lists: entries in the default locale, unless they say which. */
  #listed(model: Model, params: Bag): QueryParams {
    const query = this.#parts.params.read(model, params)
    if (!model.isLocalized) return query
    const isSaid = Object.hasOwn(params, 'locale')
    if (params.locale === 'all') return query
    const locale = isSaid ? (params.locale ?? null) : this.#parts.locales.default
    if (!isSaid && locale === undefined) return query
    const where = query.where === undefined ? [] : [query.where]
    return { ...query, where: { $and: [{ locale }, ...where] } }
  }

  #shown(model: Model, params: Bag): QueryParams {
    const { select, populate } = this.#parts.params.read(model, withoutPages(params))
    return given({ select, populate })
  }

  #behind(uid: string, name: string, params: Bag | undefined): Loose {
    const link = this.#parts.models.get(uid).links.get(name)
    const target = link && this.#parts.models.target(link)
    return params && target ? this.#parts.params.read(target, withoutPages(params)) : undefined
  }

  #counted(uid: string, populate: Loose): Loose {
    const model = this.#parts.models.get(uid)
    const read = this.#parts.params.populate(populate ?? {}, model)
    const names = read === true ? [...model.links.keys()] : Object.keys(read)
    return Object.fromEntries(
      names.map(name => {
        const link = model.links.get(name)
        const isCounted = link?.many === true && link.embedded !== true && link.attribute.type === 'relation'
        return [name, isCounted ? { count: true } : true]
      }),
    )
  }

  /** The model of a type that entries can be written of. */
  #writable(uid: string): Model {
    if (!this.#parts.models.has(uid)) throw new ValidationError('Invalid relations')
    return this.#parts.models.get(uid)
  }

  /** A new entry of a localized type is in the default locale, or in one that the app has. */
  #placed(model: Model, data: Bag): Bag {
    if (!model.isLocalized) return data
    const { locales } = this.#parts
    if (data.locale === undefined || data.locale === null) return { ...data, locale: locales.default }
    if (!locales.has(data.locale)) throw unknownLocale()
    return data
  }

  /** Nothing hears of the writes of an entry and of its components, so that they can be one transaction. */
  #isSilent(model: Model): boolean {
    return [model.uid, ...componentsOf(model, this.#parts)].every(uid =>
      ['create', 'update', 'delete', 'findOne'].every(action => !this.#parts.lifecycles.hears(uid, action)),
    )
  }

  /** Components that were stored for an entry which is then refused go again. */
  async #guarded<T>(model: Model, made: readonly Part[], work: () => Promise<T>): Promise<T> {
    if (embedded(model).length === 0) return work()
    if (this.#isSilent(model)) return this.#parts.scopes.atomic(work)
    try {
      return await work()
    } catch (error) {
      await this.#takeBack(model, made)
      throw error
    }
  }

  async #takeBack(model: Model, made: readonly Part[]): Promise<void> {
    const { scopes, query } = this.#parts
    if (made.length === 0 || scopes.current) return
    const used = new Set((await this.#ownersOf(model, made)).map(({ uid, id }) => `${uid} ${id}`))
    for (const { uid, id } of made) if (!used.has(`${uid} ${id}`)) await query(uid).removeQuietly([id])
  }

  /** Of some components those that stand in an entry: it was stored, and something after that has failed. */
  async #ownersOf(model: Model, made: readonly Part[]): Promise<Part[]> {
    return this.#parts.query(model.uid).ownedParts(made)
  }

  async #partsOf(model: Model, id: Loose, data: Bag): Promise<Bag> {
    const isNamed = embedded(model).some(({ name }) => data[name] !== undefined)
    if (!isNamed) return {}
    return (
      (await this.#parts
        .query(model.uid)
        .quietly({ where: { id }, select: ['id'], populate: wholeParts(model, this.#parts.models) })) ?? {}
    )
  }

  /** The components of an entry, read with the events of that. */
  async #storedParts(model: Model, id: Loose): Promise<Part[]> {
    const names = embedded(model).map(({ name }) => name)
    if (names.length === 0) return []
    const entry = await this.#parts.query(model.uid).load({ id }, names)
    return entry ? this.#components.partsOf(model, entry) : []
  }

  async #partsOfMany(model: Model, ids: readonly Loose[]): Promise<Part[]> {
    const names = embedded(model).map(({ name }) => name)
    if (names.length === 0) return []
    const populate = Object.fromEntries(names.map(name => [name, true]))
    const found = await this.#parts
      .query(model.uid)
      .listQuietly({ where: { id: { $in: ids } }, select: ['id'], populate })
    return found.flatMap((entry: Bag) => this.#components.partsOf(model, entry))
  }

  /** Passwords are stored as hashes. */
  async #hashed(model: Model, data: Bag): Promise<Bag> {
    const hashed = { ...data }
    for (const { name, type } of model.type?.fields.values() ?? [])
      if (type.seal && hashed[name] !== undefined && hashed[name] !== null) hashed[name] = await type.seal(hashed[name])
    return hashed
  }

  async #withFiles(model: Model, entry: Loose, files: Loose, shown: QueryParams): Promise<Loose> {
    if (!entry || !isPlain(files) || Object.keys(files).length === 0) return entry
    const upload = this.#parts.runtime.strapi.plugin('upload')?.service('upload')
    if (!upload) throw new Error('files are stored by the plugin upload, which is not enabled')
    for (const [path, given] of Object.entries(files)) {
      const at = await this.#ownerOf(model, entry, path.split('.'))
      if (at) await upload.uploadToEntity(at, given)
    }
    return this.#parts.query(model.uid).findOne({ where: { id: entry.id }, ...shown })
  }

  /** The entry or component that has the attribute of a path: `receipt`, `lines.0.picture`. */
  async #ownerOf(model: Model, entry: Loose, path: readonly string[]): Promise<Bag | undefined> {
    const [name = '', ...rest] = path
    const link = model.links.get(name)
    if (!link) return undefined
    if (!link.embedded || rest.length === 0) return { id: entry.id, model: model.uid, field: name }
    const value = await this.#parts.query(model.uid).load({ id: entry.id }, name)
    const item = link.many ? value?.[Number(rest[0])] : value
    if (!item) return undefined
    const uid = link.shape === 'zone' ? item.__component : link.targets?.[0]
    return this.#ownerOf(this.#parts.models.get(uid), item, link.many ? rest.slice(1) : rest)
  }

  /** All localizations know each other. */
  async #syncLocalizations(model: Model, entry: Loose): Promise<void> {
    if (!model.isLocalized || !Array.isArray(entry?.localizations)) return
    const all = [entry, ...entry.localizations].map(({ id }) => id)
    for (const { id } of entry.localizations)
      await this.#parts
        .query(model.uid)
        .update({ where: { id }, data: { localizations: all.filter(other => other !== id) } })
  }

  /** Values that are not localized are the same in all localizations, where the response shows them. */
  async #shareAttributes(model: Model, entry: Loose): Promise<void> {
    if (!model.isLocalized || !Array.isArray(entry?.localizations) || entry.localizations.length === 0) return
    const shared = sharedOf(model, entry)
    if (Object.keys(shared).length === 0) return
    for (const { id } of entry.localizations) await this.update(model.uid, id, { data: shared })
  }

  async #emit(event: Events, model: Model, entry: Loose): Promise<void> {
    await this.#parts.runtime.strapi.eventHub.emit(event, {
      model: model.singularName,
      uid: model.uid,
      entry: publicOf(model, entry),
    })
  }
}

function notAnObject(model: Model, data: Loose): string {
  const shown = data === undefined ? 'undefined' : data === null ? 'null' : typeof data
  return `Invalid payload submitted for the update of an entity of type ${model.type?.displayName ?? model.singularName}. Expected an object, but got ${shown}`
}

/** Lists of code know no pages of REST. */
function withoutPages({ pagination: _, page: __, pageSize: ___, ...params }: Bag): Bag {
  return params
}

const given = <T extends object>(params: T): T =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as T

function componentsOf(model: Model, parts: Pick<EntityParts, 'models'>, known = new Set<string>()): Set<string> {
  for (const link of embedded(model))
    for (const uid of link.targets ?? []) {
      if (known.has(uid) || !parts.models.has(uid)) continue
      known.add(uid)
      componentsOf(parts.models.get(uid), parts, known)
    }
  return known
}

/** An entry that was read whole, as the data of a new one. */
function withoutIds(entry: Bag, model: Model, models: EntityParts['models']): Bag {
  const copy = { ...entry }
  for (const link of embedded(model)) {
    const value = copy[link.name]
    if (value === undefined || value === null) continue
    const items = [value].flat().map((item: Bag) => {
      const uid = link.shape === 'zone' ? item.__component : link.targets?.[0]
      const { id: _, ...rest } = withoutIds(item, models.get(uid), models)
      return rest
    })
    copy[link.name] = link.many ? items : items[0]
  }
  return copy
}
