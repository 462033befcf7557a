import type { ApplyOptions } from '../changes/apply.js'
import { appOption, defineCommand } from '../command.js'
import { groupNames } from '../group-names.js'

export const command = defineCommand<ApplyOptions>({
  says: 'apply pending schema changes to the database: additions and, after confirmation, renames (which keep the data), type changes and removals. Stop the servers of the app before renames and removals',
  place: 7,
  options: [
    appOption,
    {
      flags: '--only <groups>',
      says: `some of ${groupNames.join(', ')}, separated by commas`,
    },
    { flags: '--plan <file>', says: 'a file that stele plan --json wrote: changes that are others now are refused' },
    { flags: '--yes', says: 'do not ask for confirmation' },
    { flags: '--json', says: 'print what was done as JSON' },
  ],
  run: async ({ options, io }) => (await import('../changes/apply.js')).apply(options, io),
})
