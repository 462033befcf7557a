import { definePlugin, InvalidParameter, where } from '../../../core/index.js'

/** `?since=2024-05-01` lists what was changed from that day on. */
export const since = definePlugin({
  name: 'since',
  params: {
    since: {
      read(raw, { path }) {
        if (typeof raw === 'string' && /^\d{4}-\d\d-\d\d$/.test(raw)) return raw
        throw new InvalidParameter(path, 'takes a day, such as 2024-05-01')
      },
    },
  },
  hooks: {
    beforeFind: (query, { params }) =>
      params.since === undefined || query.depth > 0 ? query : where(query, { updatedAt: { $gte: params.since } }),
  },
})
