import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { type Api, type Body, contract, reads, refused } from '../support/contract.js'

const to = (relation: string, target: string, more = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      author: to('manyToOne', 'author'),
      tags: to('manyToMany', 'tag'),
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['shared.seo'] },
      about: { type: 'relation', relation: 'morphToMany' },
    },
  },
  author: { attributes: { name: { type: 'string' }, articles: to('oneToMany', 'article') } },
  tag: { attributes: { name: { type: 'string' }, author: to('manyToOne', 'author') } },
}

const components = {
  'shared.seo': {
    attributes: { metaTitle: { type: 'string' }, author: to('manyToOne', 'author'), tag: to('manyToOne', 'tag') },
  },
}

const rows = async ({ entries }: TestApp) => {
  await entries('api::author.author').create({ name: 'Hidden' })
  await entries('api::tag.tag').create({ name: 'a', author: 1 })
  const seo = { metaTitle: 'm', author: 1, tag: 1 }
  const about = [
    { id: 1, __type: 'api::author.author' },
    { id: 1, __type: 'api::tag.tag' },
  ]
  await entries('api::article.article').create({
    title: 'A',
    author: 1,
    tags: [1],
    seo,
    blocks: [{ __component: 'shared.seo', ...seo }],
    about,
  })
}

/** Everybody may find articles and tags; nobody was allowed to find authors. */
const open = ['api::article.article.find', 'api::article.article.findOne', 'api::tag.tag.find']

function promises(api: Api): void {
  const names = ({ data }: Body) => Object.keys(data[0].attributes).join()
  reads(api, '/articles', names, [
    { says: 'is not populated', ask: '?fields=title&populate=author', gives: 'title', statements: 2 },
    { says: 'not in a list', ask: '?fields=title&populate[0]=author&populate[1]=tags', gives: 'title,tags' },
    { says: 'not with parameters', ask: '?fields=title&populate[author][fields]=name', gives: 'title' },
    { says: 'whatever else is said of it', ask: '?fields=title&populate[author][sort]=name', gives: 'title' },
    { says: 'not with everything', ask: '?fields=title&populate=*', gives: 'title,tags,seo,blocks,about' },
  ])

  it('is not populated anywhere below', async () => {
    for (const ask of [
      'populate=*',
      'populate=author,tags.author,seo.author,blocks.author',
      'populate[tags][populate]=*&populate[seo][populate]=*&populate[blocks][populate]=*&populate[about][populate]=*',
      'populate[blocks][on][shared.seo][populate]=*',
    ])
      for (const path of ['/articles', '/articles/1']) {
        const { status, text } = await api.get(`${path}?${ask}`)
        assert.equal(status, 200, text)
        assert.doesNotMatch(text, /Hidden|"author"|api::author/, ask)
      }
  })

  it('leaves the others behind a relation to any type', async () => {
    const { about } = (await api.get('/articles/1?populate=about')).body.data.attributes
    assert.deepEqual(
      (about.data ?? about).map((entry: Body) => (entry.attributes ?? entry).__type),
      ['api::tag.tag'],
    )
  })

  describe('is refused like a name that never was', () => {
    const places = [
      'filters[NAME][name]=Hidden',
      'filters[NAME]=1',
      'filters[NAME][$null]=true',
      'filters[$not][NAME]=1',
      'filters[$or][0][NAME][id]=1&filters[$or][1][title]=A',
      'filters[tags][NAME][name][$startsWith]=H',
      'filters[seo][NAME][name]=Hidden',
      'sort=NAME.name',
      'sort=tags.NAME.name',
      'sort[seo][NAME][name]=asc',
      'populate[tags][filters][NAME][name]=Hidden',
      'populate[tags][sort]=NAME.name',
      'populate[blocks][on][shared.seo][filters][NAME]=1',
    ]
    for (const place of places)
      it(place, async () => {
        const answer = (name: string) => api.get(`/articles?${place.replace('NAME', name)}`)
        const refusal = await answer('author')
        refused(refusal, { status: 400, name: 'ValidationError' })
        assert.equal(
          refusal.text.replaceAll('author', '<name>'),
          (await answer('zzzzz')).text.replaceAll('zzzzz', '<name>'),
        )
      })
  })

  it('cannot be asked for itself, whether or not there is such an entry', async () => {
    for (const path of ['/authors', '/authors/1', '/authors/99', '/authors?nope=1', '/tags/1'])
      for (const method of ['GET', 'HEAD']) {
        const answer = await api.send(method, path)
        assert.equal(answer.status, 403)
        if (method === 'GET') refused(answer, { status: 403, name: 'ForbiddenError', message: 'Forbidden' })
      }
    for (const [method, path] of [
      ['POST', '/articles'],
      ['PUT', '/articles/1'],
      ['DELETE', '/articles/1'],
      ['PUT', '/articles/99'],
    ] as const)
      refused(await api.send(method, path, { data: {} }), { status: 403, name: 'ForbiddenError' })
  })
}

contract('what the caller may not find', { types, components, rows, rest: { public: open } }, promises)
contract(
  'what the caller may not find, in strapi4',
  { types, components, rows, rest: { public: open, dialect: 'strapi4' } },
  api => {
    promises(api)
    it('is not populated, but what a populate says of it has to be right', async () => {
      for (const wrong of ['[fields]=nope', '[filters][nope]=1', '[populate][articles][sort]=nope'])
        refused(await api.get(`/articles?populate[author]${wrong}`), { status: 400, message: 'Invalid parameter nope' })
    })
  },
)
