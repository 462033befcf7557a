import { appOption, defineCommand } from '../command.js'
import type { DevOptions } from '../serving/dev.js'
import { noCodeOption } from '../serving/no-code-option.js'
import { portOption } from '../serving/port-option.js'

export const command = defineCommand<DevOptions>({
  says: 'serve an app for development, on this machine only: restart when files change, readable log',
  place: 2,
  options: [
    appOption,
    portOption,
    noCodeOption,
    { flags: '--no-open', says: 'do not open the page of the server in a browser (opened by default on a terminal)' },
  ],
  run: async ({ options, io }) => (await import('../serving/dev.js')).dev(options, io),
})
