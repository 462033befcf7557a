import type { BackupOptions } from '../archive/backup.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<BackupOptions>({
  says: 'write everything that an app keeps, accounts and files included, to a new file of a folder, or of a bucket (s3://bucket/path), while its servers run; read it again, and check it. It is as secret as the database',
  place: 5.1,
  argument: { name: 'folder', says: 'where the backups of this app are, and of no other' },
  options: [
    appOption,
    { flags: '--keep <count>', says: 'how many backups stay there, this one included; older ones are removed' },
    jsonOption,
  ],
  run: async ({ argument, options, io }) => (await import('../archive/backup.js')).backUpInto(argument, options, io),
})
