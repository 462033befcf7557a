import type { ExportOptions } from '../archive/export.js'
import { appOption, defineCommand } from '../command.js'

export const command = defineCommand<ExportOptions>({
  says: 'export the content of an app to an archive: entries with their relations, languages and drafts, settings, and files. It is as confidential as the database: it has private attributes and password hashes',
  place: 4,
  argument: { name: 'file', says: '<name>.tar, or <name>.tar.gz to compress it' },
  options: [
    appOption,
    {
      flags: '--with-accounts',
      says: 'include accounts, roles, tokens and sign-in settings, with hashes and secrets',
    },
    { flags: '--force', says: 'overwrite an existing file' },
    { flags: '--json', says: 'print the summary as JSON' },
  ],
  run: async ({ argument, options, io }) => (await import('../archive/export.js')).exportTo(argument, options, io),
})
