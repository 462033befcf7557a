import type { Route } from '../../../core/index.js'
import type { Events } from '../service.js'

/** `GET /events`, unless the settings give it another path or none. */
export const feedRoutes = ({ feed }: { readonly feed: unknown }): Route<Events>[] =>
  feed === false
    ? []
    : [
        {
          method: 'GET',
          path: String(feed),
          action: 'listen',
          describe: 'follow what changes, as server-sent events',
          asks: {
            types: { type: 'string', description: 'names of content types with commas between them; all by default' },
            since: { type: 'integer', minimum: 0, description: 'the id of an event: what came after it is sent first' },
            include: { type: 'string', enum: ['entry'], description: 'entries as findOne responds with them' },
          },
          answers: { media: 'text/event-stream' },
          run: call => call.service.feed.open(call as never),
        },
      ]
