import { appOption, defineCommand, jsonOption } from '../command.js'
import type { ListOptions } from '../lists/table.js'

export const command = defineCommand<ListOptions>({
  says: 'list the commands that the plugins of the app add (stele <command>)',
  place: 12,
  options: [appOption, jsonOption],
  run: async ({ options, io }) => (await import('../plugin-command.js')).listPluginCommands(options, io),
})
