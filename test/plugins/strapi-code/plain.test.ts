import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { generated } from '../../strapi4/project.js'
import { schemaOf, start } from './support/written.js'

const typeOf = (name: string) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schemaOf(name),
  ...generated(`api::${name}.${name}`),
})
const router = (name: string, options: string) => ({
  [`src/api/${name}/routes/${name}.js`]: `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::${name}.${name}', ${options})`,
})

/** The types to whose lists queries may be sent in a body: another plugin adds that to a type, where no code has a say. */
async function opened(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { app } = await start({ ...typeOf('plain'), ...files })
  const paths = app.routes.map(({ method, path }) => `${method} ${path}`)
  return ['plain', 'other'].filter(name => paths.includes(`POST /${name}s/query`))
}

describe('a type of which the code says nothing', () => {
  it('is answered by the server alone, with what other plugins add to it', async () => {
    assert.deepEqual(await opened(typeOf('other')), ['plain', 'other'])
  })

  const other = 'src/api/other'
  const words: readonly (readonly [says: string, files: Readonly<Record<string, string>>])[] = [
    ['a policy of a route', router('other', '{ config: { find: { policies: [() => true] } } }')],
    ['a middleware of a route', router('other', '{ config: { find: { middlewares: [(ctx, next) => next()] } } }')],
    ['who may ask', router('other', '{ config: { find: { auth: false } } }')],
    [
      'a controller of its own',
      {
        [`${other}/controllers/other.js`]:
          "module.exports = require('@strapi/strapi').factories.createCoreController('api::other.other', () => ({ find() { return { own: true } } }))",
      },
    ],
    [
      'a service of its own',
      {
        [`${other}/services/other.js`]:
          "module.exports = require('@strapi/strapi').factories.createCoreService('api::other.other', () => ({ find() { return { results: [] } } }))",
      },
    ],
    ['lifecycles', { [`${other}/content-types/other/lifecycles.js`]: 'module.exports = { beforeFindMany() {} }' }],
  ]
  for (const [says, files] of words)
    it(`is another one where the code has ${says}`, async () => {
      assert.deepEqual(await opened({ ...typeOf('other'), ...files }), ['plain'])
    })

  it('is none where the code may hear of any type', async () => {
    const index = {
      'src/index.js':
        'module.exports = { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ afterFindMany() {} }) } }',
    }
    assert.deepEqual(await opened({ ...typeOf('other'), ...index }), [])
  })
})
