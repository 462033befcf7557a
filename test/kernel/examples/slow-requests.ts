import { definePlugin } from '../../../core/index.js'

/** Logs requests that take long, with what they cost. */
export const slowRequests = definePlugin({
  name: 'slow-requests',
  config: { type: 'object', properties: { ms: { type: 'integer', minimum: 0, default: 1000 } } },
  register: ({ config, log, gauges }) => ({ config, log, gauges }),
  observe: {
    request({ requestId, route, status, ms, statements, rows }, { config, log, gauges }) {
      if (ms < config.ms) return
      log.warn({ requestId, route, status, ms, statements, rows, queue: gauges().queue }, 'a request was slow')
    },
  },
})
