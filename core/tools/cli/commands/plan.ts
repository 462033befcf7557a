import type { PlanOptions } from '../changes/plan.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<PlanOptions>({
  says: 'show pending schema changes and their SQL, without applying them; exits with code 2 if there are any',
  place: 6,
  options: [appOption, jsonOption],
  run: async ({ options, io }) => (await import('../changes/plan.js')).plan(options, io),
})
