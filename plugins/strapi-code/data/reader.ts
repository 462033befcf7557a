import type { Link, Session } from '../../../core/index.js'
import type { Column, Model, Models } from './models.js'
import { type Order, type Populate, type QueryParams, readLimit, readOrder, readPopulate } from './query-params.js'
import { chunks, grouped, joined, type Sql, sql, type Writing } from './sql.js'
import { Conditions, isPlain } from './where.js'

export type Entry = Record<string, unknown>

/** The columns and links that are read of the rows of one model. */
interface Selection {
  readonly columns: readonly Column[]
  /** The id was not asked for, and is read all the same, as the links start from it. */
  readonly populate: Populate
}

/** A query as its rows are found, with the names of its table. */
interface ReadRequest {
  readonly model: Model
  readonly params: QueryParams
  readonly selection: Selection
}

/** Rows behind a link, with the id of the row that it starts from. */
type Behind = Map<number, Entry[]>

/** Reads rows as `strapi.db.query` gives them: one statement for the rows, and one for each path that is populated. */
export class Reader {
  readonly #models: Models
  readonly #writing: Writing
  readonly conditions: Conditions

  constructor(models: Models, writing: Writing) {
    this.#models = models
    this.#writing = writing
    this.conditions = new Conditions(models, writing)
  }

