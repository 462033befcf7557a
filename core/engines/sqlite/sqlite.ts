import { closeSync, existsSync, openSync } from 'node:fs'
import path from 'node:path'
import knexPackage from 'knex'
import { LocalVersions } from '../../cache/local-versions.js'
import type { DatabaseConfig } from '../../config/types.js'
import { UnavailableError } from '../../errors.js'
import { makeFolder } from '../../kit/folder.js'
import { within } from '../../loop/clock.js'
import { statements } from '../../loop/constants.js'
import { addReturning } from '../built.js'
import type { Engine, Layout, Session } from '../engine.js'
import { namesOf, tablesOf } from '../found.js'
import { isLanguage } from '../languages.js'
import { classify } from './classify.js'
import { type Connection, onlyReading } from './connection.js'
import { dataVersion } from './data-version.js'
import { ddlOf } from './ddl.js'
import { facts } from './facts.js'
import { opener } from './opener.js'
import { Reader } from './reader.js'
import { search } from './search.js'
import { values } from './values.js'
import { words } from './words.js'
import { SqliteWriter } from './writing.js'

/** Milliseconds for which a snapshot may keep writers of a database in memory waiting: one that waits for a write never ends. */
const longestSnapshot = 30_000
const stuck =
  'a snapshot of a database in memory was open for too long; writes wait for its end there, so its reads, and hooks of these, ' +
  'cannot wait for a write: use a file'

/** Opens (or creates) the database file; a memory database lives on one connection that readers and writers share. */
export async function openSqlite(config: DatabaseConfig): Promise<Engine> {
  const filename = config.filename ?? ':memory:'
  const inMemory = filename === ':memory:'
  if (!inMemory) makeFile(filename)
  const open = await opener(filename, inMemory ? config : stoppingBriefly(config))
  const writer = open()
  const reader = inMemory ? undefined : new Reader(open, filename, config)
  const file = inMemory ? undefined : filename
  const writing = new SqliteWriter({ writer, filename: file, synchronous: config.synchronous })
  const knex = knexPackage.knex({ client: 'better-sqlite3', useNullAsDefault: true })
  return {
    name: 'sqlite',
    facts,
    ddl: ddlOf(knex),
    words,
    search,
    knex,
    reader: reader ? { all: reader.fairly, run: writing.run } : sharedWith(writer, writing),
    transaction: writing.transaction,
    setLoad: writing.setLoad,
    snapshot: work => (reader ? reader.snapshot(work) : snapshotWith(writer, writing, work)),
    versions: new LocalVersions(dataVersion(writer, writing)),
    ...values,
    add: addReturning(knex),
    languages: async () => isLanguage,
    introspect: async () => introspect(writer),
    locked: work => writing.altering(work),
    altering: writing.altering,
    async alter(statements) {
      for (const sql of statements) writer.exec(sql)
      writing.changedLayout()
    },
    async beforeImport() {
      // None of those pages is worth keeping in memory.
      writer.exec('pragma mmap_size = 0; pragma cache_size = -8192')
    },
    async ping() {
      await (reader ?? writer).all('select 1', [])
    },
    classify,
    async close() {
      await writing.close()
      await reader?.close()
      writing.emptyLog()
      writer.close()
    },
  }
}

/** On the shared connection a read would see a half-done write, so it waits for the end of the transaction. */
const sharedWith = (writer: Connection, writing: SqliteWriter): Session => ({
  async all(sql, values) {
    await writing.idle()
    return writer.all(sql, values)
  },
  run: writing.run,
})

/** A snapshot on the shared connection keeps writers waiting. */
function snapshotWith<T>(
  writer: Connection,
  writing: SqliteWriter,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = onlyReading((sql, values) => writer.all(sql, values))
  const late = () => Object.assign(new UnavailableError(), { cause: new Error(stuck) })
  return writing.still(() => within(longestSnapshot, work(session), late))
}

/** A new database is for its owner alone: it holds hashes and drafts. SQLite gives the files beside it the same mode. */
function makeFile(filename: string): void {
  makeFolder(path.dirname(path.resolve(filename)), 0o700)
  if (!existsSync(filename)) closeSync(openSync(filename, 'a', 0o600))
}

/** A read in a write stops all other requests as well, and has no thread to go on in; 0 stays no limit. */
const stoppingBriefly = (config: DatabaseConfig): DatabaseConfig => ({
  ...config,
  statementTimeout: Math.min(config.statementTimeout, statements.longest),
})

function introspect(connection: Connection): Layout {
  const columns = connection.all(
    "select m.name, c.name, c.type from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'",
    [],
  )
  const indexes = connection.all("select name from sqlite_master where type = 'index'", [])
  return { tables: tablesOf(columns), indexes: namesOf(indexes) }
}
