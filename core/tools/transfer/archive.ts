import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { validatorOf } from '../../ajv.js'
import type { EngineName } from '../../config/engines.js'
import type { WantedColumn } from '../../layout/layout.js'
import { type Member, membersOf, RefusedArchive } from './untar.js'

/** The version of the archive format. */
export const format = 1

/** The members that every archive has, and the folders of the others. */
export const headName = 'archive.json'
export const manifestName = 'manifest.json'
export const settingsName = 'settings.jsonl'
export const tableFolder = 'tables/'
export const partFolder = 'plugins/'

export type ColumnKind = WantedColumn['as']

/** The first member of an archive: everything that decides whether the rest can be imported. */
export interface Head {
  readonly format: number
  readonly id: string
  readonly made: string
  readonly stele: string
  readonly engine: EngineName
  /** True if accounts and their permissions are in it. */
  readonly accounts: boolean
  /** The types and a hash of their attributes. */
  readonly types: Readonly<Record<string, string>>
  /** The columns of each table, beside its id. */
  readonly tables: readonly ArchiveTable[]
  readonly settings: readonly string[]
  /** Plugins that bring something of their own. */
  readonly plugins: readonly string[]
}

export interface ArchiveTable {
  readonly name: string
  readonly type?: string
  readonly columns: Readonly<Record<string, ColumnKind>>
}

/** The last member of an archive, which proves that it is complete. */
export interface Manifest {
  readonly format: number
  readonly id: string
  readonly tables: Readonly<Record<string, TableCount>>
  readonly members: readonly MemberCheck[]
}

export interface TableCount {
  readonly rows: number
  /** The highest id that the table ever gave. */
  readonly last: number
}

export interface MemberCheck {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** A row in its neutral form: its id, and a value for each column. */
export type ArchiveRow = Readonly<Record<string, unknown>>

const text = { type: 'string', maxLength: 1000 }
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const kinds = [
  ...['id', 'text', 'longtext', 'integer', 'bigint', 'decimal', 'float', 'boolean', 'date', 'time', 'datetime'],
  ...['timestamp', 'json', 'order'],
]
const record = (values: object, required: readonly string[] = Object.keys(values)) => ({
  type: 'object',
  properties: values,
  required,
})
const listOf = (items: object) => ({ type: 'array', items })
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values })

const isHead = validatorOf<Head>(
  record({
    ...{ format: { const: format }, id: { type: 'string', pattern: '^[0-9a-f-]{36}$' } },
    ...{ made: text, stele: text, engine: text, accounts: { type: 'boolean' }, types: mapOf(text) },
    tables: listOf(record({ name: text, type: text, columns: mapOf({ enum: kinds }) }, ['name', 'columns'])),
    ...{ settings: listOf(text), plugins: listOf(text) },
  }),
)
const isManifest = validatorOf<Manifest>(
  record({
    ...{ format: { const: format }, id: text, tables: mapOf(record({ rows: count, last: count })) },
    members: listOf(record({ name: text, size: count, sha256: text })),
  }),
)

export async function readHead({ name, content }: Member): Promise<Head> {
  if (name !== headName)
    throw new RefusedArchive('this is no archive of stele export: it does not begin with archive.json')
  const value = await readJson(content)
  const said = Object(value) as { format?: unknown; stele?: unknown }
  if (typeof said.format === 'number' && said.format !== format)
    throw new RefusedArchive(
      `the archive has the form ${said.format} (made by stele ${said.stele}), and this stele reads the form ${format}; import it with the stele that made it, or a newer one`,
    )
  if (!isHead(value)) throw new RefusedArchive('the archive is damaged: archive.json does not say what it has to')
  return value
}

export async function readManifest({ content }: Member, head: Head): Promise<Manifest> {
  const value = await readJson(content)
  if (!isManifest(value) || value.id !== head.id)
    throw new RefusedArchive('the archive is damaged: manifest.json does not say what it has to')
  return value
}

/** The members of an archive file, gzipped or not. */
export async function* openArchive(file: string): AsyncGenerator<Member> {
  for await (const member of membersOf(bytesOf(file, await isGzip(file)))) {
    checkName(member.name)
    yield member
  }
}

const atOnce = 256 * 1024

async function* bytesOf(file: string, isPacked: boolean): AsyncGenerator<Buffer> {
  const plain = createReadStream(file, { highWaterMark: atOnce })
  const source = isPacked ? plain.pipe(createGunzip({ chunkSize: atOnce })) : plain
  if (isPacked) plain.on('error', error => source.destroy(error))
  try {
    yield* source
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new RefusedArchive('the archive was cut: it ends before its end')
    if (code.startsWith('Z_')) throw new RefusedArchive('the archive is damaged: it cannot be unpacked')
    throw unreadable(file, error)
  } finally {
    plain.destroy()
  }
}

/** Told by its first bytes, as names may lie. */
async function isGzip(file: string): Promise<boolean> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    await handle?.close()
  }
}

function unreadable(file: string, cause: unknown): RefusedArchive {
  const { code } = cause as NodeJS.ErrnoException
  return new RefusedArchive(code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${code}`, {
    cause,
  })
}

/** Names never become paths here, but plugins are handed them. */
function checkName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the null byte ends names for the system
  const isOdd = name.length > 1000 || /[\\\u0000-\u001f\u007f]/.test(name)
  if (isOdd || name.split('/').some(part => part === '' || part === '.' || part === '..'))
    throw new RefusedArchive(`the archive holds ${JSON.stringify(name)}, which is no name that stele export gives`)
}

/** The lines of a member, each a row or a setting. */
export async function* linesOf(content: AsyncIterable<Buffer>, where: string): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of content) {
    let begun = 0
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, begun)) {
      parts.push(part.subarray(begun, end))
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      length = 0
      begun = end + 1
    }
    parts.push(part.subarray(begun))
    length += part.length - begun
    if (length > longestLine) throw new RefusedArchive(`the archive is damaged: a line of ${where} has no end`)
  }
  if (length > 0) throw new RefusedArchive(`the archive is damaged: the last line of ${where} has no end`)
}

/** The longest row: far more than a body that the server takes. */
const longestLine = 64 * 1024 * 1024
const longestJson = 256 * 1024 * 1024

async function readJson(content: AsyncIterable<Buffer>): Promise<unknown> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of content) {
    parts.push(part)
    length += part.length
    if (length > longestJson) return undefined
  }
  return parseJson(Buffer.concat(parts).toString('utf8'))
}

/** Parses JSON text; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