  async find(session: Session, model: Model, params: QueryParams): Promise<Entry[]> {
    const condition = this.#condition(model, 't', params)
    const selection = this.#selection(model, condition.isJoined ? withOrder(model, params) : params)
    const asked = { model, params, selection }
    const body = joined([this.#from(asked, condition), this.#order(model, params), this.#page(params)], '')
    const entries = decoded(await this.#writing.rows(session, body), selection.columns, this.#writing)
    await this.#populate(session, asked, entries)
    return entries
  }

  async count(session: Session, model: Model, params: QueryParams): Promise<number> {
    const condition = this.#condition(model, 't', params)
    const table = this.#writing.name(model.table)
    const rows = await this.#writing.rows(
      session,
      sql(`select count(*) from ${table} t where ${condition.text}`, ...condition.values),
    )
    return Number(rows[0]?.[0])
  }

  /** The ids of rows; the first one alone where only one is wanted. */
  async ids(session: Session, model: Model, params: QueryParams, isOne = false): Promise<number[]> {
    const condition = this.#condition(model, 't', params)
    const from = `select t.${this.#writing.name('id')} from ${this.#writing.name(model.table)} t where ${condition.text}`
    const body = joined([sql(from, ...condition.values), this.#order(model, params), sql(isOne ? ' limit 1' : '')], '')
    return (await this.#writing.rows(session, body)).map(([id]) => Number(id))
  }

  /** The condition of a statement that changes rows of the table itself; undefined where it goes through links. */
  direct(model: Model, params: QueryParams): Sql | undefined {
    const condition = this.#condition(model, this.#writing.name(model.table), params)
    return condition.isJoined ? undefined : condition
  }

  /** The entries behind one link of an entry. */
  async behind(
    session: Session,
    model: Model,
    id: number,
    [link, params]: readonly [Link, QueryParams],
  ): Promise<unknown> {
    const entry: Entry = { id }
    await this.#attach(session, { model, entries: [entry], filters: undefined }, [link, params])
    return entry[link.name]
  }

  /** Of some components those that stand in an entry of the model. */
  async owned<P extends { readonly uid: string; readonly id: number }>(
    session: Session,
    model: Model,
    parts: readonly P[],
  ): Promise<P[]> {
    const storage = [...model.links.values()].find(({ embedded }) => embedded)?.storage
    if (storage?.via !== 'table') return []
    const name = (column: string) => this.#writing.name(column)
    const list = this.#writing.list(parts.map(({ id }) => id))
    const text = `select ${name(storage.to)}, component_type from ${name(storage.table)} where ${name(storage.to)} in ${list.text}`
    const rows = await this.#writing.rows(session, sql(text, ...list.values))
    return parts.filter(({ uid, id }) => rows.some(([row, type]) => Number(row) === id && type === uid))
  }

  #selection(model: Model, { select, populate }: QueryParams): Selection {
    const read = readPopulate(populate, model.links.keys())
    const known = new Map([...read].filter(([name]) => model.links.has(name)))
    return { columns: columnsOf(model, select, known.size > 0), populate: known }
  }

  #from({ model, selection }: ReadRequest, condition: Sql): Sql {
    const columns = selection.columns.map(column => this.#writing.selected('t', column)).join(', ')
    return sql(
      `select ${columns} from ${this.#writing.name(model.table)} t where ${condition.text}`,
      ...condition.values,
    )
  }

  #condition(model: Model, alias: string, params: QueryParams): Sql {
    const { where, filters, _q } = params
    const more = typeof filters === 'function' ? filters({ meta: model.meta, uid: model.uid }) : filters
    const condition = this.conditions.on(model, alias, [where, more])
    const searched = _q === undefined || _q === null || _q === '' ? [] : [this.#search(model, alias, String(_q))]
    return searched.length === 0
      ? condition
      : { ...grouped([condition, ...searched], 'and'), isJoined: condition.isJoined }
  }

  /** Texts that contain the words, and numbers that are it. */
  #search(model: Model, alias: string, words: string): Sql {
    const isNumber = words.trim() !== '' && !Number.isNaN(Number(words))
    const parts = [...model.columns.values()].flatMap(({ column, as, attribute }) => {
      const name = this.#writing.column(alias, column)
      if (attribute.type === 'password') return []
      if (as === 'text' || as === 'longtext') return [sql(`lower(${name}) like lower(?)`, `%${words}%`)]
      const isCounted = as === 'id' || as === 'integer' || as === 'bigint' || as === 'float' || as === 'decimal'
      return isNumber && isCounted ? [sql(`${name} = ?`, Number(words))] : []
    })
    return parts.length === 0 ? sql('1 = 0') : grouped(parts, 'or')
  }

  #order(model: Model, { orderBy }: QueryParams): Sql {
    const orders = readOrder(orderBy)
    if (orders.length === 0) return sql('')
    const parts = orders.map(order => this.#ordered(model, 't', order))
    return sql(` order by ${parts.join(', ')}`)
  }

  #ordered(model: Model, alias: string, { path, isDescending }: Order): string {
    return `${this.#sorted(model, alias, path)} ${isDescending ? 'desc' : 'asc'}`
  }

  /** A column, or that of what a link leads to: of its first row, where there are several. */
  #sorted(model: Model, alias: string, [name = '', ...rest]: readonly string[]): string {
    const column = model.columns.get(name)
    if (column) return this.#writing.column(alias, column.column)
    const link = model.links.get(name)
    const target = link && this.#models.target(link)
    if (!link || !target) throw new Error(`Attribute ${name} not found on model ${model.uid}`)
    const inner = `${alias}_s`
    const { from, on, order } = this.#linkRows(link, target, inner, `${inner}l`)
    const own =
      link.storage.via === 'column'
        ? `${this.#writing.column(`${inner}l`, 'id')} = ${this.#writing.column(alias, 'id')}`
        : `${on} = ${this.#writing.column(alias, 'id')}`
    const matches = this.#matches(link, inner).map(({ text, values }) => {
      // Names of types and attributes, which no request gives.
      return text.replace('?', `'${String(values[0]).replaceAll("'", "''")}'`)
    })
    const value = this.#sorted(target, inner, rest.length > 0 ? rest : ['id'])
    const where = [own, ...matches].join(' and ')
    return `(select ${value} from ${from} where ${where}${order === undefined ? '' : ` order by ${order}`} limit 1)`
  }

  #page({ limit, offset }: QueryParams): Sql {
    const most = readLimit(limit)
    const start = Number(offset ?? 0)
    const skipped = Number.isInteger(start) && start > 0 ? ` offset ${start}` : ''
    // Not every database skips rows without a limit.
    const limited = most ?? (skipped === '' ? undefined : '9223372036854775807')
    return sql(`${limited === undefined ? '' : ` limit ${limited}`}${skipped}`)
  }

  async #populate(
    session: Session,
    { model, params, selection }: ReadRequest,
    entries: readonly Entry[],
  ): Promise<void> {
    if (entries.length === 0) return
    const filters = typeof params.filters === 'function' ? params.filters : undefined
    for (const [name, inner] of selection.populate)
      await this.#attach(session, { model, entries, filters }, [model.links.get(name) as Link, inner])
  }

  /** Puts what is behind one link into entries. */
  async #attach(
    session: Session,
    {
      model,
      entries,
      filters,
    }: { readonly model: Model; readonly entries: readonly Entry[]; readonly filters: unknown },
    [link, given]: readonly [Link, QueryParams & { on?: Record<string, QueryParams> }],
  ): Promise<void> {
    const params = { ...given, ...(filters !== undefined && given.filters === undefined && { filters }) }
    const ids = [...new Set(entries.map(({ id }) => Number(id)))]
    const target = this.#models.target(link)
    if (params.count === true || params.count === 'true') {
      const counts = await this.#counts(session, { model, link, target }, ids, params)
      for (const entry of entries) entry[link.name] = { count: counts.get(Number(entry.id)) ?? 0 }
      return
    }
    const found: Behind = new Map()
    for (const part of chunks(ids)) {
      const rows = target
        ? await this.#single(session, { link, target }, part, params)
        : await this.#several(session, { model, link }, part, params)
      for (const [owner, list] of rows) found.set(owner, list)
    }
    for (const entry of entries) {
      const list = found.get(Number(entry.id)) ?? []
      entry[link.name] = link.many ? (list.length === 0 && link.emptyIsNull ? null : list) : (list[0] ?? null)
    }
  }

  /** Rows of one type, each with the id of its owner in front. */
  async #single(
    session: Session,
    { link, target }: { readonly link: Link; readonly target: Model },
    ids: readonly number[],
    params: QueryParams,
  ): Promise<Behind> {
    const selection = this.#selection(target, params)
    const { from, on, order } = this.#linkRows(link, target, 't', 'l')
    const condition = this.#condition(target, 't', params)
    const owner = link.storage.via === 'column' ? this.#writing.column('l', 'id') : on
    const list = this.#writing.list(ids)
    const where = joined(
      [sql(`${owner} in ${list.text}`, ...list.values), ...this.#matches(link, 't'), condition],
      ' and ',
    )
    const sorted = readOrder(params.orderBy).map(one => this.#ordered(target, 't', one))
    const usual = order === undefined ? [] : [order]
    const orders = sorted.length > 0 ? sorted : usual
    const columns = [owner, ...selection.columns.map(column => this.#writing.selected('t', column))].join(', ')
    const body = this.#paged({ columns, from, where, orders, owner, count: selection.columns.length }, params)
    const rows = await this.#writing.rows(session, body)
    const entries = decoded(rows, selection.columns, this.#writing, 1)
    await this.#populate(session, { model: target, params, selection }, entries)
    const behind: Behind = new Map()
    for (const [index, [id]] of rows.entries()) {
      const key = Number(id)
      const known = behind.get(key)
      if (known) known.push(entries[index] as Entry)
      else behind.set(key, [entries[index] as Entry])
    }
    return behind
  }

  /** The page of each owner's rows. */
  #paged(
    parts: { columns: string; from: string; where: Sql; orders: readonly string[]; owner: string; count: number },
    { limit, offset }: QueryParams,
  ): Sql {
    const { columns, from, where, orders, owner } = parts
    const most = readLimit(limit)
    const start = Math.max(Number(offset ?? 0) || 0, 0)
    const order = orders.length > 0 ? ` order by ${orders.join(', ')}` : ''
    const plain = sql(`select ${columns} from ${from} where ${where.text}${order}`, ...where.values)
    if (most === undefined && start === 0) return plain
    const ranked = `row_number() over (partition by ${owner}${order === '' ? ` order by ${owner}` : order})`
    const names = Array.from({ length: parts.count + 1 }, (_, index) => `c${index}`)
    const named = columnList(columns).map((column, index) => `${column} as c${index}`)
    const text = `select ${names.join(', ')} from (select ${named.join(', ')}, ${ranked} as place from ${from} where ${where.text}) p where place > ${start}${most === undefined ? '' : ` and place <= ${start + most}`} order by place`
    return sql(text, ...where.values)
  }

  /** The tables of a link and of its target, the column with the owner's id, and the order of its rows. */
  #linkRows(
    { storage, table }: Link,
    target: Model,
    alias: string,
    rows: string,
  ): { readonly from: string; readonly on: string; readonly order: string | undefined } {
    const own = `${this.#writing.name(target.table)} ${alias}`
    if (storage.via === 'target')
      return { from: own, on: this.#writing.column(alias, storage.column), order: this.#writing.column(alias, 'id') }
    if (storage.via === 'column') {
      const joins = `${own} join ${this.#writing.name(table)} ${rows} on ${this.#writing.column(rows, storage.column)} = ${this.#writing.column(alias, 'id')}`
      return { from: joins, on: this.#writing.column(rows, 'id'), order: undefined }
    }
    const from = `${own} join ${this.#writing.name(storage.table)} ${rows} on ${this.#writing.column(rows, storage.to)} = ${this.#writing.column(alias, 'id')}`
    const placed = this.#writing.column(rows, 'id')
    const order = storage.order === undefined ? placed : `${this.#writing.column(rows, storage.order)}, ${placed}`
    return { from, on: this.#writing.column(rows, storage.from), order }
  }

  #matches({ storage }: Link, target: string): Sql[] {
    if (storage.via === 'column') return []
    const alias = storage.via === 'target' ? target : target === 't' ? 'l' : `${target}l`
    return Object.entries(storage.match).map(([column, value]) =>
      sql(`${this.#writing.column(alias, column)} = ?`, value),
    )
  }

  /** Rows of several types, in the order of the link: components of a zone, or entries of any type. */
  async #several(
    session: Session,
    { model, link }: { readonly model: Model; readonly link: Link },
    ids: readonly number[],
    params: QueryParams & { on?: Record<string, QueryParams> },
  ): Promise<Behind> {
    const rows = await this.#writing.rows(session, this.#typedRows(link, model, ids))
    const wanted = new Map<string, Set<number>>()
    for (const [, id, type] of rows) {
      const uid = String(type)
      if (!this.#models.has(uid) || (params.on && !Object.hasOwn(params.on, uid))) continue
      wanted.set(uid, (wanted.get(uid) ?? new Set()).add(Number(id)))
    }
    const found = new Map<string, Entry>()
    for (const [uid, some] of wanted)
      for (const entry of await this.#ofType(session, uid, [...some], params))
        found.set(`${uid} ${Number(entry.id)}`, { [link.shape === 'zone' ? '__component' : '__type']: uid, ...entry })
    const behind: Behind = new Map()
    for (const [owner, id, type] of rows) {
      const entry = found.get(`${String(type)} ${Number(id)}`)
      if (entry) behind.set(Number(owner), [...(behind.get(Number(owner)) ?? []), entry])
    }
    return behind
  }

  /** The entries of one type among those of several. */
  async #ofType(
    session: Session,
    uid: string,
    ids: readonly number[],
    params: QueryParams & { on?: Record<string, QueryParams> },
  ): Promise<Entry[]> {
    const own = params.on ? asParams(params.on[uid]) : { populate: params.populate, filters: params.filters }
    const entries: Entry[] = []
    for (const part of chunks(ids)) {
      const where = { $and: [own.where ?? {}, { id: { $in: part } }] }
      entries.push(...(await this.find(session, this.#models.get(uid), withId({ ...own, where }))))
    }
    return entries
  }

  #typedRows({ storage }: Link, model: Model, ids: readonly number[]): Sql {
    const list = this.#writing.list(ids)
    const name = (column: string) => this.#writing.column('l', column)
    if (storage.via === 'column') {
      const table = this.#writing.name(model.table)
      const columns = ['id', storage.column, storage.typeColumn as string].map(name).join(', ')
      return sql(
        `select ${columns} from ${table} l where ${name('id')} in ${list.text} and ${name(storage.column)} is not null`,
        ...list.values,
      )
    }
    if (storage.via === 'target') throw new Error('a link through its target leads to one type')
    const { table, from, to, typeColumn = '', order, match } = storage
    const matches = Object.entries(match).map(([column, value]) => sql(`${name(column)} = ?`, value))
    const where = joined([sql(`${name(from)} in ${list.text}`, ...list.values), ...matches], ' and ')
    const orders = [...(order === undefined ? [] : [name(order)]), name('id')].join(', ')
    const columns = [from, to, typeColumn].map(name).join(', ')
    return sql(
      `select ${columns} from ${this.#writing.name(table)} l where ${where.text} order by ${orders}`,
      ...where.values,
    )
  }

  async #counts(
    session: Session,
    { model, link, target }: { readonly model: Model; readonly link: Link; readonly target: Model | undefined },
    ids: readonly number[],
    params: QueryParams,
  ): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    for (const part of chunks(ids)) {
      if (!target) {
        for (const [owner] of await this.#writing.rows(session, this.#typedRows(link, model, part)))
          counts.set(Number(owner), (counts.get(Number(owner)) ?? 0) + 1)
        continue
      }
      const { from, on } = this.#linkRows(link, target, 't', 'l')
      const owner = link.storage.via === 'column' ? this.#writing.column('l', 'id') : on
      const list = this.#writing.list(part)
      const condition = this.#condition(target, 't', params)
      const where = joined(
        [sql(`${owner} in ${list.text}`, ...list.values), ...this.#matches(link, 't'), condition],
        ' and ',
      )
      const body = sql(`select ${owner}, count(*) from ${from} where ${where.text} group by ${owner}`, ...where.values)
      for (const [id, count] of await this.#writing.rows(session, body)) counts.set(Number(id), Number(count))
    }
    return counts
  }
}

/** Conditions may go through links: what rows are sorted by is then read with them. */
function withOrder(model: Model, params: QueryParams): QueryParams {
  if (params.select === undefined || params.select === null) return params
  const names = readOrder(params.orderBy).flatMap(({ path: [name = '', ...rest] }) =>
    rest.length === 0 && model.columns.has(name) ? [name] : [],
  )
  return { ...params, select: [...names, ...[params.select].flat()] }
}

/** The columns that are read; a name that is none is left for the database to refuse. */
function columnsOf(model: Model, select: unknown, needsId: boolean): readonly Column[] {
  const all = [...model.columns.values()]
  if (select === undefined || select === null || select === '*') return all
  const names = [...new Set([select].flat().map(String))]
  if (names.includes('*')) return all
  if (needsId && !names.includes('id')) names.push('id')
  return names.map(
    name => model.columns.get(name) ?? { name, column: name, as: 'text', attribute: { type: 'unknown' } },
  )
}

function decoded(
  rows: readonly (readonly unknown[])[],
  columns: readonly Column[],
  writing: Writing,
  skipped = 0,
): Entry[] {
  return rows.map(row => {
    const entry: Entry = {}
    for (let at = 0; at < columns.length; at += 1) {
      const { name, as } = columns[at] as Column
      entry[name] = writing.decode(as, row[at + skipped])
    }
    return entry
  })
}

const asParams = (given: unknown): QueryParams => (isPlain(given) ? (given as QueryParams) : {})

/** The id of an entry says where it belongs. */
const withId = (params: QueryParams): QueryParams =>
  params.select === undefined || params.select === '*'
    ? params
    : { ...params, select: ['id', ...[params.select].flat()] }

/** The columns of a list that no function stands in, or a cast at most. */
const columnList = (columns: string): string[] => columns.split(/, (?![^(]*\))/)
