import type { RestoreOptions } from '../archive/restore.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<RestoreOptions>({
  says: 'read a backup into an empty database, of any engine. One that was stopped goes on when the same command is given again',
  place: 5.2,
  argument: { name: 'file', says: 'what stele backup has written' },
  options: [appOption, jsonOption],
  run: async ({ argument, options, io }) => (await import('../archive/restore.js')).restoreFrom(argument, options, io),
})
