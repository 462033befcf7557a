import { DatabaseSync } from '../../../support/sqlite.js'
import { columnsOf, type Database, indexesOf, keysOf, namesOf, textOf } from './database-layout.js'
import { strangeRows } from './strapi-rows.js'

/**
 * What Strapi 4.26 would not find as it has left it, in a database that it has made (`start`) and that was worked in since
 * (`end`): none where it can take over again. It is compared with what Strapi has written itself; Strapi is not started.
 */
export function strangeForStrapi(start: string, end: string): string[] {
  const [before, after] = [start, end].map(file => new DatabaseSync(file, { readOnly: true })) as [Database, Database]
  try {
    return [...strangeFile(after), ...strangeLayout(before, after), ...strangeOwnTables(before, after)].concat(
      strangeRows(before, after),
    )
  } finally {
    before.close()
    after.close()
  }
}

/** The file itself is whole. */
function strangeFile(after: Database): string[] {
  const whole = after.prepare('pragma integrity_check').all().map(textOf)
  const keys = after.prepare('pragma foreign_key_check').all().map(textOf)
  return [
    ...whole.filter(text => text !== '{"integrity_check":"ok"}'),
    ...keys.map(text => `a foreign key leads nowhere: ${text}`),
  ]
}

/** Indexes that the manual names: Strapi drops them where its schema files change, and they come back. */
const ownIndex = /^{"name":"(\w+_list|\w+_present_index|\w+_locale_index|up_users_email_index)"/

/** Tables, columns, keys and indexes are those of before. */
function strangeLayout(before: Database, after: Database): string[] {
  const found = new Set(namesOf(after, 'table'))
  const recorded = 'strapi_database_schema'
  const hashes = [before, after].map(one =>
    textOf(found.has(recorded) && one.prepare(`select * from ${recorded}`).all()),
  )
  const parts = { column: columnsOf, key: keysOf, index: indexesOf }
  const hash = hashes[0] === hashes[1] ? [] : [`${recorded} has another row`]
  const strange = namesOf(before, 'table').flatMap(table => {
    if (!found.has(table)) return [`the table ${table} is gone`]
    return Object.entries(parts).flatMap(([part, read]) => {
      const [was, is] = [read(before, table), read(after, table)]
      return [
        ...was.filter(one => !is.includes(one)).map(one => `${table} has lost the ${part} ${one}`),
        // A change of the schema has Strapi drop columns and indexes that it does not know, and needs none of these.
        ...is
          .filter(one => !was.includes(one) && !ownIndex.test(one))
          .map(one => `${table} has the ${part} ${one}, which Strapi has not made`),
      ]
    })
  })
  return [...hash, ...strange]
}

/** A key that keeps another row from being deleted, or its table. */
const isHolding = (key: string): boolean => !/"on_delete":"(SET NULL|CASCADE)"/.test(key)

/** Further tables hold none of Strapi's rows, and are in its list of tables that it leaves alone. */
function strangeOwnTables(before: Database, after: Database): string[] {
  const known = new Set(namesOf(before, 'table'))
  const own = namesOf(after, 'table').filter(table => !known.has(table) && table !== 'sqlite_sequence')
  const [row] = after.prepare(`select value from strapi_core_store_settings where key = 'core_persisted_tables'`).all()
  const kept: unknown = JSON.parse(String(row?.value ?? '[]'))
  return [
    ...own
      .filter(table => table.startsWith('stele_') && !(Array.isArray(kept) && kept.includes(table)))
      .map(table => `${table} is not among the tables that Strapi keeps`),
    ...own
      .filter(table => table.startsWith('stele_'))
      .flatMap(table =>
        keysOf(after, table)
          .filter(isHolding)
          .map(key => `${table} has the foreign key ${key}`),
      ),
    ...['view', 'trigger'].flatMap(type =>
      namesOf(after, type)
        .filter(name => !namesOf(before, type).includes(name) && !name.startsWith('stele_'))
        .map(name => `there is the ${type} ${name}`),
    ),
  ]
}
