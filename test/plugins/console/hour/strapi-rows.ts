import { allOf, type Database, namesOf, type Row, textOf } from './database-layout.js'

/** Rows that are not in the form in which Strapi writes them, in tables that it has made. */
export function strangeRows(before: Database, after: Database): string[] {
  const there = new Set(namesOf(after, 'table'))
  const tables = namesOf(before, 'table').filter(
    table => there.has(table) && !/^(sqlite_|strapi_database_schema$|strapi_migrations$)/.test(table),
  )
  const rows = new Map(tables.map(table => [table, allOf(after, table)]))
  const former = new Map(tables.map(table => [table, allOf(before, table)]))
  return [
    ...tables.flatMap(table => strangeValues(after, table, rows.get(table) ?? [])),
    ...tables.flatMap(table => strangeOrders(after, table, rows.get(table) ?? [], former.get(table) ?? [])),
    ...strangeComponents(rows),
    ...strangeFiles(rows),
    ...strangeLanguages(rows),
    ...strangeAccounts(rows, former),
    ...strangeSettings(rows, former),
  ]
}

type Rows = ReadonlyMap<string, readonly Row[]>

const isJson = (value: unknown): boolean => {
  try {
    JSON.parse(String(value))
    return typeof value === 'string'
  } catch {
    return false
  }
}
const isMoment = (value: unknown): boolean => typeof value === 'bigint' && value > -8_640_000_000_000_000n

/** The forms of values by the declared type of their column, as Strapi writes them on SQLite. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: value => typeof value === 'bigint',
  bigint: value => typeof value === 'bigint',
  'varchar(255)': value => typeof value === 'string',
  text: value => typeof value === 'string',
  // SQLite makes numbers of texts that are some.
  json: value => typeof value === 'bigint' || typeof value === 'number' || isJson(value),
  boolean: value => value === 0n || value === 1n,
  float: value => typeof value === 'number' || typeof value === 'bigint',
  date: value => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  time: value => typeof value === 'string' && /^\d\d:\d\d:\d\d\.\d{3}$/.test(value),
  datetime: isMoment,
}

function strangeValues(database: Database, table: string, rows: readonly Row[]): string[] {
  const columns = database.prepare(`pragma table_info("${table}")`).all()
  return columns.flatMap(({ name, type }) => {
    const form = forms[String(type).toLowerCase()]
    if (!form) return [`${table}.${name} is of the unknown type ${type}`]
    const wrong = rows.filter(row => row[String(name)] !== null && !form(row[String(name)]))
    return wrong.slice(0, 3).map(row => `${table} ${row.id}: ${name} (${type}) is ${textOf(row[String(name)])}`)
  })
}

/** Strapi counts in the lists of owners from 1 on; an entry that is deleted leaves its place. */
function strangeOrders(database: Database, table: string, rows: readonly Row[], former: readonly Row[]): string[] {
  if (!table.endsWith('_links')) return []
  const [owner = '', target = ''] = Object.keys(rows[0] ?? former[0] ?? {}).filter(name => name.endsWith('_id'))
  const pairs = new Map<string, number>()
  for (const row of rows)
    pairs.set(`${row[owner]} ${row[target]}`, (pairs.get(`${row[owner]} ${row[target]}`) ?? 0) + 1)
  const twice = [...pairs]
    .filter(([, count]) => count > 1)
    .map(([pair]) => `${table} has ${owner} ${target} ${pair} twice`)
  const dangling = rows
    .filter(row => row[owner] === null || row[target] === null)
    .map(row => `${table} has a link without an end: ${textOf(row)}`)
  const order = orderOf(database, table)
  if (order === undefined) return [...twice, ...dangling]
  const strange = (all: readonly Row[]) => new Set(notCounted(all, owner, order))
  const was = strange(former)
  return [
    ...twice,
    ...dangling,
    ...[...strange(rows)].filter(one => !was.has(one)).map(one => `${table}.${order}: ${one}`),
  ]
}

/** The column with the places in the list of the owner: an index of its name says so. */
function orderOf(database: Database, table: string): string | undefined {
  const [found] = database.prepare(`pragma index_info("${table}_order_fk")`).all()
  return found === undefined ? undefined : String(found.name)
}

function notCounted(rows: readonly Row[], owner: string, order: string): string[] {
  return [...grouped(rows, row => String(row[owner]))].flatMap(([id, all]) => {
    const places = all.map(row => Number(row[order])).sort((one, other) => one - other)
    return isRising(places) ? [] : [`${owner} ${id} has the places ${places}`]
  })
}

const isRising = (places: readonly number[]): boolean =>
  places.every((place, at) => Number.isInteger(place) && place > (places[at - 1] ?? 0))

const isCounted = (places: readonly number[]): boolean => places.every((place, at) => place === at + 1)

function grouped(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row])
  return groups
}

/** The table of a component: its name follows from that of the component. */
function tableOf(rows: Rows, component: unknown): string {
  const start = `components_${String(component).replace(/[.-]/g, '_')}`
  return [...rows.keys()].find(table => table.startsWith(start) && !/_(links|components)$/.test(table)) ?? start
}

