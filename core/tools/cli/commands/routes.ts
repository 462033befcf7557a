import { appOption, defineCommand, jsonOption } from '../command.js'
import type { ListOptions } from '../lists/table.js'

export const command = defineCommand<ListOptions>({
  says: 'list every route, the permission it requires, and whether visitors have it',
  place: 9,
  options: [appOption, jsonOption],
  run: async ({ options, io }) => (await import('../lists/routes.js')).listRoutes(options, io),
})
