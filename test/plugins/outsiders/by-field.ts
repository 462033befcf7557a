import { definePlugin, type Host, type Route, type TypeOutline, ValidationError } from '../../../core/index.js'
import { queryText } from '../../../core/plugin-kit.js'

/** New entries get a free slug, and `GET /articles/with/:field/:value` finds an entry by a value instead of its id. */
export const byField = definePlugin({
  name: 'by-field',
  appliesTo: ({ kind, attributes }) => kind === 'collectionType' && 'title' in attributes && 'slug' in attributes,
  register: host => host,
  hooks: {
    async inTransaction(write, { type, session }, { entries, shares }) {
      const { title, slug } = write.data
      if (write.action !== 'create' || typeof title !== 'string' || slug !== undefined) return write
      await shares.lock(session, 'slugs')
      const base = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
      // A slug is free where no entry has it within what scopes its uniqueness, such as the locale.
      const given = { ...write.data, ...write.set }
      const within = Object.fromEntries(
        type.uniqueWithin.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, given[name]]])),
      )
      const isTaken = (slug: string) => entries(type.uid, session).count({ ...within, slug })
      let free = base
      for (let next = 2; (await isTaken(free)) > 0; next += 1) free = `${base}-${next}`
      return { ...write, data: { ...write.data, slug: free } }
    },
  },
  shares: { locks: ['slugs'] },
  routes: [type => [byValue(type)]],
})

function byValue({ uid, pluralName, attributes }: TypeOutline): Route<Host> {
  return {
    method: 'GET',
    path: `/${pluralName}/with/:field/:value`,
    action: 'findBy',
    describe: 'the entry with a value of an attribute',
    asksAs: { uid, action: 'find' },
    answers: { entry: uid },
    run({ params, query, content }) {
      const { field = '', value } = params
      if (!Object.hasOwn(attributes, field))
        throw new ValidationError(`Field: ${uid} has no attribute "${field.slice(0, 100)}"`)
      const filters = { $and: [query.filters ?? {}, { [field]: { $eq: value } }] }
      return content.first(uid, { query: queryText({ ...query, filters }) })
    },
  }
}
