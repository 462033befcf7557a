import { createHash } from 'node:crypto'
import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { creatorType } from '../schema/creators.js'
import type { Registry } from '../schema/registry.js'
import type { Representation } from '../schema/representation.js'
import type { ContentType, Field, IndexWish, Link } from '../schema/types.js'

/** A table as the content types want it. Every one has a primary key `id`. */
export interface WantedTable {
  readonly name: string
  /** The part of the content types that it stores; absent for tables of the server itself. */
  readonly origin?: Origin
  readonly columns: readonly WantedColumn[]
  readonly indexes: readonly WantedIndex[]
}

/** A type's own table; that of one of its links, which leads to a target; or that of all its components, without a name. */
export interface Origin {
  readonly uid: string
  readonly attribute?: string
  readonly target?: string
  /** A plugin brought it: it is there again when the plugin is. */
  readonly ofPlugin?: true
}

export interface WantedColumn {
  readonly name: string
  /** The part of its table that it stands for, whatever its name: an attribute, or a side of a link. */
  readonly part?: string
  /** Its values name types, or attributes. */
  readonly holds?: 'uids' | 'attributes'
  readonly ofPlugin?: true
  readonly type: string
  readonly as: Representation | 'order'
  readonly references?: { readonly table: string; readonly onDelete: 'CASCADE' | 'SET NULL' }
  /** The table that its ids are of, where no key of the database says so: tables may lead to each other in circles. */
  readonly leadsTo?: string
}

export interface WantedIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** It holds only rows in which these columns are set. */
  readonly present?: readonly string[]
  /** Indexes of these names forbid more than this one, which takes their place. */
  readonly replaces?: readonly string[]
}

/** The columns that cannot go while the index is there. */
export const columnsUnder = ({ columns, present = [] }: WantedIndex): readonly string[] => [...columns, ...present]

/** The tables of all content types and of links from one to another, in an order in which they can be made. */
export function wantedTables(registry: Registry, engine: Engine, dialect: Dialect): WantedTable[] {
  const types = [...registry.types.values()].sort(
    (a, b) => Number(b.uid === creatorType.uid) - Number(a.uid === creatorType.uid),
  )
  const tables = new Map<string, WantedTable>()
  for (const type of types) tables.set(type.table, entryTable(type, registry, engine, dialect))
  for (const type of types)
    for (const link of type.links.values()) {
      const table = linkTable(type, link, registry, engine)
      if (table && !tables.has(table.name)) tables.set(table.name, table)
    }
  const longest = engine.facts.longestName
  for (const { name, columns } of tables.values()) {
    const { source = name } = types.find(({ table }) => table === name) ?? {}
    if (name.length > longest)
      throw new BootError(
        `the table "${name}" has a longer name than ${engine.name} takes (${longest}); shorten collectionName or the attribute`,
      )
    const column = columns.find(column => column.name.length > longest)
    if (column)
      throw new BootError(
        `${source}: the column "${column.name}" has a longer name than ${engine.name} takes (${longest}); shorten the attribute, or set column.name`,
      )
  }
  return [...tables.values()]
}

/** Types of the app are those of its schema files, components included. */
const ofPlugin = ({ uid, added }: ContentType, attribute = ''): { readonly ofPlugin?: true } =>
  (uid.includes('::') && !uid.startsWith('api::')) || added.includes(attribute) ? { ofPlugin: true } : {}

const isIndexedAsUnique = (kind: Field['type'], attribute: Field['attribute'], dialect: Dialect): boolean =>
  attribute.column?.unique === true || kind.unique === true || (attribute.unique === true && dialect.uniqueIndexes)

type LinkColumn = Extract<Link['storage'], { via: 'column' }>

/** The columns of a link that stands in the table of its own type. */
function linkColumns(
  type: ContentType,
  link: Link,
  { column, typeColumn }: LinkColumn,
  { engine, leadsTo }: { readonly engine: Engine; readonly leadsTo: string | undefined },
): WantedColumn[] {
  const isCreator = link.targets?.[0] === creatorType.uid
  const plugged = ofPlugin(type, link.name)
  const id: WantedColumn = {
    name: column,
    part: link.name,
    as: 'id',
    type: engine.columnType('id'),
    ...plugged,
    ...(isCreator && { references: { table: 'admin_users', onDelete: 'SET NULL' as const } }),
    ...(!isCreator && leadsTo !== undefined && { leadsTo }),
  }
  if (typeColumn === undefined) return [id]
  const part = `${link.name} type`
  return [id, { name: typeColumn, part, holds: 'uids', as: 'text', type: engine.columnType('text'), ...plugged }]
}

/** Narrower lists of columns: a value that is unique within one of them is unique within all of these columns. */
const narrower = (within: readonly string[]): readonly (readonly string[])[] =>
  within.length > 1 ? [[], ...within.map(one => [one])] : [[]]

