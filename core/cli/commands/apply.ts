import type { ApplyOptions } from '../changes/apply.js'
import { appOption, defineCommand } from '../command.js'
import { groupNames } from '../group-names.js'

export const command = defineCommand<ApplyOptions>({
  says: 'make the database what the content types ask for: additions, and after asking renames (which keep the data), changes of types and removals. Stop servers of the app before renames and removals',
  place: 7,
  options: [
    appOption,
    {
      flags: '--only <groups>',
      says: `some of ${groupNames.join(', ')}, with commas between them`,
    },
    { flags: '--yes', says: 'do not ask before' },
    { flags: '--json', says: 'what was done as JSON, for programs' },
  ],
  run: async ({ options, io }) => (await import('../changes/apply.js')).apply(options, io),
})
