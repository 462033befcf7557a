import { createHash, randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { rowsOf } from '../../engines/built.js'
import type { RawRow, Session } from '../../engines/engine.js'
import { foreignLayout } from '../../foreign/known.js'
import {
  type ArchiveTable,
  format,
  type Head,
  headName,
  type Manifest,
  type MemberCheck,
  manifestName,
  partFolder,
  settingsName,
  type TableCount,
  tableFolder,
} from './archive.js'
import { lastId } from './counters.js'
import type { Progress, TransferHost } from './host.js'
import { type ScopedTable, scopeOf } from './scope.js'
import type { Spool } from './spool.js'
import { ending, filling, headerOf } from './tar.js'
import { outward, representationOf } from './values.js'

export interface ExportOptions {
  /** True if the archive has accounts, their permissions and the sign-in settings. */
  readonly accounts: boolean
  /** The version of this server. */
  readonly stele: string
  readonly spool: Spool
  readonly progress: Progress
}

export interface ExportSummary {
  readonly id: string
  readonly tables: Readonly<Record<string, number>>
  /** Numbers of things that plugins added beside their rows. */
  readonly parts: Readonly<Record<string, number>>
  /** The manifest, which proves that the archive is complete. */
  readonly manifest: Manifest
}

/** The whole content as the bytes of an archive; the session shows one state of the database from first to last. */
export async function* exportArchive(
  host: TransferHost,
  session: Session,
  { accounts, stele, spool, progress }: ExportOptions,
): AsyncGenerator<Uint8Array, ExportSummary> {
  const made = Date.now()
  const { tables, settings } = await present(host, accounts)
  const head: Head = {
    ...{ format, id: randomUUID(), made: new Date(made).toISOString(), stele, engine: host.engine.name, accounts },
    types: Object.fromEntries([...host.types.types.values()].map(type => [type.uid, hashOf(type.attributes)])),
    tables: tables.map(outlineOf),
    settings,
    plugins: host.plugins.filter(plugin => plugin.export).map(({ name }) => name),
  }
  const members: MemberCheck[] = []
  const counts: Record<string, TableCount> = {}
  const parts: Record<string, number> = {}

  async function* add(name: string, content: AsyncIterable<Uint8Array>) {
    const { size, sha256 } = await spool.fill(content)
    members.push({ name, size, sha256 })
    yield headerOf(name, size, made)
    yield* spool.content()
    yield filling(size)
  }

  yield* add(headName, json(head))
  for (const table of tables) {
    const total = await countOf(host, session, table)
    const last = await lastId(host.engine, session, table.name)
    let rows = 0
    yield* add(
      `${tableFolder}${table.name}.jsonl`,
      linesOf(host, session, table, count => {
        rows += count
        if (total > 0) progress.at(table.name, rows, total)
      }),
    )
    counts[table.name] = { rows, last }
  }
  yield* add(settingsName, settingsOf(host, session, settings))
  for (const plugin of host.plugins) {
    if (!plugin.export) continue
    let count = 0
    for await (const { name, content } of plugin.export(session)) {
      yield* add(`${partFolder}${plugin.name}/${name}`, content)
      count += 1
      progress.at(plugin.name, count)
    }
    parts[plugin.name] = count
  }
  const manifest: Manifest = { format, id: head.id, tables: counts, members }
  yield* add(manifestName, json(manifest))
  yield ending()
  return {
    id: head.id,
    tables: Object.fromEntries(Object.entries(counts).map(([name, { rows }]) => [name, rows])),
    parts,
    manifest,
  }
}

async function present(host: TransferHost, accounts: boolean) {
  const { tables: found } = await host.engine.introspect()
  const { tables, settings } = scopeOf(host, accounts, found)
  return {
    tables: tables.filter(({ name }) => found.has(name)),
    settings: found.has(foreignLayout.settingsTable) ? settings : [],
  }
}

const outlineOf = ({ name, type, columns }: ScopedTable): ArchiveTable => ({
  name,
  ...(type !== undefined && { type }),
  columns: Object.fromEntries(columns.map(column => [column.name, column.as])),
})

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

async function* json(value: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}

async function countOf({ engine }: TransferHost, session: Session, table: ScopedTable): Promise<number> {
  const [row] = await rowsOf(session, table.narrow(engine.knex(table.name)).count('id'))
  return Number(row?.[0] ?? 0)
}

const batchRows = 1000
/** Rows in a batch of a table with long texts, as one may be as large as a whole body. */
const batchLongRows = 100
const batchBytes = 1024 * 1024

/** The rows of a table, a line each, by ascending id. */
async function* linesOf(
  { engine }: TransferHost,
  session: Session,
  table: ScopedTable,
  tell: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const { knex } = engine
  const isLong = table.columns.some(({ as }) => as === 'longtext' || as === 'json')
  const most = isLong ? batchLongRows : batchRows
  const columns = table.columns.map(({ name, as }) => selected(engine, name, representationOf(as)))
  let limit = most
  for (let last = 0; ; ) {
    const query = table.narrow(knex(table.name).select('id', ...columns)).where('id', '>', last)
    const rows = await rowsOf(session, query.orderBy('id').limit(limit))
    const text = rows.map(row => lineOf(engine, table, row)).join('')
    const lines = Buffer.from(text)
    if (rows.length > 0) yield lines
    tell(rows.length)
    if (rows.length < limit) return
    last = Number(rows.at(-1)?.[0])
    limit = Math.max(1, Math.min(most, Math.floor((limit * batchBytes) / lines.length)))
  }
}

function selected(engine: TransferHost['engine'], name: string, as: ReturnType<typeof representationOf>): Knex.Raw {
  const column = engine.knex.ref(name).toString()
  return engine.knex.raw(engine.selected?.(as, column) ?? column)
}

function lineOf(engine: TransferHost['engine'], { columns, loose }: ScopedTable, row: RawRow): string {
  const values: Record<string, unknown> = { id: Number(row[0]) }
  for (const [index, { name, as }] of columns.entries()) values[name] = outward(engine, as, row[index + 1])
  if (loose?.types.includes(String(values[loose.typeColumn])))
    for (const column of [loose.column, loose.typeColumn]) values[column] = null
  return `${JSON.stringify(values)}\n`
}

async function* settingsOf(
  { engine }: TransferHost,
  session: Session,
  keys: readonly string[],
): AsyncGenerator<Uint8Array> {
  if (keys.length === 0) return
  const query = engine
    .knex(foreignLayout.settingsTable)
    .select('key', 'value', 'type')
    .whereIn('key', keys)
    .orderBy('key')
  for (const [key, value, type] of await rowsOf(session, query))
    yield Buffer.from(`${JSON.stringify({ key, value, type })}\n`)
}
