import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Session } from '../../core/engines/engine.js'
import type { App } from '../../core/kernel.js'
import type { DatabaseSettings, Engine, FreshDatabase } from '../support/engines.js'
import { run } from '../support/run.js'
import { DatabaseSync } from '../support/sqlite.js'
import { copyProject, openProject, type ProjectFolder, restoreProject } from './project.js'

/** The project with its rows on one engine, as often as it is needed in its first state. */
export interface Pristine {
  readonly project: ProjectFolder
  readonly variables: Readonly<Record<string, string>>
  /** The database with the rows, for reads past the server. */
  readonly database: DatabaseSettings
  /** Brings rows and files back to what they were; nothing may have them open. */
  restore(): Promise<void>
  drop(): Promise<void>
}

/** `prepare` changes the copy before anything reads it: config files are read once in a process. */
export async function pristineOn(
  engine: Engine,
  prepare?: (project: ProjectFolder) => void,
  source?: string,
): Promise<Pristine> {
  const project = copyProject(source)
  prepare?.(project)
  if (engine.name === 'sqlite')
    return {
      project,
      variables: {},
      database: { client: 'sqlite', filename: project.database },
      restore: async () => restoreProject(project),
      drop: async () => project.remove(),
    }
  const fresh = await engine.fresh()
  await fill(project, fresh)
  // Without it the planner knows nothing of the tables until it finds the time to look at them.
  if (engine.name === 'postgres') await run(fresh.database, 'analyze')
  const keep = fresh.database.client === 'mysql' ? await keepMysql(fresh) : await keepPostgres(fresh)
  return {
    project,
    variables: fresh.env,
    database: fresh.database,
    async restore() {
      restoreProject(project)
      await keep.restore()
    },
    async drop() {
      await keep.drop()
      await fresh.drop()
      project.remove()
    },
  }
}

/** Tables of Strapi 4 that this server reads or knows it by, and never makes. */
const onlyTheirs = ['strapi_database_schema', 'strapi_webhooks']

/** The tables are this server's, laid out as Strapi 4 does it; the rows are those of the project. */
async function fill(project: ProjectFolder, { env, database }: FreshDatabase): Promise<void> {
  const { app, close } = await openProject(project, env)
  try {
    for (const table of onlyTheirs)
      await app.store.transaction(async session => void (await makeTable(app, tableOf(project, table), session)))
    const mysql = app.store.engine === 'mysql'
    await app.store.transaction(async session => {
      await session.run(mysql ? 'set foreign_key_checks = 0' : 'set local session_replication_role = replica', [])
      for (const { name, columns, rows } of tablesOf(project, await namesIn(database)))
        await copy(app, session, name, columns, rows)
      if (mysql) await session.run('set foreign_key_checks = 1', [])
    })
  } finally {
    await close()
  }
}

const namesIn = async (database: DatabaseSettings): Promise<Set<string>> => {
  const place = database.client === 'mysql' ? 'database()' : 'current_schema()'
  const rows = await run(
    database,
    `select table_name as name from information_schema.tables where table_schema = ${place}`,
  )
  return new Set(rows.map(({ name }) => String(name)))
}

async function makeTable({ store }: App, table: Table, session: Session): Promise<void> {
  const long = store.engine === 'mysql' ? 'longtext' : 'text'
  const kindOf = (type: string) => (/bool/.test(type) ? 'boolean' : /time/.test(type) ? 'timestamp' : long)
  const statements = store.knex.schema
    .createTable(table.name, builder => {
      builder.increments('id')
      for (const { name, type } of table.columns) if (name !== 'id') builder.specificType(name, kindOf(type)).nullable()
    })
    .toSQL() as unknown as { sql: string }[]
  for (const { sql } of statements) await session.run(sql, [])
}

interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

function tablesOf(project: ProjectFolder, names: ReadonlySet<string>): Table[] {
  return [...names].filter(name => !name.startsWith('stele_')).map(name => tableOf(project, name))
}

function tableOf({ source }: ProjectFolder, name: string): Table {
  const file = new DatabaseSync(source, { readOnly: true })
  try {
    const columns = file
      .prepare(`select name, lower(type) as type from pragma_table_info('${name}')`)
      .all() as unknown as Table['columns']
    const read = columns.map(({ name, type }) =>
      type === 'bigint' ? `cast("${name}" as text) as "${name}"` : `"${name}"`,
    )
    const rows = columns.length === 0 ? [] : file.prepare(`select ${read.join(', ')} from "${name}" order by id`).all()
    return { name, columns, rows: rows as Table['rows'] }
  } finally {
    file.close()
  }
}

