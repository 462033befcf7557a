import { typeOf, types } from './model.mjs'

const columnTypes = {
  sqlite: {
    id: 'integer primary key autoincrement not null',
    text: 'text',
    decimal: 'float',
    boolean: 'boolean',
    datetime: 'datetime',
    ref: 'integer',
    order: 'float',
  },
  postgres: {
    id: 'serial primary key',
    text: 'text',
    decimal: 'numeric(10,2)',
    boolean: 'boolean',
    datetime: 'timestamp(6)',
    ref: 'integer',
    order: 'double precision',
  },
  mariadb: {
    id: 'int unsigned not null auto_increment primary key',
    text: 'longtext',
    decimal: 'decimal(10,2)',
    boolean: 'tinyint(1)',
    datetime: 'datetime(6)',
    ref: 'int unsigned',
    order: 'double unsigned',
  },
}
const shared = { string: 'varchar(255)', uid: 'varchar(255)', email: 'varchar(255)', integer: 'integer', date: 'date' }

/** The tables of the app in the Strapi v4 layout, and their indexes apart: a large table is filled before it is indexed. */
export function tables(engine) {
  const column = { ...columnTypes[engine], richtext: columnTypes[engine].text, ...shared }
  const create = (name, columns, keys = []) =>
    `create table ${name} (id ${column.id}, ${[...columns.map(([n, type]) => `${n} ${column[type]}`), ...keys].join(', ')})`
  const result = { tables: [], indexes: [] }
  for (const { table, scalars } of types) {
    const stamps = [
      ['created_at', 'datetime'],
      ['updated_at', 'datetime'],
      ['created_by_id', 'ref'],
      ['updated_by_id', 'ref'],
    ]
    result.tables.push(create(table, [...scalars.map(({ field, type }) => [field, type]), ...stamps]))
    for (const column of ['created_by_id', 'updated_by_id'])
      result.indexes.push(`create index ${table}_${column}_fk on ${table} (${column})`)
    for (const { field, type } of scalars) {
      if (type === 'uid') result.indexes.push(`create unique index ${table}_${field}_unique on ${table} (${field})`)
    }
  }
  for (const type of types) for (const link of type.links) addLink(result, create, type, link)
  return result
}

/** The indexes that stele gives a link table: writes pay for each, so every server gets the same. */
function addLink({ tables, indexes }, create, type, { table, ownId, targetId, target, order, inverseOrder }) {
  const key = (suffix, id, to) =>
    `constraint ${table}_${suffix} foreign key (${id}) references ${to} (id) on delete cascade`
  const orders = [order, inverseOrder].filter(Boolean).map(name => [name, 'order'])
  tables.push(
    create(
      table,
      [[ownId, 'ref'], [targetId, 'ref'], ...orders],
      [key('fk', ownId, type.table), key('inv_fk', targetId, typeOf(target).table)],
    ),
  )
  indexes.push(
    `create index ${table}_fk on ${table} (${ownId})`,
    `create index ${table}_inv_fk on ${table} (${targetId})`,
    `create unique index ${table}_unique on ${table} (${ownId}, ${targetId})`,
    `create index ${table}_inv_list on ${table} (${targetId}, ${inverseOrder})`,
    `create index ${table}_order_inv_fk on ${table} (${inverseOrder})`,
  )
  if (order)
    indexes.push(
      `create index ${table}_list on ${table} (${ownId}, ${order})`,
      `create index ${table}_order_fk on ${table} (${order})`,
    )
}
