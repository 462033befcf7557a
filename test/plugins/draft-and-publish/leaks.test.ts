import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { type Answer, type Api, contract } from '../../support/contract.js'
import { make, newspaper, written } from './world.js'

/** Stands in every draft and nowhere else. */
const mark = 'aaa-unseen'

/** Two authors with the same entries, of which only one has drafts; and everything that can lead to them. */
async function fill(api: Api): Promise<{ draft: number; hidden: number }> {
  const shown = await make(api, '/categories', { name: 'shown' })
  const hidden = await make(api, '/categories', { name: mark, publishedAt: null })
  const team = await make(api, '/teams', { name: 'team' })
  const ann = await make(api, '/authors', { name: 'ann', team })
  const bob = await make(api, '/authors', { name: 'bob', team })
  const card = { label: 'x' }
  const live = await make(api, '/articles', { title: 'live', author: bob, category: hidden, card })
  const other = await make(api, '/articles', { title: 'other', author: ann, category: shown, card })
  const draft = await make(api, '/articles', {
    title: mark,
    slug: mark,
    views: 7,
    author: ann,
    category: shown,
    related: [live],
    publishedAt: null,
  })
  const leads = { label: 'leads', pick: draft, picks: [draft, live], inner: { pick: draft } }
  await written(api, 'PUT', `/articles/${live}`, { related: [draft, other], card: leads })
  const blocks = [
    { __component: 'shared.card', ...leads },
    { __component: 'shared.note', text: 'note' },
  ]
  await written(api, 'PUT', `/authors/${ann}`, { first: draft, card: leads, cards: [leads], blocks })
  const items = [draft, live].map(id => ({ id, __type: 'api::article.article' }))
  await make(api, '/boxes', { name: 'box', items, main: items[0] })
  await make(api, '/boxes', { name: 'drafts only', items: items.slice(0, 1) })
  await written(api, 'PUT', '/frontpage', { headline: 'news', highlights: [draft, live] })
  await written(api, 'PUT', '/menu', { name: 'menu', items: [draft, live] })
  return { draft, hidden }
}

