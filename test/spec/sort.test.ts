import { contract, each, reads } from '../support/contract.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      views: { type: 'integer' },
      rating: { type: 'decimal' },
      shownOn: { type: 'date' },
      open: { type: 'boolean' },
      extra: { type: 'json' },
      secret: { type: 'password' },
      note: { type: 'string', private: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.seo', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
    },
  },
  team: { attributes: { name: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
}

const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string' },
      about: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
    },
  },
}

contract(
  'sort',
  {
    types,
    components,
    rows: async ({ entries }) => {
      for (const name of ['red', 'blue']) await entries('api::team.team').create({ name })
      await entries('api::author.author').create({ name: 'Zoe', team: 1 })
      await entries('api::author.author').create({ name: 'Ann', team: 2 })
      for (const name of ['a', 'm', 'z']) await entries('api::tag.tag').create({ name })
      const articles = [
        {
          title: 'C',
          views: 5,
          author: 1,
          tags: [1, 3],
          seo: { metaTitle: 'y', about: 3 },
          slides: [{ metaTitle: 'p' }],
        },
        { title: 'A', views: 9, author: 2, tags: [2], seo: { metaTitle: 'x', about: 1 }, shownOn: '2024-02-01' },
        {
          title: 'B',
          views: 5,
          rating: 1.5,
          shownOn: '2023-02-01',
          open: true,
          slides: [{ metaTitle: 'q' }, { metaTitle: 'a' }],
        },
        { title: 'D', author: 1, rating: 10, open: false, extra: { a: 1 } },
      ]
      for (const article of articles) await entries('api::article.article').create(article)
    },
  },
  api => {
    reads(api, '/articles', body => each('title')(body).join(''), [
      { says: 'by id when nothing is asked', ask: '', gives: 'CABD' },
      { says: 'ascending unless told otherwise', ask: '?sort=title', gives: 'ABCD' },
      { says: 'ascending when told', ask: '?sort=title:asc', gives: 'ABCD' },
      { says: 'descending', ask: '?sort=title:desc', gives: 'DCBA' },
    ])
  },
)
