import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, each, reads } from '../support/contract.js'

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
      await entries('api::author.author').create({ name: 'Zoe', team: 2 })
      await entries('api::author.author').create({ name: 'Ann', team: 1 })
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
    const titles = (body: Body) => each('title')(body).join('')

    reads(api, '/articles', titles, [
      { says: 'by id when nothing is asked', ask: '', gives: 'CABD' },
      { says: 'ascending unless told otherwise', ask: '?sort=title', gives: 'ABCD' },
      { says: 'ascending when told', ask: '?sort=title:asc', gives: 'ABCD' },
      { says: 'descending', ask: '?sort=title:desc', gives: 'DCBA' },
      { says: 'the direction in any letter case', ask: '?sort=title:DESC', gives: 'DCBA' },
      { says: 'what follows the direction is no matter', ask: '?sort=title:desc:asc', gives: 'DCBA' },
      { says: 'the id is a field', ask: '?sort=id:desc', gives: 'DBAC' },
      { says: 'nothing asked in an empty sort', ask: '?sort=', gives: 'CABD' },
      { says: 'empty places of a list do not count', ask: '?sort[0]=&sort[1]=title', gives: 'ABCD' },
    ])

    describe('several fields, in index order', () => {
      reads(api, '/articles', titles, [
        { says: 'equal on the first, ordered by the next', ask: '?sort[0]=views&sort[1]=title', gives: 'DBCA' },
        { says: 'each its own direction', ask: '?sort[0]=views:desc&sort[1]=title:asc', gives: 'ABCD' },
        { says: 'the index decides, not the place', ask: '?sort[1]=title&sort[0]=views', gives: 'DBCA' },
        { says: 'as a list without indexes', ask: '?sort[]=views&sort[]=title', gives: 'DBCA' },
        { says: 'as repeated keys', ask: '?sort=views&sort=title', gives: 'DBCA' },
        { says: 'separated by commas', ask: '?sort=views,title', gives: 'DBCA' },
        { says: 'with spaces around the commas', ask: '?sort=views:desc%20,+title', gives: 'ABCD' },
        { says: 'as an object, in the order of its keys', ask: '?sort[views]=desc&sort[title]=asc', gives: 'ABCD' },
        { says: 'as a list of objects', ask: '?sort[0][views]=desc&sort[1][title]=asc', gives: 'ABCD' },
      ])
    })

    describe('every kind of value in its own order', () => {
      reads(api, '/articles', titles, [
        { says: 'integers, a missing one first', ask: '?sort=views', gives: 'DCBA' },
        { says: 'a missing one last when descending', ask: '?sort=views:desc', gives: 'ACBD' },
        { says: 'decimals as numbers, not as text', ask: '?sort=rating:desc', gives: 'DBCA' },
        { says: 'dates', ask: '?sort=shownOn', gives: 'CDBA' },
        { says: 'false before true', ask: '?sort=open', gives: 'CADB' },
        { says: 'documents, in an order that the engine knows', ask: '?sort=extra', gives: 'CABD' },
        { says: 'the time of creation', ask: '?sort=createdAt:desc,id:desc', gives: 'DBAC' },
      ])
    })

    describe('by fields of related entries and of components', () => {
      reads(api, '/articles', titles, [
        { says: 'a relation, by dots', ask: '?sort=author.name', gives: 'BACD', statements: 2 },
        { says: 'a relation, descending', ask: '?sort=author.name:desc', gives: 'CDAB' },
        { says: 'a relation, by keys', ask: '?sort[author][name]=asc', gives: 'BACD' },
        { says: 'the id of a related entry', ask: '?sort=author.id:desc', gives: 'ACDB' },
        { says: 'a relation of a relation', ask: '?sort=author.team.name', gives: 'BCDA' },
        { says: 'a relation of a relation, by keys', ask: '?sort[0][author][team][name]=desc', gives: 'ACDB' },
        { says: 'to-many: each entry once, by its smallest value', ask: '?sort=tags.name', gives: 'BDCA' },
        { says: 'to-many: by its largest value when descending', ask: '?sort=tags.name:desc', gives: 'CABD' },
        { says: 'a component', ask: '?sort=seo.metaTitle', gives: 'BDAC' },
        { says: 'a relation of a component', ask: '?sort=seo.about.name:desc', gives: 'CABD' },
        { says: 'a repeated component', ask: '?sort=slides.metaTitle', gives: 'ADBC' },
        { says: 'a repeated component, descending', ask: '?sort=slides.metaTitle:desc', gives: 'BCAD' },
        { says: 'a relation, then an own field', ask: '?sort=author.name:desc,title:desc', gives: 'DCAB' },
        {
          says: 'the order of a relation and the page go together',
          ask: '?sort=tags.name&pagination[limit]=2',
          gives: 'BD',
        },
      ])
    })

    it('equal entries keep the order of their ids, so pages neither repeat nor miss one', async () => {
      for (const sort of ['views', 'views:desc', 'author.name', 'open', 'tags.name:desc']) {
        const seen: string[] = []
        for (const page of [1, 2, 3, 4])
          seen.push(
            titles((await api.get(`/articles?sort=${sort}&pagination[pageSize]=1&pagination[page]=${page}`)).body),
          )
        assert.deepEqual([...seen].sort(), ['A', 'B', 'C', 'D'], sort)
      }
    })

    describe('names what is wrong', () => {
      const nowhere = /has no attribute/
      reads(api, '/articles', titles, [
        {
          says: 'a direction that is none',
          ask: '?sort=title:down',
          fails: { status: 400, parameter: 'sort', message: /"down" is neither asc nor desc/ },
        },
        { says: 'an empty direction', ask: '?sort=title:', fails: { status: 400, parameter: 'sort' } },
        { says: 'a direction as a value', ask: '?sort[views]=x', fails: { status: 400, parameter: 'sort[views]' } },
        { says: 'an unknown field', ask: '?sort=nope', fails: { status: 400, parameter: 'sort', message: /"nope"/ } },
        {
          says: 'an unknown field in a list',
          ask: '?sort[0]=title&sort[1]=nope',
          fails: { status: 400, parameter: 'sort[1]' },
        },
        { says: 'a minus is no direction', ask: '?sort=-title', fails: { status: 400, parameter: 'sort' } },
        {
          says: 'an unknown field of a relation',
          ask: '?sort=author.nope',
          fails: { status: 400, parameter: 'sort', message: nowhere },
        },
        { says: 'a field behind a field', ask: '?sort=title.name', fails: { status: 400, parameter: 'sort' } },
        {
          says: 'a relation without a field',
          ask: '?sort=author',
          fails: { status: 400, parameter: 'sort', message: /author\.<field>/ },
        },
        { says: 'a component without a field', ask: '?sort=seo', fails: { status: 400, parameter: 'sort' } },
        { says: 'a dynamic zone', ask: '?sort=blocks', fails: { status: 400, parameter: 'sort' } },
        {
          says: 'a field behind a dynamic zone',
          ask: '?sort=blocks.metaTitle',
          fails: { status: 400, parameter: 'sort' },
        },
        { says: 'a password', ask: '?sort=secret', fails: { status: 400, parameter: 'sort', message: nowhere } },
        { says: 'a private field', ask: '?sort=note', fails: { status: 400, parameter: 'sort', message: nowhere } },
        {
          says: 'a private field behind a relation',
          ask: '?sort=author.articles.note',
          fails: { status: 400, parameter: 'sort', message: nowhere },
        },
        {
          says: 'who made an entry, where the type does not tell',
          ask: '?sort=createdBy.firstname',
          fails: { status: 400, parameter: 'sort', message: nowhere },
        },
        { says: 'a name that every object has', ask: '?sort=constructor', fails: { status: 400, parameter: 'sort' } },
        {
          says: 'a name that every object has, as a key',
          ask: '?sort[toString]=asc',
          fails: { status: 400, parameter: 'sort[toString]' },
        },
        {
          says: 'a wrong sort where one entry is asked for',
          ask: '/1?sort=nope',
          fails: { status: 400, parameter: 'sort' },
        },
      ])
    })
  },
)
