import { readdir } from 'node:fs/promises'
import { type Check, rowsOf } from '../../core/index.js'
import { fileUid, leftoverUid } from './content-types.js'
import { type FileRow, keysOf } from './rows.js'
import type { Upload } from './upload.js'

type Kept = Pick<FileRow, 'id' | 'hash' | 'ext' | 'formats' | 'provider'>

export const checks: readonly Check<Upload>[] = [
  {
    name: 'files',
    describe: 'every file has a row, and every row its files',
    async run({ host, files: { place } }, report) {
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
          advice: 'they are served to whoever knows their names; move those that nobody needs out of the folder',
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
]

async function allFiles({ types, store }: Upload['host']): Promise<Kept[]> {
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
    formats: store.decode('json', formats) as Kept['formats'],
  }))
}

/** Content whose owner is not settled yet is nobody's mistake. */
async function waitingKeys({ entries }: Upload['host']): Promise<string[]> {
  const left = await entries(leftoverUid).find({ where: { provider: { $eq: 'local' } }, fields: ['keys'] })
  return left.flatMap(({ keys }) => keys as string[])
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
}
