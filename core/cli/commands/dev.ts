import { appOption, defineCommand } from '../command.js'
import type { DevOptions } from '../serving/dev.js'
import { portOption } from '../serving/port-option.js'

export const command = defineCommand<DevOptions>({
  says: 'serve an app while it is developed: restart when its files change, a log for people, this machine alone',
  place: 2,
  options: [
    appOption,
    portOption,
    { flags: '--no-open', says: 'do not open the page of the server in a browser, which a terminal does' },
  ],
  run: async ({ options, io }) => (await import('../serving/dev.js')).dev(options, io),
})
