import { readdir } from 'node:fs/promises'
import { type Check, type Entry, rowsOf, ValidationError } from '../../core/index.js'
import { fileUid, leftoverUid } from './content-types.js'
import type { Files } from './files.js'
import { pictureTypes, typeOfContent } from './kind.js'
import { type FileRow, keyOf, keysOf } from './rows.js'
import { missingStorage } from './settings.js'
import type { Upload } from './upload.js'

type CheckedFile = Pick<FileRow, 'id' | 'hash' | 'ext' | 'formats' | 'provider'>

export const checks: readonly Check<Upload>[] = [
  {
    name: 'files',
    describe: 'every file has a row, and every row its files',
    async run({ host, files: { place } }, report) {
      const refusal = missingStorage(host.config, host.app)
      if (refusal !== undefined)
        report({ severity: 'warning', says: refusal, advice: 'until then entries can only name files that are there' })
      const rows = await allFiles(host)
      const local = rows.filter(({ provider }) => provider === 'local')
      const present = new Set(await namesIn(place.folder))
      const missing = local.filter(row => keysOf(row).some(key => !present.has(key)))
      if (missing.length > 0)
        report({
          severity: 'error',
          says: `files without their content, or that of a smaller format, in ${place.folder}: ${missing.length} of ${local.length}`,
          examples: missing.map(({ id, hash, ext }) => `id ${id} ${hash}${ext ?? ''}`),
          advice: 'bring the folder back from where it was copied to, or delete these files through the API',
        })
      const known = new Set([...local.flatMap(keysOf), ...(await waitingKeys(host))])
      const strange = [...present].filter(name => !known.has(name))
      if (strange.length > 0)
        report({
          severity: 'warning',
          says: `files in ${place.folder} that belong to no row: ${strange.length}`,
          examples: strange,
          advice:
            'they are served to any client that knows their names; move those that are not needed out of the folder',
        })
      const elsewhere = rows.filter(({ provider }) => !place.storages.has(provider))
      if (elsewhere.length > 0)
        report({
          severity: 'warning',
          says: `files in a storage that is not configured: ${elsewhere.length}`,
          examples: [...new Set(elsewhere.map(({ provider }) => provider))],
          advice: 'deleting them leaves their content where it is; configure the storage as upload.config.provider',
        })
    },
  },
  {
    name: 'pictures',
    describe: 'pictures have their width, height and formats',
    async run({ host, files }, report) {
      const unmeasured = await unmeasuredPictures(host, files)
      if (unmeasured.length === 0) return
      report({
        severity: 'warning',
        says: `pictures without width, height and formats: ${unmeasured.length}`,
        examples: unmeasured.map(({ id, hash, ext }) => `id ${id} ${hash}${ext ?? ''}`),
        advice:
          'measuring needs sharp; a picture whose content is damaged stays as it is: upload it again, or delete it',
        fix: {
          does: 'measures them and makes their formats, as an upload does',
          run: () => measureAll(files, unmeasured),
        },
      })
    },
  },
]

/** Rows of pictures without a size, whose content is in storage and begins as a picture does. */
async function unmeasuredPictures({ entries }: Upload['host'], { place }: Files): Promise<FileRow[]> {
  const where = { mime: { $in: pictureTypes }, $or: [{ width: { $null: true } }, { height: { $null: true } }] }
  const rows = (await entries(fileUid).find({ where, sort: 'id' })) as (Entry & FileRow)[]
  const found: FileRow[] = []
  for (const row of rows) {
    const content = await place.storages.get(row.provider)?.get(keyOf(row))
    if (content && pictureTypes.includes((await typeOfContent(content)) ?? '')) found.push(row)
  }
  return found
}

async function measureAll(files: Files, pictures: readonly FileRow[]): Promise<void> {
  let left = 0
  for (const picture of pictures) {
    const isMeasured = await files.measure(picture).catch(error => {
      // The picture has more pixels than are accepted today.
      if (error instanceof ValidationError) return false
      throw error
    })
    if (!isMeasured) left += 1
  }
  if (left > 0) throw new Error(`${left} of ${pictures.length} could not be read as pictures`)
}

async function allFiles({ types, store }: Upload['host']): Promise<CheckedFile[]> {
  const { table, fields } = types.get(fileUid)
  const columns = ['hash', 'ext', 'formats', 'provider'].map(name => fields.get(name)?.column as string)
  const rows = await rowsOf(
    store.reader,
    store
      .knex(table)
      .select('id', ...columns)
      .orderBy('id'),
  )
  return rows.map(([id, hash, ext, formats, provider]) => ({
    ...{ id: Number(id), hash: String(hash), ext: ext as string | null, provider: String(provider) },
    formats: store.decode('json', formats) as CheckedFile['formats'],
  }))
}

/** Content whose owner is not settled yet is no mistake. */
async function waitingKeys({ entries }: Upload['host']): Promise<string[]> {
  const left = await entries(leftoverUid).find({ where: { provider: { $eq: 'local' } }, fields: ['keys'] })
  return left.flatMap(({ keys }) => keys as string[])
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
}
