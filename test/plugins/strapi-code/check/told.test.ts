import assert from 'node:assert/strict'
import { it } from 'vitest'
import { findPlugins } from '../../../../core/boot/load-config.js'
import { foreignParts } from '../../../../core/tools/cli/doctor/foreign.js'
import { wings } from '../../../../core/wings.js'
import { uninstalledPlugins } from '../../../../plugins/strapi-code/check/uninstalled.js'
import { needless } from '../../../../plugins/strapi-code/not-carried.js'
import { schemaOf, start, written } from '../support/written.js'
import { appOfFixture } from './support.js'

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

/** Plugins of which no package is there, one that is disabled, and some that need none. */
const uninstalled = {
  'package.json': `{
  "dependencies": {
    "@strapi/strapi": "4.26.2",
    "strapi-plugin-slugify": "2.3.8",
    "@acme/strapi-plugin-menus": "1.0.0",
    "strapi-plugin-idle": "1.0.0",
    "strapi-plugin-here": "1.0.0",
    "strapi-plugin-transformer": "3.1.0",
    "strapi-plugin-rest-cache": "4.2.9"
  }
}`,
  'config/plugins.js': `module.exports = {
  sitemap: { enabled: true },
  slugify: { enabled: true },
  idle: { enabled: false },
  upload: { config: {} },
  'content-manager': { enabled: true },
  'rest-cache': { config: {} },
}`,
}
const says = (folder: string, name: string) =>
  `the plugin ${name} is not installed, and what it adds is not there, such as its routes: run npm install in ${folder}, or remove it`

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

it('a start with the code names the plugins that are not installed, and what to do', async () => {
  const { app } = await start({
    ...uninstalled,
    'node_modules/strapi-plugin-here/package.json': '{ "strapi": { "kind": "plugin", "name": "here" } }',
    'node_modules/strapi-plugin-here/strapi-server.js': 'module.exports = {}',
  })
  const parts = await foreignParts(app, await findPlugins(app.config, wings.foreign.projects))
  // No package is missing of a plugin that is not loaded from one.
  assert.deepEqual(Object.keys(needless), ['rest-cache'])
  assert.deepEqual(parts, [
    {
      what: 'uninstalled plugins',
      where: ['strapi-plugin-slugify', '@acme/strapi-plugin-menus', 'sitemap of config/plugins'],
      means: `run npm install in ${app.config.appDir}, or remove them; until then what they add is not there, such as their routes`,
    },
  ])
})

it('the check of the code names them, too', async () => {
  const { folder } = written(uninstalled)
  const found = uninstalledPlugins(await appOfFixture(folder, { API_TOKEN_SALT: 'a salt', JWT_SECRET: 'a secret' }))
  assert.deepEqual(
    found.map(({ file, line, says }) => [file, line, says]),
    [
      ['package.json', 4, says(folder, 'strapi-plugin-slugify')],
      ['package.json', 5, says(folder, '@acme/strapi-plugin-menus')],
      ['package.json', 7, says(folder, 'strapi-plugin-here')],
    ],
  )
})
