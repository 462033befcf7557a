import { definePlugin, optional, type RouteCall } from '../../core/index.js'
import { events } from '../events/index.js'
import { Metrics } from './metrics.js'
import { formatFor, formats } from './page.js'
import { settings } from './settings.js'

/** Metrics of the server in the text format of Prometheus. */
export const metrics = definePlugin({
  name: 'metrics',
  describe: 'a page of metrics for Prometheus',
  uses: [optional(events)],
  config: settings,
  register: host => Metrics.start(host),
  observe: {
    request: (seen, service) => service.request(seen),
    statement: (seen, service) => service.statement(seen),
    job: (seen, service) => service.job(seen),
    outgoing: (seen, service) => service.outgoing(seen),
  },
  routes: ({ port, path }) =>
    port === undefined
      ? [
          {
            method: 'GET',
            path,
            at: 'root',
            action: 'read',
            describe: 'metrics of all processes, for Prometheus',
            answers: { media: 'text/plain' },
            run: serve,
          },
        ]
      : [],
})

async function serve({ ctx, service }: RouteCall<Metrics>): Promise<void> {
  const format = formatFor(ctx.req.headers.accept)
  const text = await service.page(format)
  ctx.status = 200
  ctx.type = formats[format]
  ctx.vary('Accept')
  ctx.body = text
}