/** The index of another server, which stays, is called like that of the attribute alone. */
const isOwn = ({ gone }: ContentType, { uniqueIndexes }: Dialect): boolean => uniqueIndexes || gone !== undefined

function entryTable(type: ContentType, registry: Registry, engine: Engine, dialect: Dialect): WantedTable {
  const columns: WantedColumn[] = [...type.fields.values()].map(({ name, column, type: { as } }) => ({
    name: column,
    part: name,
    as,
    type: engine.columnType(as),
    ...ofPlugin(type, name),
  }))
  const indexes: WantedIndex[] = []
  const nameOf = (suffix: string) => indexName(`${type.table}_${suffix}`)
  const index = (suffix: string, names: readonly string[], unique = false) =>
    indexes.push({ name: nameOf(suffix), columns: names, unique })
  for (const link of type.links.values()) {
    if (link.storage.via !== 'column') continue
    const { column, typeColumn } = link.storage
    const [target] = link.targets ?? []
    const leadsTo = target === undefined ? undefined : registry.get(target).table
    columns.push(...linkColumns(type, link, link.storage, { engine, leadsTo }))
    index(`${column}_fk`, typeColumn === undefined ? [column] : [typeColumn, column])
  }
  for (const field of type.fields.values()) {
    const { column, type: kind, attribute } = field
    if (kind.as === 'longtext' || kind.as === 'json') continue
    if (isIndexedAsUnique(kind, attribute, dialect)) indexes.push(uniqueIndex(type, field, isOwn(type, dialect)))
    else if (attribute.index === true || attribute.moments) index(`${column}_index`, [column])
  }
  indexes.push(...indexesOfPresent(type, engine))
  for (const wish of type.indexes)
    indexes.push({
      name: wantedIndexName(type, wish),
      columns: indexedColumns(type, wish),
      unique: wish.unique === true,
    })
  return { name: type.table, origin: { uid: type.uid, ...ofPlugin(type) }, columns, indexes }
}

/** The index is called like that of the attribute alone unless it is this server's own. */
function uniqueIndex(
  { table, uniqueWithin }: ContentType,
  { column, uniqueOverall }: Field,
  own: boolean,
): WantedIndex {
  const apart = uniqueOverall ? [] : uniqueWithin
  const within = apart.filter(other => other.column !== column).map(other => other.column)
  const nameOf = (...columns: string[]) => indexName(`${[table, ...columns, column].join('_')}_unique`)
  const columns = [column, ...within]
  if (within.length === 0 || !own) return { name: nameOf(), columns, unique: true }
  return { name: nameOf(...within), columns, unique: true, replaces: narrower(within).map(some => nameOf(...some)) }
}

/**
 * The columns of an index that a type asks for. An index that is unique together with a relation gets the columns that unique
 * values are restricted to: an entry outside of them has its relations as well.
 */
export function indexedColumns(
  { fields, links, uniqueWithin }: Pick<ContentType, 'fields' | 'links' | 'uniqueWithin'>,
  { attributes, unique = false }: Pick<IndexWish, 'attributes' | 'unique'>,
): string[] {
  const columns = attributes.map(name => {
    const storage = links.get(name)?.storage
    return storage?.via === 'column' ? storage.column : (fields.get(name)?.column ?? name)
  })
  const within = unique && attributes.some(name => links.has(name)) ? uniqueWithin.map(({ column }) => column) : []
  return [...new Set([...columns, ...within])]
}

/** The name of such an index in the database. */
export function wantedIndexName(type: ContentType, wish: IndexWish): string {
  const kind = wish.unique === true ? 'unique' : 'index'
  return indexName(wish.name ?? `${type.table}_${indexedColumns(type, wish).join('_')}_${kind}`)
}

/**
 * Partial indexes for attributes that nearly every read requires to be present. A second index on the indexed columns of plugins,
 * or on the ids, leaves out the entries that lack the attribute: a page or a total then reads no row to find out.
 */
function indexesOfPresent({ table, fields, added }: ContentType, engine: Engine): WantedIndex[] {
  const marked = [...fields.values()].filter(({ attribute }) => attribute.index === 'present')
  if (marked.length === 0 || !engine.facts.partialIndexes) return []
  const indexed = added.flatMap(name => {
    const field = fields.get(name)
    return field?.attribute.index === true ? [field.column] : []
  })
  const present = marked.map(({ column }) => column)
  // Times follow the id in the index, so that rows stay in the order of their ids.
  const timed = marked.flatMap(({ column, attribute }) => (attribute.moments ? [column] : []))
  return (indexed.length > 0 ? indexed : ['id']).map(column => {
    const plain = indexName(`${table}_${column}_present_index`)
    if (timed.length === 0) return { name: plain, columns: [column], unique: false, present }
    const name = indexName(`${table}_${column}_timed_present_index`)
    return { name, columns: [...new Set([column, 'id', ...timed])], unique: false, present, replaces: [plain] }
  })
}

