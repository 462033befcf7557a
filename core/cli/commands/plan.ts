import type { PlanOptions } from '../changes/plan.js'
import { appOption, defineCommand, jsonOption } from '../command.js'

export const command = defineCommand<PlanOptions>({
  says: 'show what stands between content types and database, with the SQL, and change nothing; ends with 2 where there is something to do',
  place: 6,
  options: [appOption, jsonOption],
  run: async ({ options, io }) => (await import('../changes/plan.js')).plan(options, io),
})
