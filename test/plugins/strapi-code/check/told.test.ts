import assert from 'node:assert/strict'
import { it } from 'vitest'
import { findPlugins } from '../../../../core/boot/load-config.js'
import { foreignParts } from '../../../../core/tools/cli/doctor/foreign.js'
import { wings } from '../../../../core/wings.js'
import { schemaOf, start } from '../support/written.js'

const files = {
  'src/api/item/content-types/item/schema.json': schemaOf('item'),
  'src/api/item/content-types/item/lifecycles.js':
    'module.exports = { beforeCreate(event) { event.params.data.x = 1 } }',
  'src/api/item/routes/item.js':
    "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::item.item', { config: { find: { policies: ['global::closed'] } } })",
  'src/policies/closed.js': 'module.exports = () => false',
  'src/middlewares/tenant.js': 'module.exports = () => (ctx, next) => next()',
  'src/extensions/users-permissions/strapi-server.js': 'module.exports = plugin => { plugin.x = 1; return plugin }',
  'config/middlewares.js': "module.exports = ['strapi::errors', 'strapi::query', 'strapi::body', 'global::tenant']",
}

it('a start without the code tells what is missing, and which routes refuse requests', async () => {
  const { app } = await start(files, { config: { plugins: { 'strapi-code': false } } })
  const parts = await foreignParts(app, await findPlugins(app.config, wings.foreign.projects))
  const told = Object.fromEntries(parts.map(({ what, where, means }) => [what, { where, means }]))
  assert.deepEqual(told['routes that need the code'], {
    where: ['GET /api/items'],
    means: 'requests to 1 route get 501, so that nothing answers that the code would answer or refuse',
  })
  assert.deepEqual(told.policies, { where: ['src/policies/closed.js'], means: 'the routes that they guard get 501' })
  assert.deepEqual(told.middlewares?.where, ['src/middlewares/tenant.js', 'global::tenant of config/middlewares'])
  assert.deepEqual(told.lifecycles?.where, ['src/api/item/content-types/item/lifecycles.js'])
  assert.deepEqual(told['extensions of plugins']?.where, ['src/extensions/users-permissions/strapi-server.js'])
  assert.equal(told['own routes'] ?? told['changes of standard routes'], undefined)
})
