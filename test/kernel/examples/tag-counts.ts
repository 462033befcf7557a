import { definePlugin, rowsOf } from '../../../core/index.js'

/** Articles per tag, the most used tag first: `GET /api/tag-counts`. */
export const tagCounts = definePlugin({
  name: 'tag-counts',
  register: ({ store }) => store,
  routes: [
    {
      method: 'GET',
      path: '/tag-counts',
      action: 'read',
      async run({ service: store }) {
        const tags = store.model('api::tag.tag').query().alias('tag').leftJoinRelated('articles')
        const counted = tags.select('tag.name').count('articles.id as total').groupBy('tag.id', 'tag.name')
        const query = counted.orderBy('total', 'desc').orderBy('tag.id').limit(20)
        const rows = await rowsOf(store.reader, query.toKnexQuery())
        return { data: rows.map(([name, total]) => ({ name: String(name), total: Number(total) })) }
      },
    },
  ],
})
