import { chmodSync, statSync } from 'node:fs'
import { isSection } from '../../config/merge.js'
import type { Config } from '../../config/types.js'
import { weaknessOf } from '../../kit/weakness.js'
import type { CoreCheck } from './check.js'

export const settingsCheck: CoreCheck = {
  name: 'settings',
  describe: 'settings are read, and the database is not readable by other users',
  run({ config: { foreign, notices, database, environment } }, report) {
    for (const notice of notices)
      report({ severity: 'warning', says: notice, advice: 'correct the file, rename or remove it' })
    const unread = Object.entries(foreign).flatMap(([file, value]) => keysIn(`config/${file}`, value))
    if (unread.length > 0)
      report({
        severity: 'note',
        says: `settings that the server itself does not read: ${unread.length}`,
        examples: unread,
        advice: 'they mean something to another server, or to a plugin that looks for them',
      })
    const open = openFiles(database)
    if (open.length > 0)
      report({
        severity: 'warning',
        says: 'other users of this machine may read the database',
        examples: open.map(({ file, mode }) => `${file} (${mode.toString(8)})`),
        advice: 'it holds hashes of passwords, drafts and private attributes',
        fix: { does: 'makes these files readable for their owner alone', run: () => open.forEach(closeFile) },
      })
    const { host = '', password = '' } = database
    // A database that is a file has no host.
    const isNear = ['', 'localhost', '127.0.0.1', '::1'].includes(host) || host.startsWith('/')
    const weakness = isNear ? undefined : weaknessOf(password)
    if (weakness !== undefined)
      report({
        severity: environment === 'production' ? 'error' : 'warning',
        says: `the password of the database on ${host} ${weakness}`,
        advice: 'give its account another one, and set DATABASE_PASSWORD',
      })
  },
}

interface OpenFile {
  readonly file: string
  readonly mode: number
}

/** The files of a SQLite database that others than their owner may read or write; Windows has no such modes. */
function openFiles({ filename = ':memory:' }: Config['database']): OpenFile[] {
  if (filename === ':memory:' || process.platform === 'win32') return []
  return ['', '-wal', '-shm'].flatMap(suffix => {
    const file = `${filename}${suffix}`
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & 0o077) === 0 ? [] : [{ file, mode }]
  })
}

const closeFile = ({ file, mode }: OpenFile): void => chmodSync(file, mode & 0o700)

/** Names at the top level are enough for the check. */
const keysIn = (file: string, value: unknown): string[] =>
  isSection(value) && Object.keys(value).length > 0 ? Object.keys(value).map(key => `${file}: ${key}`) : [file]