/** Statements of so many rows are short enough for every engine. */
const rowsAtOnce = 200

async function copy(
  { store }: App,
  session: Session,
  name: string,
  columns: Table['columns'],
  rows: Table['rows'],
): Promise<void> {
  const { knex, engine } = store
  const say = async (query: { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }) => {
    const { sql, bindings } = query.toSQL().toNative()
    await session.run(sql, bindings)
  }
  await say(knex(name).delete())
  const stored = ({ name, type }: Table['columns'][number], value: unknown) => {
    if (value === null) return null
    if (type === 'datetime') return store.encode('datetime', value)
    if (type === 'boolean') return engine === 'postgres' ? value === 1 : value
    // SQLite keeps a text of digits as a number where a column has none of its types.
    return (name === 'value' || type === 'json') && typeof value === 'number' ? String(value) : value
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await say(
      knex(name).insert(
        rows
          .slice(from, from + rowsAtOnce)
          .map(row => Object.fromEntries(columns.map(column => [column.name, stored(column, row[column.name])]))),
      ),
    )
  // Ids go on where those of the project end.
  const last = Math.max(0, ...rows.map(({ id }) => Number(id)))
  if (engine === 'postgres')
    await session.all(`select setval(pg_get_serial_sequence('${name}', 'id'), ${last + 1}, false)`, [])
}

/** Copies of all rows, and a connection that puts them back where they have changed. */
interface RowCopies {
  restore(): Promise<void>
  drop(): Promise<void>
}

type ServerSettings = Extract<DatabaseSettings, { client: 'mysql' | 'postgres' }>

async function keepPostgres({ database }: FreshDatabase): Promise<RowCopies> {
  const { client: _, ...address } = database as ServerSettings
  const names = [...(await namesIn(database))]
  const connection = new pg.Client(address)
  await connection.connect()
  const say = (statements: readonly string[]) => connection.query(statements.join(';'))
  await say(['create schema kept', ...names.map(table => `create table kept.${table} as table public.${table}`)])
  const sums = async (schema: string): Promise<string[]> => {
    const sum = (table: string) =>
      `(select md5(coalesce(string_agg(t::text, ',' order by id), '')) from ${schema}.${table} t)`
    const { rows } = await connection.query({ text: `select ${names.map(sum).join(', ')}`, rowMode: 'array' })
    return rows[0] as string[]
  }
  const wanted = await sums('kept')
  return {
    async restore() {
      const found = await sums('public')
      const changed = names.filter((_, index) => found[index] !== wanted[index])
      await say([
        'begin',
        'set local session_replication_role = replica',
        ...changed.flatMap(table => [`delete from ${table}`, `insert into ${table} select * from kept.${table}`]),
        // Ids that were given and taken back count too.
        ...names.map(
          table =>
            `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 0) + 1 from ${table}), false)`,
        ),
        'commit',
      ])
    },
    drop: () => connection.end(),
  }
}

async function keepMysql({ database }: FreshDatabase): Promise<RowCopies> {
  const { client: _, ...address } = database as ServerSettings
  const name = address.database
  const kept = `kept_${randomBytes(6).toString('hex')}`
  const connection = await mysql.createConnection({ ...address, multipleStatements: true })
  const say = (statements: readonly string[]) => connection.query(statements.join(';'))
  const names = [...(await namesIn(database))]
  await say([
    `create database ${kept}`,
    ...names.flatMap(table => [
      `create table ${kept}.${table} like ${name}.${table}`,
      `insert into ${kept}.${table} select * from ${name}.${table}`,
    ]),
  ])
  const sums = async (of: string): Promise<string[]> => {
    const [rows] = await connection.query(`checksum table ${names.map(table => `${of}.${table}`).join(', ')}`)
    return (rows as { Checksum: unknown }[]).map(({ Checksum }) => String(Checksum))
  }
  const wanted = await sums(kept)
  return {
    async restore() {
      const found = await sums(name)
      const changed = names.filter((_, index) => found[index] !== wanted[index])
      await say([
        'set foreign_key_checks = 0',
        ...changed.flatMap(table => [
          `delete from ${name}.${table}`,
          `insert into ${name}.${table} select * from ${kept}.${table}`,
        ]),
        // Ids that were given and taken back count too.
        ...names.map(table => `alter table ${name}.${table} auto_increment = 1`),
      ])
    },
    async drop() {
      await say([`drop database ${kept}`])
      await connection.end()
    },
  }
}
