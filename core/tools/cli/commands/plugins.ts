import { appOption, defineCommand, jsonOption } from '../command.js'
import type { ListOptions } from '../lists/table.js'

export const command = defineCommand<ListOptions>({
  says: 'list the plugins: which are enabled, why, and what each adds',
  place: 10,
  options: [appOption, jsonOption],
  run: async ({ options, io }) => (await import('../lists/plugins.js')).listPlugins(options, io),
})
