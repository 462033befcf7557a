import type { ExportOptions } from '../archive/export.js'
import { appOption, defineCommand } from '../command.js'

export const command = defineCommand<ExportOptions>({
  says: 'write the whole content of an app into one archive: entries with their relations, languages and drafts, settings, and files. It is as secret as the database: private attributes are in it, and hashes of passwords',
  place: 4,
  argument: { name: 'file', says: '<name>.tar, or <name>.tar.gz to be packed' },
  options: [
    appOption,
    {
      flags: '--with-accounts',
      says: 'also accounts, what they may do, tokens, and how people sign in: hashes and secrets',
    },
    { flags: '--force', says: 'write over a file of this name' },
    { flags: '--json', says: 'the summary as JSON, for programs' },
  ],
  run: async ({ argument, options, io }) => (await import('../archive/export.js')).exportTo(argument, options, io),
})
