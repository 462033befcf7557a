import type { Call, Entry, Row, Write, Written } from '../../core/index.js'
import { fileUid } from './content-types.js'
import { type FileRow, keysOf } from './rows.js'
import type { Upload } from './upload.js'

/** The storage keys of a deleted file, passed on with its row from hook to hook. */
interface RemovedFile {
  readonly removed?: Pick<FileRow, 'hash' | 'provider'> & { readonly keys: readonly string[] }
}

/** However a file is deleted, its content leaves storage when the row is gone for good. */
export const removal = {
  async beforeWrite(write: Write, { session }: Call, { host }: Upload): Promise<Write> {
    if (write.action !== 'delete' || write.id === undefined) return write
    const file = await host.entries(fileUid, session).first({ where: { id: { $eq: write.id } } })
    if (!file) return write
    const { hash, provider } = file as Entry & FileRow
    return { ...write, data: { removed: { hash, provider, keys: keysOf(file as Entry & FileRow) } } }
  },
  async afterWrite(row: Row, { session, afterCommit }: Written, { files }: Upload): Promise<void> {
    const { removed } = row as RemovedFile
    if (!removed) return
    const noted = await files.leftovers.note([{ ...removed, waiting: false }], session)
    afterCommit(() => files.leftovers.settle(noted))
  },
}
