import { definePlugin } from '../../../core/index.js'

/** A new entry without a slug gets a free one, whatever is created at the same time. */
export const freeSlugs = definePlugin({
  name: 'free-slugs',
  appliesTo: ({ attributes }) => 'title' in attributes && 'slug' in attributes,
  register: host => host,
  hooks: {
    async inTransaction(write, { type, session }, { entries, shares }) {
      const { title, slug } = write.data
      if (write.action !== 'create' || typeof title !== 'string' || slug !== undefined) return write
      // Other creates wait here until this one is stored: what is free now is free then.
      await shares.lock(session, 'slugs')
      const base = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
      let free = base
      for (let next = 2; (await entries(type.uid, session).count({ slug: free })) > 0; next += 1)
        free = `${base}-${next}`
      return { ...write, data: { ...write.data, slug: free } }
    },
  },
  shares: { locks: ['slugs'] },
})
