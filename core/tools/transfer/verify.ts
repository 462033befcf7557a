import { createHash } from 'node:crypto'
import { counted } from '../../kit/counted.js'
import type { Room } from '../../schema/representation.js'
import {
  type ArchiveRow,
  type Head,
  headName,
  linesOf,
  type Manifest,
  type MemberCheck,
  manifestName,
  openArchive,
  parseJson,
  partFolder,
  readHead,
  readManifest,
  settingsName,
  tableFolder,
} from './archive.js'
import type { Progress } from './host.js'
import type { Match, Target } from './match.js'
import { type Member, RefusedArchive } from './untar.js'
import { inward } from './values.js'

/** Reads the head alone, for decisions that come before the rest. */
export async function headOf(file: string): Promise<Head> {
  // Awaited, as the archive is closed when this is left.
  for await (const member of openArchive(file)) return await readHead(member)
  throw new RefusedArchive('the archive is empty')
}

/** Reads an archive from end to end and writes nothing: every byte as the manifest says, every value one that has a place. */
export async function verify(
  { file, head }: { readonly file: string; readonly head: Head },
  { targets }: Pick<Match, 'targets'>,
  engine: Room,
  progress: Progress,
): Promise<Manifest> {
  const seen: MemberCheck[] = []
  const tables = new Map<string, number>()
  const rounded = new Map<string, number>()
  let manifest: Manifest | undefined
  let bytes = 0
  for await (const member of openArchive(file)) {
    if (manifest) throw new RefusedArchive(`the archive is damaged: ${member.name} stands behind its manifest`)
    if (member.name === manifestName) {
      manifest = await readManifest(member, head)
      continue
    }
    checkPlace(member.name, seen, head)
    const hash = createHash('sha256')
    const content = watched(member.content, part => {
      hash.update(part)
      bytes += part.length
      progress.at('bytes checked', bytes)
    })
    const target = targets.get(member.name)
    if (target) tables.set(target.table.name, await checkRows({ ...member, content }, target, engine, rounded))
    for await (const _ of content);
    seen.push({ name: member.name, size: member.size, sha256: hash.digest('hex') })
  }
  if (!manifest) throw new RefusedArchive('the archive was cut: it ends before its manifest')
  compare(seen, manifest)
  for (const [name, rows] of tables)
    if (manifest.tables[name]?.rows !== rows)
      throw new RefusedArchive(
        `the archive is damaged: ${name} has ${counted(rows, 'row')}, and not as many as the manifest says`,
      )
  for (const [column, count] of rounded)
    progress.warn(
      `of ${column}, ${counted(count, 'value has', 'values have')} more digits than ${engine.name} keeps, and will be rounded to two`,
    )
  return manifest
}

/** Members come in the order in which they can be taken. */
function checkPlace(name: string, seen: readonly MemberCheck[], head: Head): void {
  const isDouble = seen.some(member => member.name === name)
  const isFirst = seen.length === 0
  const isKnown =
    head.tables.some(table => `${tableFolder}${table.name}.jsonl` === name) ||
    name === settingsName ||
    head.plugins.some(plugin => name.startsWith(`${partFolder}${plugin}/`))
  if (isDouble || (isFirst ? name !== headName : !isKnown))
    throw new RefusedArchive(`the archive is damaged: it holds ${JSON.stringify(name)} where that does not belong`)
}

function compare(seen: readonly MemberCheck[], { members }: Manifest): void {
  for (const [index, wanted] of members.entries()) {
    const found = seen[index]
    if (found?.name !== wanted.name)
      throw new RefusedArchive(`the archive is damaged: ${wanted.name} is not in its place`)
    if (found.size !== wanted.size || found.sha256 !== wanted.sha256)
      throw new RefusedArchive(`the archive is damaged: the checksum of ${wanted.name} is another one`)
  }
  const more = seen[members.length]
  if (more) throw new RefusedArchive(`the archive is damaged: its manifest does not know ${more.name}`)
}

async function checkRows(
  { name, content }: Member,
  target: Target,
  engine: Room,
  rounded: Map<string, number>,
): Promise<number> {
  let rows = 0
  let last = 0
  for await (const line of linesOf(content, name)) {
    const row = rowOf(line, name)
    const id = row.id
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= last)
      throw new RefusedArchive(`the archive is damaged: the ids of ${name} do not ascend`)
    checkValues(row, target, engine, rounded)
    last = id
    rows += 1
  }
  return rows
}

function checkValues(row: ArchiveRow, { table, columns }: Target, engine: Room, rounded: Map<string, number>) {
  for (const { name, as } of columns) {
    const value = row[name]
    try {
      inward(engine, as, value)
    } catch (reason) {
      if (typeof reason !== 'string') throw reason
      throw new RefusedArchive(`${table.name}, row ${row.id}: ${name} ${reason}; nothing was imported`)
    }
    if (as === 'decimal' && engine.facts.exactDecimals && /\.\d{3}|e-/.test(String(value))) {
      const column = `${table.name}.${name}`
      rounded.set(column, (rounded.get(column) ?? 0) + 1)
    }
  }
}

/** A line as a row; its own id and values are still unchecked. */
export function rowOf(line: string, where: string): ArchiveRow {
  const row = parseJson(line)
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new RefusedArchive(`the archive is damaged: a line of ${where} is no row`)
  return row as ArchiveRow
}

function watched(content: AsyncIterable<Buffer>, see: (part: Buffer) => void): AsyncIterable<Buffer> {
  const source = content[Symbol.asyncIterator]()
  const next = async () => {
    const result = await source.next()
    if (!result.done) see(result.value)
    return result
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}
