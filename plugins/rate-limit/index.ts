import { definePlugin } from '../../core/index.js'
import { limiting } from './limiting.js'
import { OwnCounter } from './own-counter.js'
import { routeLimits } from './routes.js'
import { readSettings, type SaidSettings, settings } from './settings.js'
import { SharedCounter } from './shared-counter.js'

/** The name of the counts of requests, where all machines count together. */
const requests = 'requests'

/** Limits how many requests a caller may send, with headers that tell the rest. */
export const rateLimit = definePlugin({
  name: 'rate-limit',
  describe: 'a limit of requests for each address, account and token',
  config: settings,
  shares: { counts: ({ store }) => (store === 'database' ? [requests] : []) },
  register({ config, shares, log, outline }) {
    const { processes, counts } = shares
    const isShared = config.store === 'database'
    const counter = isShared
      ? new SharedCounter({ counts: counts(requests), processes, log })
      : new OwnCounter(processes)
    const wanted = readSettings(config as SaidSettings)
    return limiting(wanted, routeLimits(wanted.routes, outline), counter)
  },
  middleware: [{ before: 'handler', run: service => service }],
})
