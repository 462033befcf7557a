import { definePlugin } from '../../core/index.js'
import { loadApi } from './api.js'
import { middleware, Tracer } from './tracing.js'

/** Spans of requests for OpenTelemetry, which show how their time was spent. */
export const tracing = definePlugin({
  name: 'tracing',
  describe: 'spans of requests, statements, jobs and webhooks for OpenTelemetry',
  register: async ({ app, store }) => new Tracer(await loadApi(app.appDir), store.facts.systemName),
  middleware: [middleware],
  checks: [
    {
      start: async ({ app }) => {
        await loadApi(app.appDir)
      },
    },
  ],
  observe: {
    request: (seen, service) => service.request(seen),
    statement: (seen, service) => service.statement(seen),
    job: (seen, service) => service.job(seen),
    outgoing: (seen, service) => service.outgoing(seen),
  },
})
