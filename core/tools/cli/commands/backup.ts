import type { BackupOptions } from '../archive/backup.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<BackupOptions>({
  says: 'back up the whole app, accounts and files included, to a new file in a folder or a bucket (s3://bucket/path), while its servers run, and verify the file. A backup is as confidential as the database',
  place: 5.1,
  argument: { name: 'folder', says: 'a folder for the backups of this app alone' },
  options: [
    appOption,
    { flags: '--keep <count>', says: 'the number of backups to keep, this one included; older ones are deleted' },
    jsonOption,
  ],
  run: async ({ argument, options, io }) => (await import('../archive/backup.js')).backUpInto(argument, options, io),
})
