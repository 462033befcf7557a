import type { ImportOptions } from '../archive/import.js'
import { appOption, defineCommand } from '../command.js'

export const command = defineCommand<ImportOptions>({
  says: 'import an archive into the database of an app, from any engine. Repeat the command to resume an import that was interrupted',
  place: 5,
  argument: { name: 'file', says: 'an archive made by stele export' },
  options: [
    appOption,
    { flags: '--replace', says: 'delete the existing content of each type that the archive has' },
    { flags: '--yes', says: 'do not ask for confirmation' },
    { flags: '--ignore-unknown', says: 'skip types and attributes that the app does not have' },
    { flags: '--json', says: 'print the summary as JSON' },
  ],
  run: async ({ argument, options, io }) => (await import('../archive/import.js')).importFrom(argument, options, io),
})
