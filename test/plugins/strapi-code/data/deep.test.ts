import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { get, schemaOf, start } from '../support/written.js'

const text = { type: 'string' }
const relation = (target: string) => ({ type: 'relation', relation: 'oneToOne', target })

const files = (dependencies: object) => ({
  'package.json': JSON.stringify({ name: 'written', dependencies: { '@strapi/strapi': '4.26.2', ...dependencies } }),
  'src/components/part/line.json': JSON.stringify({
    collectionName: 'components_part_lines',
    info: { displayName: 'line' },
    attributes: { text, three: relation('api::three.three') },
  }),
  'src/api/one/content-types/one/schema.json': schemaOf('one', {
    title: text,
    two: { ...relation('api::two.two'), private: true },
    lines: { type: 'component', component: 'part.line', repeatable: true },
    zone: { type: 'dynamiczone', components: ['part.line'] },
  }),
  'src/api/two/content-types/two/schema.json': schemaOf('two', { title: text, three: relation('api::three.three') }),
  'src/api/three/content-types/three/schema.json': schemaOf('three', { title: text }),
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const three = await strapi.entityService.create('api::three.three', { data: { title: '3' } })
    const two = await strapi.entityService.create('api::two.two', { data: { title: '2', three: three.id } })
    await strapi.entityService.create('api::one.one', { data: {
      title: '1', two: two.id, lines: [{ text: 'l', three: three.id }], zone: [{ __component: 'part.line', text: 'z', three: three.id }],
    } })
  } }`,
  'src/api/see/routes/see.js':
    "module.exports = { routes: ['service', 'query', 'written'].map(name => ({ method: 'GET', path: '/' + name, handler: 'see.' + name, config: { auth: false } })) }",
  'src/api/one/services/one.js':
    "module.exports = require('@strapi/strapi').factories.createCoreService('api::one.one')",
  'src/api/see/controllers/see.js': `
    const seen = one => one && ({
      two: one.two && (one.two.three ? one.two.three.title : 'no three'),
      lines: one.lines?.map(({ three }) => three?.title ?? 'no three'),
      zone: one.zone?.map(({ three }) => three?.title ?? 'no three'),
    })
    module.exports = {
      async service(ctx) {
        const { entityService } = strapi
        ctx.body = {
          many: (await entityService.findMany('api::one.one', { populate: 'deep' })).map(seen),
          one: seen(await entityService.findOne('api::one.one', 1, { populate: 'deep,2' })),
          core: seen(await strapi.service('api::one.one').findOne(1, { populate: ['deep', '3'] })),
          page: (await entityService.findPage('api::one.one', { populate: 'deep,3' })).results.map(seen),
        }
      },
      async query(ctx) {
        const query = strapi.db.query('api::one.one')
        ctx.body = [seen(await query.findOne({ where: { id: 1 }, populate: ['deep'] })), seen(await query.findOne({ populate: ['deep', 2] }))]
      },
      async written(ctx) {
        ctx.body = seen(await strapi.entityService.update('api::one.one', 1, { data: { title: 'x' }, populate: 'deep' }))
      },
    }`,
})

const all = { two: '3', lines: ['3'], zone: ['3'] }
const first = { two: 'no three', lines: ['no three'], zone: ['no three'] }

describe('populate deep of code', () => {
  it('is everything down to a depth, in projects that have the package for it', async () => {
    const project = await start(files({ 'strapi-plugin-populate-deep': '2.0.0' }))
    assert.deepEqual((await get(project, '/api/service')).body, { many: [all], one: first, core: all, page: [all] })
    assert.deepEqual((await get(project, '/api/query')).body, [all, first])
    assert.deepEqual((await get(project, '/api/written')).body, all)
  })

  it('is a name that there is not, in all others', async () => {
    const project = await start(files({}))
    assert.deepEqual((await get(project, '/api/query')).body, [{}, {}])
  })
})
