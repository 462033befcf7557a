import type { RestoreOptions } from '../archive/restore.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<RestoreOptions>({
  says: 'restore a backup into an empty database, of any engine. Repeat the command to resume a restore that was interrupted',
  place: 5.2,
  argument: { name: 'file', says: 'a backup made by stele backup' },
  options: [appOption, jsonOption],
  run: async ({ argument, options, io }) => (await import('../archive/restore.js')).restoreFrom(argument, options, io),
})
