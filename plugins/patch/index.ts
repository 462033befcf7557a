import { definePlugin } from '../../core/index.js'
import { isPatch, type Json, merged, needOf } from './merge.js'
import { patchRoutes } from './routes.js'

/** Changes as a JSON Merge Patch, which reaches into components and documents. */
export const patch = definePlugin({
  name: 'patch',
  describe: 'PATCH /articles/1: changes that reach into components and JSON attributes',
  appliesTo: ({ kind }) => kind !== 'component',
  register: host => host,
  hooks: {
    // The hook runs under the entry's lock, for a caller that may change it: the result of a patch depends on the stored entry.
    async inTransaction(write, { type, session }, { entries }) {
      const { id, data } = write
      const need = id !== undefined && isPatch(data) ? needOf(type, data) : undefined
      if (!need) return write
      const current = await entries(type.uid, session).first({ where: { id }, ...need })
      return { ...write, data: merged(type, data, current as Json | undefined) }
    },
  },
  routes: [patchRoutes],
})