/** The columns of a link table, in the order in which they are added. */
class LinkColumns {
  readonly list: WantedColumn[] = []
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  id(name: string, part: string, target?: string): void {
    this.list.push({
      name,
      part,
      as: 'id',
      type: this.#engine.columnType('id'),
      ...(target !== undefined && { references: { table: target, onDelete: 'CASCADE' as const } }),
    })
  }

  text(name: string, part: string, holds?: WantedColumn['holds']): void {
    this.list.push({ name, part, ...(holds && { holds }), as: 'text', type: this.#engine.columnType('text') })
  }

  place(name: string, part = 'order'): void {
    this.list.push({ name, part, as: 'order', type: this.#engine.columnType('order') })
  }
}

type LinkRows = Extract<Link['storage'], { via: 'table' }>

const namedAfter =
  (prefix: string) =>
  (suffix: string, names: readonly string[], unique = false): WantedIndex => ({
    name: indexName(`${prefix}_${suffix}`),
    columns: names,
    unique,
  })

/** A link table has an index for each direction, one for each direction in its order, and one that forbids doubles. */
function linkTable(type: ContentType, link: Link, registry: Registry, engine: Engine): WantedTable | undefined {
  const { storage, owning } = link
  if (storage.via !== 'table' || !owning) return undefined
  const columns = new LinkColumns(engine)
  const origin: Origin = {
    uid: type.uid,
    attribute: link.embedded ? '' : link.name,
    ...(link.targets?.length === 1 && !link.embedded && { target: link.targets[0] as string }),
    ...ofPlugin(type, link.embedded ? '' : link.name),
  }
  columns.id(storage.from, 'from', type.table)
  const indexes = link.embedded
    ? componentLinks(storage, columns, type)
    : link.targets === undefined
      ? variedLinks(storage, columns)
      : relationLinks(storage, columns, registry.get(link.targets[0] ?? '').table)
  return { name: storage.table, origin, columns: columns.list, indexes }
}

function componentLinks({ table, from, to, order = 'order' }: LinkRows, columns: LinkColumns, owner: ContentType) {
  columns.id(to, 'to')
  columns.text('component_type', 'type', 'uids')
  columns.text('field', 'field', 'attributes')
  columns.place(order)
  const [index, ofOwner] = [namedAfter(table), namedAfter(owner.table)]
  return [
    // Named after the owner, not after their own table.
    ofOwner('field_index', ['field']),
    ofOwner('component_type_index', ['component_type']),
    ofOwner('entity_fk', [from]),
    ofOwner('unique', [from, to, 'field', 'component_type'], true),
    index('list', [from, 'field', order]),
    index('inv_list', [to, 'component_type']),
  ]
}

/** Links that may lead to entries of any type. */
function variedLinks({ table, from, to, typeColumn = '', order = 'order' }: LinkRows, columns: LinkColumns) {
  columns.id(to, 'to')
  columns.text(typeColumn, 'type', 'uids')
  columns.text('field', 'field', 'attributes')
  columns.place(order)
  const index = namedAfter(table)
  return [
    index('fk', [from]),
    index('order_index', [order]),
    index('id_column_index', [to]),
    index('list', [from, order]),
    index('inv_list', [to, typeColumn, 'field', order]),
  ]
}

function relationLinks(rows: LinkRows, columns: LinkColumns, target: string) {
  const { table, from, to, order, inverseOrder, match } = rows
  columns.id(to, 'to', target)
  for (const column of Object.keys(match)) columns.text(column, `match ${column}`)
  if (order !== undefined) columns.place(order)
  if (inverseOrder !== undefined) columns.place(inverseOrder, 'inverse order')
  const index = namedAfter(table)
  return [
    index('fk', [from]),
    index('inv_fk', [to]),
    index('unique', [from, to, ...Object.keys(match)], true),
    ...(order === undefined ? [] : [index('order_fk', [order]), index('list', [from, order])]),
    ...(inverseOrder === undefined
      ? []
      : [index('order_inv_fk', [inverseOrder]), index('inv_list', [to, inverseOrder])]),
  ]
}

/** Engines limit the length of index names; a long one is cut and told apart by a hash of the whole. */
function indexName(name: string): string {
  if (name.length <= 60) return name
  return `${name.slice(0, 51)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`
}

/** The tables that content types once made of the database: the only things that may ever be renamed or dropped. */
export type RecordedLayout = readonly RecordedTable[]

export interface RecordedTable {
  readonly name: string
  readonly origin: Origin
  readonly columns: readonly RecordedColumn[]
  readonly indexes: readonly WantedIndex[]
  /** Another server made it: a plugin of that server may use it that this one does not know. */
  readonly foreign?: true
}

export interface RecordedColumn extends Pick<WantedColumn, 'name' | 'part' | 'holds' | 'ofPlugin'> {
  /** The representation of its values; absent if that was never certain. */
  readonly as?: Representation | 'order'
  readonly foreign?: true
}
