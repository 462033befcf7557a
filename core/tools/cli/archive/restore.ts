import { BootError } from '../../../errors.js'
import { headOf } from '../../transfer/verify.js'
import type { Io } from '../io.js'
import { withArchive } from './fetched.js'
import { type ImportOptions, importArchiveOf } from './import.js'

export type RestoreOptions = Pick<ImportOptions, 'app' | 'json'>

const restoring = {
  command: 'restore' as const,
  done: 'restored',
  ifBegun: 'or name an empty database',
  ifRows:
    'nothing was restored, as a backup is restored into an empty database. Name one in config/database or DATABASE_..., or replace what is there with `stele import --replace`',
}

/** `stele restore <file>`: a backup in an empty database, with all of its accounts and files. */
export async function restoreFrom(given: string, options: RestoreOptions, io: Io): Promise<void> {
  await withArchive(given, { app: options.app }, io, async (file, name) => {
    const { accounts } = await headOf(file)
    if (!accounts)
      throw new BootError(
        `${given} is no backup: it was exported without accounts, and what belongs to them. \`stele import\` reads it`,
        { kind: 'data' },
      )
    await importArchiveOf(
      { file, name, given },
      { app: options.app, ...(options.json && { json: true }) },
      io,
      restoring,
    )
  })
}