/** Questions in whose answers a draft could show: itself, a trace in a number, or by the order. */
const asks = (draft: number): readonly string[] => [
  // Lists and their totals.
  '/articles',
  '/articles?fields[0]=title&sort=title',
  '/articles?pagination[page]=1&pagination[pageSize]=1&sort=id:desc',
  '/articles?pagination[start]=0&pagination[limit]=3&pagination[withCount]=true',
  `/articles?_q=${mark}`,
  `/articles?filters[title]=${mark}`,
  `/articles?filters[id]=${draft}`,
  `/articles?filters[id][$in][0]=${draft}`,
  '/articles?filters[publishedAt][$null]=true',
  '/articles?filters[$or][0][publishedAt][$null]=true&filters[$or][1][title]=live',
  '/articles?filters[$not][title]=live',
  '/articles?filters[views][$gt]=1',
  '/categories',
  // Reads of a single entry.
  `/articles/${draft}`,
  `/articles/${draft}?populate=*`,
  '/articles/1?populate=*',
  '/articles/1?populate[related][fields]=title',
  '/articles/1?populate[card][populate]=*',
  '/articles/1?populate[card][populate][inner][populate]=pick',
  '/authors/1?populate=*',
  // Populated by entries that are no drafts and of types that have none.
  '/articles?populate=*',
  '/articles?populate=category',
  '/articles?populate=related&sort=id',
  '/articles?populate[related][sort]=title',
  `/articles?populate[related][filters][title]=${mark}`,
  '/articles?populate[related][filters][publishedAt][$null]=true',
  '/articles?populate[related][limit]=1',
  '/articles?populate[related][start]=1',
  '/articles?populate[related][count]=true',
  '/categories?populate[articles][count]=true',
  '/authors?populate=articles',
  '/authors?populate=first',
  '/authors?populate[articles][count]=true',
  '/authors?populate[first][count]=true',
  '/authors?populate[articles][limit]=1&populate[articles][sort]=title',
  '/authors?populate[articles][populate][category][populate]=articles',
  '/teams?populate[authors][populate][articles][populate]=category',
  '/teams?populate=authors.articles.related',
  '/teams?populate=authors.first.related',
  '/teams/1?populate=authors.articles',
  // Through components, zones and relations to any type.
  '/authors?populate[card][populate]=pick',
  '/authors?populate[card][populate]=picks',
  '/authors?populate[card][populate][picks][count]=true',
  '/authors?populate=card.inner.pick',
  '/authors?populate[cards][populate]=*',
  '/authors?populate[blocks][populate]=*',
  '/authors?populate[blocks][on][shared.card][populate]=picks',
  '/authors?populate[blocks][on][shared.card][populate][inner][populate]=pick',
  '/teams?populate[authors][populate][blocks][populate]=pick',
  '/boxes?populate=items',
  '/boxes?populate=main',
  '/boxes?populate[items][on][api::article.article][fields]=title',
  '/boxes?populate[items][populate]=category',
  '/articles?populate[boxes][populate]=items',
  // Single types.
  '/frontpage?populate=highlights',
  '/frontpage?populate[highlights][populate]=related',
  '/menu?populate=items',
  // Filters, at any depth and in any form.
  `/authors?filters[articles][title]=${mark}`,
  `/authors?filters[articles][title][$startsWith]=aaa`,
  `/authors?filters[articles]=${draft}`,
  `/authors?filters[articles][id][$in][0]=${draft}`,
  '/authors?filters[articles][views][$notNull]=true',
  '/authors?filters[articles][publishedAt][$null]=true',
  '/authors?filters[articles][$not][title]=other',
  '/authors?filters[$not][articles][title]=other',
  `/authors?filters[$or][0][articles][title]=${mark}&filters[$or][1][name]=bob`,
  `/authors?filters[$and][0][articles][title]=other&filters[$and][1][articles][title]=${mark}`,
  '/authors?filters[first][title][$null]=true',
  '/authors?filters[first][$null]=true',
  '/authors?filters[first][id][$notNull]=true',
  `/authors?filters[articles][category][articles][title]=${mark}`,
  `/authors?filters[card][pick][title]=${mark}`,
  '/authors?filters[card][pick][id][$null]=true',
  `/authors?filters[cards][inner][pick]=${draft}`,
  `/teams?filters[authors][articles][title]=${mark}`,
  '/teams?filters[authors][first][related][title]=live',
  `/articles?filters[category][name]=${mark}`,
  '/articles?filters[category][id][$null]=true',
  `/articles?filters[related][title]=${mark}`,
  `/articles?filters[boxes][name]=drafts only`,
  `/authors?filters[articles][title]=${mark}&pagination[withCount]=true&fields=name`,
  `/authors?populate[articles][filters][related][title]=${mark}`,
  `/menu?filters[items][title]=${mark}`,
  // Sorts.
  '/authors?sort=articles.title',
  '/authors?sort=articles.slug',
  '/authors?sort=first.title',
  '/authors?sort=articles.category.id:desc',
  '/authors?sort=card.pick.title',
  '/articles?sort=category.name',
  '/articles?sort=related.views:desc',
  '/teams?populate[authors][sort]=articles.title',
]

contract(
  'no draft reaches a live reader',
  {
    ...newspaper,
    // The most that can be asked: pages and counts inside of populates, filters through polymorphic relations.
    rest: { pagingInPopulate: true, filterPolymorphic: true },
  },
  api => {
    const paths = asks(3)
    const before = new Map<string, Answer>()
    const previewed = new Map<string, Answer>()
    const after = new Map<string, Answer>()
    const get = async (path: string, answers: Map<string, Answer>, more = '') => {
      const url = encodeURI(`${path}${more === '' ? '' : `${path.includes('?') ? '&' : '?'}${more}`}`)
      answers.set(path, await api.get(url))
    }
    beforeAll(async () => {
      const { draft, hidden } = await fill(api)
      assert.equal(draft, 3)
      for (const path of paths) {
        await get(path, before)
        await get(path, previewed, 'publicationState=preview')
      }
      await written(api, 'DELETE', `/articles/${draft}`)
      await written(api, 'DELETE', `/categories/${hidden}`)
      for (const path of paths) await get(path, after)
    })

    describe('as if there was none', () => {
      for (const path of paths)
        it(path, () => {
          const { text, status } = before.get(path) as Answer
          assert.ok(status === 200 || status === 404, text)
          assert.ok(!text.includes(mark), text)
          assert.equal(text, after.get(path)?.text)
        })
    })
    it('where a preview does see them', () => {
      // Answers that a draft cannot change would prove nothing.
      const blind = paths.filter(path => previewed.get(path)?.text === before.get(path)?.text)
      assert.deepEqual(blind, [])
      for (const [path, { status, text }] of previewed) assert.equal(status, 200, `${path} ${text}`)
    })
  },
)
