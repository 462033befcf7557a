import type { ImportOptions } from '../archive/import.js'
import { appOption, defineCommand } from '../command.js'

export const command = defineCommand<ImportOptions>({
  says: 'read the content of an archive into the database of an app, whatever engine it came from. An import that was stopped goes on when the same command is given again',
  place: 5,
  argument: { name: 'file', says: 'what stele export has written' },
  options: [
    appOption,
    { flags: '--replace', says: 'remove the content that is there, as far as the archive brings its own' },
    { flags: '--yes', says: 'do not ask before that' },
    { flags: '--ignore-unknown', says: 'leave out what the content types of the app have no place for' },
    { flags: '--json', says: 'the summary as JSON, for programs' },
  ],
  run: async ({ argument, options, io }) => (await import('../archive/import.js')).importFrom(argument, options, io),
})
