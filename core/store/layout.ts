import { createHash } from 'node:crypto'
import type { Dialect } from '../dialect.js'
import { BootError } from '../errors.js'
import { creatorType } from '../schema/creators.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Link } from '../schema/types.js'
import type { Engine, Representation } from './engine.js'

/** A table as the content types want it. Every one has a primary key `id`. */
export interface WantedTable {
  readonly name: string
  readonly columns: readonly WantedColumn[]
  readonly indexes: readonly WantedIndex[]
}

export interface WantedColumn {
  readonly name: string
  readonly type: string
  readonly as: Representation | 'order'
  readonly references?: { readonly table: string; readonly onDelete: 'CASCADE' | 'SET NULL' }
}

export interface WantedIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** An index of this name forbids more than this one, which takes its place. */
  readonly replaces?: string
}

const longestName = { sqlite: Infinity, mysql: 64, postgres: 63 }

/** The tables of all content types and of what leads from one to another, in an order in which they can be made. */
export function wantedTables(registry: Registry, engine: Engine, dialect: Dialect): WantedTable[] {
  const types = [...registry.types.values()].sort(
    (a, b) => Number(b.uid === creatorType.uid) - Number(a.uid === creatorType.uid),
  )
  const tables = new Map<string, WantedTable>()
  for (const type of types) tables.set(type.table, entryTable(type, engine, dialect))
  for (const type of types)
    for (const link of type.links.values()) {
      const table = linkTable(type, link, registry, engine)
      if (table && !tables.has(table.name)) tables.set(table.name, table)
    }
  const longest = longestName[engine.name]
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

function entryTable(type: ContentType, engine: Engine, dialect: Dialect): WantedTable {
  const columns: WantedColumn[] = [...type.fields.values()].map(({ column, type: { as } }) => ({
    name: column,
    as,
    type: engine.columnType(as),
  }))
  const indexes: WantedIndex[] = []
  const nameOf = (suffix: string) => indexName(`${type.table}_${suffix}`)
  const index = (suffix: string, names: readonly string[], unique = false, name?: string) =>
    indexes.push({ name: name === undefined ? nameOf(suffix) : indexName(name), columns: names, unique })
  for (const link of type.links.values()) {
    if (link.storage.via !== 'column') continue
    const { column, typeColumn } = link.storage
    const isCreator = link.targets?.[0] === creatorType.uid
    columns.push({
      name: column,
      as: 'id',
      type: engine.columnType('id'),
      ...(isCreator && { references: { table: 'admin_users', onDelete: 'SET NULL' as const } }),
    })
    if (typeColumn !== undefined) columns.push({ name: typeColumn, as: 'text', type: engine.columnType('text') })
    index(`${column}_fk`, typeColumn === undefined ? [column] : [typeColumn, column])
  }
  for (const { column, type: kind, attribute } of type.fields.values()) {
    const wished =
      attribute.column?.unique === true || kind.unique === true || (attribute.unique === true && dialect.uniqueIndexes)
    const indexable = kind.as !== 'longtext' && kind.as !== 'json'
    const within = type.uniqueWithin.filter(other => other.column !== column).map(other => other.column)
    const unique = [column, ...within]
    if (wished && indexable && within.length > 0 && dialect.uniqueIndexes)
      indexes.push({
        name: nameOf(`${[...within, column].join('_')}_unique`),
        columns: unique,
        unique: true,
        replaces: nameOf(`${column}_unique`),
      })
    else if (wished && indexable) index(`${column}_unique`, unique, true)
    else if (attribute.index === true && indexable) index(`${column}_index`, [column])
  }
  for (const { attributes, unique = false, name } of type.indexes) {
    const names = attributes.map(attribute => type.fields.get(attribute)?.column ?? attribute)
    index(`${names.join('_')}_${unique ? 'unique' : 'index'}`, names, unique, name)
  }
  return { name: type.table, columns, indexes }
}

/** A link table has an index for each direction, one for each direction in its order, and one that forbids doubles. */
function linkTable(type: ContentType, link: Link, registry: Registry, engine: Engine): WantedTable | undefined {
  const { storage, owning } = link
  if (storage.via !== 'table' || !owning) return undefined
  const { table, from, to, order, inverseOrder, typeColumn, match } = storage
  const columns: WantedColumn[] = []
  const id = (name: string, target?: string) =>
    columns.push({
      name,
      as: 'id',
      type: engine.columnType('id'),
      ...(target !== undefined && { references: { table: target, onDelete: 'CASCADE' as const } }),
    })
  const text = (name: string) => columns.push({ name, as: 'text', type: engine.columnType('text') })
  const place = (name: string) =>
    columns.push({
      name,
      as: 'order',
      type: engine.name === 'mysql' ? 'double unsigned' : engine.name === 'postgres' ? 'double precision' : 'float',
    })
  const named =
    (prefix: string) =>
    (suffix: string, names: readonly string[], unique = false): WantedIndex => ({
      name: indexName(`${prefix}_${suffix}`),
      columns: names,
      unique,
    })
  const [index, ofOwner] = [named(table), named(type.table)]

  id(from, type.table)
  if (link.embedded) {
    id(to)
    text('component_type')
    text('field')
    place(order ?? 'order')
    return {
      name: table,
      columns,
      // Named after the owner, not after their own table.
      indexes: [
        ofOwner('field_index', ['field']),
        ofOwner('component_type_index', ['component_type']),
        ofOwner('entity_fk', [from]),
        ofOwner('unique', [from, to, 'field', 'component_type'], true),
        index('list', [from, 'field', order ?? 'order']),
        index('inv_list', [to, 'component_type']),
      ],
    }
  }
  if (link.targets === undefined) {
    id(to)
    text(typeColumn ?? '')
    text('field')
    place(order ?? 'order')
    return {
      name: table,
      columns,
      indexes: [
        index('fk', [from]),
        index('order_index', [order ?? 'order']),
        index('id_column_index', [to]),
        index('list', [from, order ?? 'order']),
        index('inv_list', [to, typeColumn ?? '', 'field', order ?? 'order']),
      ],
    }
  }
  id(to, registry.get(link.targets[0] ?? '').table)
  for (const column of Object.keys(match)) text(column)
  if (order !== undefined) place(order)
  if (inverseOrder !== undefined) place(inverseOrder)
  return {
    name: table,
    columns,
    indexes: [
      index('fk', [from]),
      index('inv_fk', [to]),
      index('unique', [from, to, ...Object.keys(match)], true),
      ...(order === undefined ? [] : [index('order_fk', [order]), index('list', [from, order])]),
      ...(inverseOrder === undefined
        ? []
        : [index('order_inv_fk', [inverseOrder]), index('inv_list', [to, inverseOrder])]),
    ],
  }
}

/** Engines limit the length of index names; a long one is cut and told apart by a hash of the whole. */
function indexName(name: string): string {
  if (name.length <= 60) return name
  return `${name.slice(0, 51)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`
}
