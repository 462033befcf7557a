import { appOption, defineCommand } from '../command.js'
import type { SupportOptions } from '../support/support.js'

export const command = defineCommand<SupportOptions>({
  says: 'print what a bug report needs as JSON: versions, settings without secrets, plugins, schemas, and what stele doctor finds',
  place: 13,
  options: [appOption, { flags: '--log <file>', says: 'also the last 200 lines of this log, without secrets' }],
  run: async ({ options, io }) => (await import('../support/support.js')).support(options, io),
})
