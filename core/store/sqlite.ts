import { mkdirSync } from 'node:fs'
import path from 'node:path'
import knexPackage from 'knex'
import type { DatabaseConfig } from '../config/types.js'
import { UnavailableError } from '../errors.js'
import {
  backOff,
  type Engine,
  type Failure,
  type Layout,
  type LikeOptions,
  pattern,
  type RawRow,
  type Representation,
  type Session,
} from './engine.js'
import { iso } from './iso.js'
import { parseJson } from './json.js'
import { type Connection, inTime, opener } from './sqlite-connection.js'
import { Disk } from './sqlite-disk.js'
import { Turns } from './turns.js'
import { WriteQueue } from './write-queue.js'

/** How long a write waits for another process before it is refused. */
const patience = 5000

const types: Record<Representation, string> = {
  id: 'integer',
  text: 'varchar(255)',
  longtext: 'text',
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'float',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
}

/** Opens (or makes) the database file; a memory database lives on one connection that readers and writers share. */
export async function openSqlite(config: DatabaseConfig): Promise<Engine> {
  const filename = config.filename ?? ':memory:'
  const inMemory = filename === ':memory:'
  if (!inMemory) mkdirSync(path.dirname(filename), { recursive: true })

  const open = await opener(filename, config)
  const writer = open()
  const reader = inMemory ? writer : open()
  const disk = inMemory ? undefined : new Disk(filename, writer, config.synchronous)
  const turns = new Turns()
  const dataVersion = reader.db.prepare('pragma data_version')
  dataVersion.setReturnArrays(true)
  let written = 0
  let reads = 0
  let version: string | undefined
  let isLogged = inMemory
  const begin = async () => {
    disk?.prepare()
    await patiently(() => {
      // The mode is written into the file, so a file that is only read keeps its own. Other servers read either.
      if (!isLogged) writer.db.exec('pragma journal_mode = wal')
      isLogged = true
      writer.run('begin immediate', [])
    })
  }

  let leeway = () => 0
  const queue = new WriteQueue({
    begin,
    async commit() {
      writer.run('commit', [])
      written += 1
      version = undefined
      await disk?.flush()
    },
    rollback: () => writer.db.exec('rollback'),
    save: () => writer.run('savepoint w', []),
    release: () => writer.run('release w', []),
    undo: () => writer.run('rollback to w', []),
    rest: () => disk?.rest(),
    reads: () => reads,
    strain: strainOfProcess(),
    leeway: () => leeway(),
  })

  /** On the shared connection a read would see a half-done write, so it waits for the transaction's end. */
  const reading: Session = inMemory
    ? {
        async all(sql, values) {
          await queue.idle()
          return writer.all(sql, values)
        },
        run: (sql, values) => queue.add(async () => writer.run(sql, values)),
      }
    : {
        all: (sql, values) => {
          reads += 1
          return turns.take(sql, () => reader.all(sql, values))
        },
        run: (sql, values) => queue.add(async () => writer.run(sql, values)),
      }

  const altering: Engine['altering'] = async work => {
    await queue.idle()
    await begin()
    try {
      const done = await work(writer)
      writer.db.exec('commit')
      await disk?.flush()
      return done
    } catch (error) {
      if (writer.db.isTransaction) writer.db.exec('rollback')
      throw error
    }
  }

  return {
    name: 'sqlite',
    knex: knexPackage({ client: 'better-sqlite3', useNullAsDefault: true }),
    reader: reading,
    transaction: work => queue.add(() => work(writer)),
    heed(given) {
      leeway = given
    },
    async snapshot(work) {
      if (inMemory) return queue.add(() => work(writer))
      const own = open()
      try {
        // It reads much of the file once: nothing of that is worth keeping in memory.
        own.db.exec('pragma mmap_size = 0; pragma cache_size = -4096; begin')
        return await work(own)
      } finally {
        own.close()
      }
    },
    version() {
      if (version !== undefined) return version
      version = `${(dataVersion.get() as unknown as RawRow)[0]}.${written}`
      // Requests of one turn of the event loop arrived together: another process's write that falls between them came later.
      setImmediate(() => {
        version = undefined
      })
      return version
    },
    columnType: as => types[as],
    encode,
    decode,
    // The driver reads numbers, and refuses those that are too large for one.
    selected: (as, column) => (as === 'bigint' ? `cast(${column} as text)` : column),
    place: () => '?',
    jsonOf,
    inList: column => `${column} in (select value from json_each(?))`,
    bindList: ids => [JSON.stringify(ids)],
    like,
    exact: (column, operator, placeholders) =>
      operator.endsWith('in') ? `${column} ${operator} (${placeholders})` : `${column} ${operator} ${placeholders}`,
    exactTwice: false,
    hasPartialIndexes: true,
    inTime: id => (id === undefined ? `${inTime}()` : `(${id} & 255 or ${inTime}())`),
    introspect: async () => introspect(writer),
    locked: work => altering(work),
    altering,
    undoesLayout: true,
    async alter(statements) {
      for (const sql of statements) writer.db.exec(sql)
    },
    async ping() {
      reader.all('select 1', [])
    },
    classify,
    async close() {
      await queue.idle()
      await disk?.close()
      if (reader !== writer) reader.close()
      // Whoever takes the file somewhere else takes all of it.
      if (!inMemory && isLogged) writer.db.exec('pragma wal_checkpoint(truncate)')
      writer.close()
    },
  }
}

