import { definePlugin } from '../../core/index.js'
import { limiting } from './limiting.js'
import { type Settings, settings } from './settings.js'

/** How many requests a caller may send, with headers that say how many are left. */
export const rateLimit = definePlugin({
  name: 'rate-limit',
  describe: 'a limit of requests for each address, account and token',
  config: settings,
  register: ({ config, processes }) => ({ config: config as Settings, processes }),
  middleware: [{ before: 'handler', run: ({ config, processes }) => limiting(config, processes) }],
})