/** Each component belongs to one entry or component, in the order of its field. */
function strangeComponents(rows: Rows): string[] {
  const joins = [...rows].filter(([table]) => table.endsWith('_components'))
  const owners = new Map<string, number>()
  const found: string[] = []
  for (const [table, all] of joins) {
    for (const { component_type, component_id } of all) {
      const name = `${tableOf(rows, component_type)} ${component_id}`
      owners.set(name, (owners.get(name) ?? 0) + 1)
    }
    for (const [list, items] of grouped(all, row => `${row.entity_id} ${row.field}`)) {
      const places = items.map(row => Number(row.order ?? 1)).sort((one, other) => one - other)
      if (!isCounted(places)) found.push(`${table}: ${list} has the places ${places}`)
    }
  }
  const parts = [...rows].filter(([table]) => /^components_/.test(table) && !/_(links|components)$/.test(table))
  const known = new Set(parts.flatMap(([table, all]) => all.map(row => `${table} ${row.id}`)))
  return [
    ...found,
    ...[...owners].filter(([, count]) => count > 1).map(([name]) => `the component ${name} is in two places`),
    ...[...owners.keys()].filter(name => !known.has(name)).map(name => `the component ${name} is missing`),
    ...[...known].filter(name => !owners.has(name)).map(name => `the component ${name} belongs to nothing`),
  ]
}

/** Files are in the folders that their paths say, and in the order of their fields. */
function strangeFiles(rows: Rows): string[] {
  const of = (table: string) => rows.get(table) ?? []
  const paths = new Map(of('upload_folders').map(row => [row.id, row.path]))
  const parents = new Map(of('upload_folders_parent_links').map(row => [row.folder_id, row.inv_folder_id]))
  const folders = new Map(of('files_folder_links').map(row => [row.file_id, row.folder_id]))
  const files = new Set(of('files').map(({ id }) => id))
  return [
    ...of('upload_folders')
      .filter(row => row.path !== `${paths.get(parents.get(row.id)) ?? ''}/${row.path_id}`)
      .map(row => `the folder ${row.id} has the path ${row.path}`),
    ...of('files')
      .filter(row => row.folder_path !== (paths.get(folders.get(row.id)) ?? '/'))
      .map(row => `the file ${row.id} has the folder path ${row.folder_path}`),
    ...of('files_related_morphs')
      .filter(row => !files.has(row.file_id))
      .map(row => `a field has the missing file ${row.file_id}`),
    ...[...grouped(of('files_related_morphs'), row => `${row.related_type} ${row.related_id} ${row.field}`)]
      .map(([field, all]) => [field, all.map(row => Number(row.order)).sort((a, b) => a - b)] as const)
      .filter(([, places]) => !isCounted(places))
      .map(([field, places]) => `the files of ${field} have the places ${places}`),
  ]
}

/** Entries in several languages lead to each other, both ways. */
function strangeLanguages(rows: Rows): string[] {
  return [...rows]
    .filter(([table]) => table.endsWith('_localizations_links'))
    .flatMap(([table, all]) => {
      const [one = '', other = ''] = Object.keys(all[0] ?? {}).filter(name => name.endsWith('_id'))
      const pairs = new Set(all.map(row => `${row[one]} ${row[other]}`))
      return all
        .filter(row => !pairs.has(`${row[other]} ${row[one]}`))
        .map(row => `${table} has ${row[one]} ${row[other]} one way`)
    })
}

/** Accounts, roles and permissions have what Strapi's own have. */
function strangeAccounts(rows: Rows, former: Rows): string[] {
  const of = (table: string) => rows.get(table) ?? []
  const accounts = new Set(of('admin_users').map(({ id }) => id))
  const actions = new Set((former.get('admin_permissions') ?? []).map(({ action }) => action))
  const roled = new Set(of('admin_permissions_role_links').map(row => row.permission_id))
  const makers = [...rows].flatMap(([table, all]) =>
    all
      .filter(row =>
        [row.created_by_id, row.updated_by_id].some(id => id !== undefined && id !== null && !accounts.has(id)),
      )
      .map(row => `${table} ${row.id} was made or changed by an account that is missing`),
  )
  return [
    ...makers,
    ...of('admin_users')
      .filter(
        ({ email, password }) => email !== String(email).toLowerCase() || (password !== null && !isHash(password)),
      )
      .map(({ id }) => `the account ${id} has no address or hash of Strapi's form`),
    ...of('admin_permissions').flatMap(row => [
      ...(actions.has(row.action) ? [] : [`the permission ${row.id} has the unknown action ${row.action}`]),
      ...(isList(row.conditions) ? [] : [`the permission ${row.id} has the conditions ${row.conditions}`]),
      ...(roled.has(row.id) ? [] : [`the permission ${row.id} belongs to no role`]),
    ]),
    ...of('admin_roles')
      .filter(({ code }) => !/^[a-z0-9-]+$/.test(String(code)))
      .map(({ id, code }) => `the role ${id} has the code ${code}`),
  ]
}

const isHash = (value: unknown): boolean => /^\$2a\$10\$.{53}$/.test(String(value))
const isList = (value: unknown): boolean => isJson(value) && Array.isArray(JSON.parse(String(value)))

/** Stored settings have the keys and the parts of before: what a layout lacks, Strapi would not find. */
function strangeSettings(rows: Rows, former: Rows): string[] {
  const table = 'strapi_core_store_settings'
  const now = new Map((rows.get(table) ?? []).map(row => [row.key, row]))
  return (former.get(table) ?? []).flatMap(row => {
    const is = now.get(row.key)
    if (!is) return [`the setting ${row.key} is gone`]
    if (is.type !== row.type) return [`the setting ${row.key} is of the type ${is.type}`]
    const [was, found] = [row.value, is.value].map(value => partsOf(JSON.parse(String(value))))
    return (was ?? []).filter(part => !found?.includes(part)).map(part => `the setting ${row.key} lacks ${part}`)
  })
}

/** The names in a stored value, two levels deep: places of fields in a layout change. */
const partsOf = (value: unknown): string[] =>
  isParts(value)
    ? Object.entries(value).flatMap(([name, inner]) => [
        name,
        ...(isParts(inner) ? Object.keys(inner).map(part => `${name}.${part}`) : []),
      ])
    : []

const isParts = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
