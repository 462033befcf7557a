import { isSection } from '../config/merge.js'
import { weaknessOf } from '../weakness.js'
import type { CoreCheck } from './check.js'

export const settingsCheck: CoreCheck = {
  name: 'settings',
  describe: 'settings are read, and the database is not open to everybody',
  run({ config: { foreign, database, environment } }, report) {
    const unread = Object.entries(foreign).flatMap(([file, value]) => keysIn(`config/${file}`, value))
    if (unread.length > 0)
      report({
        severity: 'note',
        says: `settings that the server itself does not read: ${unread.length}`,
        examples: unread,
        advice: 'they mean something to another server, or to a plugin that looks for them',
      })
    const { client, host = '', password = '' } = database
    const isNear = ['', 'localhost', '127.0.0.1', '::1'].includes(host) || host.startsWith('/')
    const weakness = client === 'sqlite' || isNear ? undefined : weaknessOf(password)
    if (weakness !== undefined)
      report({
        severity: environment === 'production' ? 'error' : 'warning',
        says: `the password of the database on ${host} ${weakness}`,
        advice: 'give its account another one, and set DATABASE_PASSWORD',
      })
  },
}

/** One level of names is enough to find them. */
const keysIn = (file: string, value: unknown): string[] =>
  isSection(value) && Object.keys(value).length > 0 ? Object.keys(value).map(key => `${file}: ${key}`) : [file]
