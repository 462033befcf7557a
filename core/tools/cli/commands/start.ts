import { appOption, defineCommand } from '../command.js'
import { noCodeOption } from '../serving/no-code-option.js'
import { portOption } from '../serving/port-option.js'
import type { StartOptions } from '../serving/start.js'

export const command = defineCommand<StartOptions>({
  says: 'serve an app: its content types, its config, its database',
  place: 1,
  options: [
    appOption,
    portOption,
    noCodeOption,
    {
      flags: '--workers <number>',
      says: 'number of processes that share the port, or auto for one per CPU (default: STELE_WORKERS, or 1)',
    },
  ],
  run: async ({ options, io }) => (await import('../serving/start.js')).start(options, io),
})
