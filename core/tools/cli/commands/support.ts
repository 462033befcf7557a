import { appOption, defineCommand } from '../command.js'
import type { SupportOptions } from '../support/support.js'

export const command = defineCommand<SupportOptions>({
  says: 'print the data for a bug report as JSON: versions, settings without secrets, plugins, schemas, and the findings of stele doctor',
  place: 13,
  options: [appOption, { flags: '--log <file>', says: 'include the last 200 lines of this log, without secrets' }],
  run: async ({ options, io }) => (await import('../support/support.js')).support(options, io),
})
