import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { checkCode } from '../../../../plugins/strapi-code/check/index.js'
import { schemaOf, written } from '../support/written.js'
import { appOfFixture } from './support.js'

const base = {
  'src/api/item/content-types/item/schema.json': schemaOf('item'),
  'config/plugins.js': `module.exports = {
    loc: { enabled: true, resolve: './src/plugins/loc' },
    idle: { enabled: false, resolve: './src/plugins/idle' },
    plain: { enabled: true, resolve: 'local/plain' },
  }`,
  'src/plugins/loc/strapi-server.js': "module.exports = require('./server')",
  'src/plugins/loc/server/index.js': '',
  'src/plugins/idle/strapi-server.js': 'module.exports = {}',
  'local/plain/strapi-server.js': "module.exports = { bootstrap() { require('./lib') } }",
  'local/plain/lib.js': '',
}

const wrong = 'module.exports = { find() { strapi.nothing.find() }, beforeEverything() {} }'

/** The files among these in which the check finds anything. */
async function namedOf(files: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { folder, variables } = written({
    ...base,
    ...Object.fromEntries(files.map(file => [file, wrong])),
    ...more,
  })
  const found = checkCode(await appOfFixture(folder, variables))
  return [...new Set(found.map(({ file }) => file))]
}

describe('the scripts that the check reads', () => {
  it('are those that a start loads by their places', async () => {
    const loaded = [
      ...['config/custom.js', 'config/env/staging/custom.js'],
      ...['controllers/item.js', 'index.js', 'middlewares/one.js', 'policies/one.js', 'routes/item.js'].map(
        file => `src/api/item/${file}`,
      ),
      ...['src/api/public/services/public.js', 'src/extensions/upload/strapi-server.js', 'src/index.js'],
      ...['src/middlewares/one.js', 'src/policies/one.js'],
    ]
    assert.deepEqual(await namedOf(loaded), [...loaded].sort())
  })

  it('are not those that nothing loads', async () => {
    const left = [
      ...['config/functions/cron.js', 'src/admin/app.js', 'src/lib/one.js', 'src/scripts/seed.js'],
      ...['src/api/item/controllers/old/item.js', 'src/api/item/tests/item.js', 'src/api/item/documentation/one.js'],
      ...['src/api/item/content-types/lost/lifecycles.js', 'src/api/item/old/content-types/item/lifecycles.js'],
      ...['src/content-types/item/lifecycles.js', 'src/extensions/upload/content-types/file/lifecycles.js'],
      ...['src/plugins/idle/server/content-types/note/lifecycles.js', 'src/plugins/none/strapi-server.js'],
      ...['src/plugins/loc/server/services/other.js', 'src/policies/old/one.js'],
    ]
    assert.deepEqual(await namedOf(left), [])
  })

  it('are those that these load, by whatever name', async () => {
    const loaded = [
      ...['local/plain/lib.js', 'src/lib/one.js', 'src/lib/three.js', 'src/lib/two/index.js'],
      ...['src/plugins/loc/server/content-types/note/lifecycles.js', 'src/tenants/own.js'],
    ]
    const named = await namedOf(loaded, {
      'src/index.js': "require('./lib/one.js'); module.exports = { async bootstrap() { await import('./lib/two') } }",
      'src/lib/two/more.js': wrong,
      'src/policies/one.js': "export { default } from '../lib/three'",
      'src/plugins/loc/server/index.js': `module.exports = {
        contentTypes: { note: { schema: {}, lifecycles: require('./content-types/note/lifecycles') } },
      }`,
      'config/middlewares.js': "module.exports = [{ resolve: './src/tenants/own', config: {} }]",
    })
    assert.deepEqual(named, [...loaded].sort())
  })

  it('are all beside and below one of which the text does not tell what it loads', async () => {
    const loaded = ['src/jobs/daily/one.js', 'src/jobs/two.js', 'src/plugins/loc/server/one.js']
    const named = await namedOf(loaded, {
      'src/index.js': "require('./jobs')",
      'src/jobs/index.js': "for (const name of require('fs').readdirSync(__dirname)) require('./' + name)",
      'src/jobs/two.test.js': wrong,
      'src/plugins/loc/strapi-server.js': "module.exports = require('./dist/server')",
    })
    assert.deepEqual(named, loaded)
  })
})