async function patiently(begin: () => void): Promise<void> {
  const deadline = performance.now() + patience
  for (let attempt = 0; ; attempt += 1) {
    try {
      begin()
      return
    } catch (error) {
      if (classify(error)?.kind !== 'retry') throw error
      if (performance.now() > deadline) throw new UnavailableError('The database is busy, try again')
      await backOff(attempt)
    }
  }
}

function encode(as: Representation, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (as === 'boolean') return value ? 1 : 0
  if (as === 'bigint') return BigInt(value as string)
  return value
}

function decode(as: Representation, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (as) {
    case 'boolean':
      return value === 1 ? true : value === 0 ? false : Boolean(value)
    case 'bigint':
      return String(value)
    case 'datetime':
    case 'timestamp':
      return typeof value === 'number' ? iso(value) : looseIso(value)
    case 'json':
      return parseJson(value)
    default:
      return value
  }
}

/** Old rows may hold text where a number of milliseconds belongs. */
function looseIso(value: unknown): unknown {
  const time = Date.parse(String(value))
  return Number.isNaN(time) ? value : iso(time)
}

/** Times are integers of milliseconds; an older row may hold text. Half the price of strftime, which a page asks often. */
const isoOf = (column: string): string => {
  const text = `strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`
  const number = `replace(datetime(${column} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'`
  return `iif(typeof(${column}) = 'text', coalesce(${text}, ${column}), ${number})`
}

function jsonOf(as: Representation, column: string): string {
  switch (as) {
    case 'datetime':
      return isoOf(column)
    case 'timestamp':
      return `cast(${column} as text)`
    case 'boolean':
      return `json(case when ${column} is null then 'null' when ${column} then 'true' else 'false' end)`
    case 'bigint':
      return `cast(${column} as text)`
    case 'decimal':
    case 'float':
      // A whole number is written as 4, not as 4.0; SQLite writes 15 digits of the others, and few need more.
      return `case when ${column} = cast(${column} as integer) then cast(${column} as integer) when typeof(${column}) = 'real' and not (abs(${column}) < 1e8 and ${column} = round(${column}, 6)) then json(digits(${column})) else ${column} end`
    case 'json':
      return `iif(json_valid(${column}), json(${column}), ${column})`
    default:
      return column
  }
}

const plainAscii = /^[\x20-\x7e\s]*$/

function like(column: string, text: string, how: LikeOptions) {
  const not = how.negated ? 'not ' : ''
  if (!how.ignoreCase && how.exactCase) {
    const value = how.literal ? text.replace(/[*?[]/g, '[$&]') : text.replaceAll('%', '*').replaceAll('_', '?')
    const open = how.open === 'both' || how.open === 'start' ? '*' : ''
    const close = how.open === 'both' || how.open === 'end' ? '*' : ''
    return { sql: `${column} ${not}glob ?`, value: `${open}${value}${close}` }
  }
  const escaping = how.literal ? " escape '\\'" : ''
  // LIKE folds ASCII only; other letters are folded by the function that the connection brings, which is slower.
  if (how.ignoreCase && how.exactCase && !plainAscii.test(text))
    return { sql: `fold(${column}) ${not}like ?${escaping}`, value: pattern(text.toLowerCase(), how) }
  return { sql: `${column} ${not}like ?${escaping}`, value: pattern(text, how) }
}

function introspect(connection: Connection): Layout {
  const tables = new Map<string, Map<string, string>>()
  const columns = connection.all(
    "select m.name, c.name, c.type from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'",
    [],
  )
  for (const [table, column, type] of columns as [string, string, string][]) {
    const known = tables.get(table) ?? new Map<string, string>()
    tables.set(table, known.set(column, type.toLowerCase()))
  }
  const indexes = connection.all("select name from sqlite_master where type = 'index'", [])
  return { tables, indexes: new Set(indexes.map(([name]) => String(name))) }
}

function classify(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const unique = /UNIQUE constraint failed: (?:index '([^']+)'|\S+?\.(\w+))/.exec(message)
  if (unique) return { kind: 'unique', ...(unique[2] !== undefined && { column: unique[2] }) }
  if (message.includes(inTime)) return { kind: 'timeout' }
  if (/database is locked|database table is locked|SQLITE_BUSY/i.test(message)) return { kind: 'retry' }
  if (/disk (is )?full|disk I\/O error|disk image is malformed|readonly database|unable to open/i.test(message))
    return { kind: 'unavailable' }
  return undefined
}

/** Tells, again and again, how much of the time since it was asked last went into work. */
function strainOfProcess(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
