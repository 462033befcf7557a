import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { change, rowsOf, type Session, type Transfer } from '../../core/index.js'
import { leftoverUid } from './content-types.js'
import type { UploadHost } from './files.js'
import { makeStaging } from './forms/multipart.js'
import { type FileRow, keysOf } from './rows.js'
import type { Upload } from './upload.js'

type TransferredFile = Pick<FileRow, 'id' | 'hash' | 'ext' | 'mime' | 'formats' | 'provider' | 'url'>

const columns = ['id', 'hash', 'ext', 'mime', 'formats', 'provider', 'url'] as const
const atOnce = 200

/** Files in archives of the whole content: each content of storage under the id of its row and its key. */
export const transfer: Transfer<Upload> = {
  stays: [leftoverUid],
  async *export(session, { host, files: { place } }) {
    for await (const row of rowsOfAll(host, session)) {
      const storage = place.storages.get(row.provider)
      for (const key of keysOf(row)) {
        const content = await storage?.get(key)
        if (content) yield { name: `${row.id}/${key}`, content }
        else host.log.warn({ file: row.id, key, provider: row.provider }, 'a file is not in its storage')
      }
    }
  },
  async import({ name, content }, { host, files: { place } }) {
    const [id = '', key = ''] = name.split('/')
    const row = await rowOf(host, Number(id))
    const mime = row && mimeOf(row, key)
    const storage = place.storages.get(place.provider)
    if (!row || mime === undefined || !storage)
      return host.log.warn({ name }, 'an archive has a file that no row names')
    const arriving = path.join(place.staging, `import-${row.id}`)
    await makeStaging(place.staging)
    try {
      await pipeline(Readable.from(content), createWriteStream(arriving, { mode: 0o600 }))
      const url = await storage.put(key, { path: arriving, mime })
      await move(host, row, key, { url, provider: place.provider })
    } finally {
      await rm(arriving, { force: true })
    }
  },
  /** The files of rows that are replaced have no owner, unless the archive brings them again. */
  async before(service) {
    const { host, files } = service
    const ids: number[] = []
    for await (const row of rowsOfAll(host, host.store.reader))
      if (files.place.storages.has(row.provider))
        ids.push(...(await files.leftovers.note([{ ...row, keys: keysOf(row), waiting: false }])))
    replaced.set(service, ids)
  },
  async after(service) {
    await service.files.leftovers.settle(replaced.get(service) ?? [])
  },
}

const replaced = new WeakMap<Upload, readonly number[]>()

async function* rowsOfAll(host: UploadHost, session: Session): AsyncGenerator<TransferredFile> {
  for (let last = 0; ; ) {
    const page = await pageOf(host, session, last)
    yield* page
    if (page.length < atOnce) return
    last = page.at(-1)?.id ?? last
  }
}

async function pageOf({ store }: UploadHost, session: Session, after: number): Promise<TransferredFile[]> {
  const query = store.knex('files').select(columns).where('id', '>', after).orderBy('id').limit(atOnce)
  return (await rowsOf(session, query)).map(row => {
    const values = Object.fromEntries(columns.map((column, index) => [column, row[index]]))
    return { ...values, formats: store.decode('json', values.formats) } as TransferredFile
  })
}

async function rowOf(host: UploadHost, id: number): Promise<TransferredFile | undefined> {
  const [row] = Number.isSafeInteger(id) ? await pageOf(host, host.store.reader, id - 1) : []
  return row?.id === id ? row : undefined
}

/** The type of a key's content; undefined if the row does not name the key. */
function mimeOf(row: TransferredFile, key: string): string | undefined {
  if (!keysOf(row).includes(key)) return undefined
  return formatOf(row, key)?.[1].mime ?? row.mime
}

const formatOf = ({ formats }: TransferredFile, key: string) =>
  Object.entries(formats ?? {}).find(([, { hash, ext }]) => hash + (ext ?? '') === key)

/** A row says where its file is: in another storage that is another place. */
async function move(
  { store }: UploadHost,
  row: TransferredFile,
  key: string,
  { url, provider }: Readonly<Record<'url' | 'provider', string>>,
): Promise<void> {
  const format = formatOf(row, key)
  if (row.provider === provider && (format?.[1] ?? row).url === url) return
  const formats = format && { ...row.formats, [format[0]]: { ...format[1], url } }
  const values = formats ? { formats: store.encode('json', JSON.stringify(formats)) } : { url, provider }
  await store.transaction(
    async session => void (await change(session, store.knex('files').where({ id: row.id }).update(values))),
  )
}
