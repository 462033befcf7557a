import { definePlugin } from '../../../core/index.js'

/** A new entry without a slug gets one that is made from its title. */
export const slugs = definePlugin({
  name: 'slugs',
  config: { type: 'object', properties: { between: { type: 'string', default: '-' } } },
  appliesTo: ({ attributes }) => 'title' in attributes && 'slug' in attributes,
  register: ({ config }) => config,
  hooks: {
    beforeWrite(write, _call, { between }) {
      const { title, slug } = write.data
      if (write.action !== 'create' || typeof title !== 'string' || slug !== undefined) return write
      return { ...write, data: { ...write.data, slug: title.toLowerCase().replace(/[^a-z0-9]+/g, between) } }
    },
  },
})
