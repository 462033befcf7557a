import { definePlugin, flag, late, where } from '../../../core/index.js'

/** `?mine=true`: only the entries of whoever asks, on every type that has an `owner`. */
export const onlyMine = definePlugin({
  name: 'only-mine',
  appliesTo: type => 'owner' in type.attributes,
  params: { mine: flag() },
  hooks: {
    beforeFind(query, { params }) {
      if (!params.mine || query.use !== 'root') return query
      return where(query, { owner: { $eq: late(caller => caller.id) } })
    },
  },
})
