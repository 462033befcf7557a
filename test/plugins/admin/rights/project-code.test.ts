import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { onSqlite } from '../../../support/engines.js'
import { type EditorsProject, openProjectOfEditors, people } from './world.js'

const article = 'api::article.article'

/** Lifecycles that mark what they hear of, a controller and a policy in the way, and a route of its own. */
const files = {
  'src/api/article/content-types/article/lifecycles.js': `const mark = ({ params }) => { params.data.kind = 'news' }
module.exports = { beforeCreate: mark, beforeUpdate: mark, beforeFindMany() {}, beforeFindOne() {} }`,
  'src/api/author/controllers/author.js': `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::author.author', ({ strapi }) => ({
  async find() { return { data: await strapi.entityService.findMany('api::author.author', {}) } },
  async findOne(ctx) { ctx.body = 'by code' },
  async all() { return strapi.entityService.findMany('api::author.author', {}) },
}))`,
  'src/api/author/routes/all.js': `module.exports = { routes: [
  { method: 'GET', path: '/all-authors', handler: 'author.all', config: {} },
] }`,
  'src/api/tag/routes/tag.js': `const { createCoreRouter } = require('@strapi/strapi').factories
module.exports = createCoreRouter('api::tag.tag', { config: { find: { policies: [() => false] } } })`,
}

onSqlite('code of a recorded project', () => {
  let open: EditorsProject
  beforeAll(async () => {
    open = await openProjectOfEditors([], {}, files)
  })
  afterAll(() => open.close())
  const stored = (id: number) => open.app.entries(article).first({ where: { id } })

  it('that hears of entries takes no right of editors away, and hears of what they write', async () => {
    const data = { title: 'taken', publishedAt: '2020-01-01T00:00:00.000Z' }
    assert.equal((await open.as('anton', 'PUT', '/articles/454', { data })).status, 404)
    assert.equal((await stored(454))?.title, 'By anna 1')
    assert.equal((await open.as('anton', 'GET', '/articles/454')).status, 404)
    assert.equal((await open.as('anton', 'DELETE', '/articles/454')).status, 404)

    assert.equal((await open.as('anton', 'PUT', '/articles/451', { data })).status, 200)
    const changed = await stored(451)
    assert.deepEqual([changed?.title, changed?.publishedAt, changed?.kind], ['taken', null, 'news'])
    const made = await open.as('anton', 'POST', '/articles', { data })
    assert.equal(made.status, 200)
    const { publishedAt, kind } = (await stored(made.body.data.id)) ?? {}
    assert.deepEqual([publishedAt, kind], [null, 'news'])

    const { body } = await open.as('tina', 'GET', '/articles/1')
    assert.equal('summary' in body.data.attributes, false)
    const listed = await open.as('anton', 'GET', '/articles?publicationState=preview&locale=all')
    assert.equal(listed.body.meta.pagination.total, 4)
  })

  it('that hears of entries does not make the localizations of editors', async () => {
    const made = await open.as('anton', 'POST', '/articles', { data: { title: 'one', locale: 'en' } })
    const localized = await open.as('anton', 'POST', `/articles/${made.body.data.id}/localizations`, {
      ...{ locale: 'de', title: 'eins', publishedAt: '2020-01-01T00:00:00.000Z' },
    })
    assert.equal(localized.status, 200, JSON.stringify(localized.body))
    const asked = { where: { id: localized.body.id }, everything: true, populate: { createdBy: true } } as const
    const { publishedAt, kind, createdBy } = (await open.app.entries(article).first(asked)) ?? {}
    assert.deepEqual([publishedAt, kind, Object(createdBy).id], [null, 'news', people.anton])
  })

  it('that answers in place of the server is not asked for editors, and is for others', async () => {
    const { body } = await open.as('tina', 'GET', '/authors?pagination[limit]=1')
    assert.deepEqual(Object.keys(body.data[0].attributes), ['name', 'createdAt', 'updatedAt'])
    assert.equal((await open.as('tina', 'GET', '/authors/1')).body.data.attributes.name, 'Cleo Kernel')
    assert.equal((await open.as('tess', 'GET', '/tags')).status, 200)
    const visitor = (path: string) => open.app.inject({ method: 'GET', url: `/api${path}` })
    assert.equal((await visitor('/authors/1')).body, 'by code')
    assert.equal((await visitor('/tags')).statusCode, 403)
  })

  it('at addresses of its own takes no editors, whatever they may do', async () => {
    for (const who of ['ada', 'edda', 'tina'] as const)
      assert.equal((await open.as(who, 'GET', '/all-authors')).status, 404)
  })
})
