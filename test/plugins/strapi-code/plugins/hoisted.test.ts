import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'vitest'
import { findPlugins } from '../../../../core/boot/load-config.js'
import { foreignParts } from '../../../../core/tools/cli/doctor/foreign.js'
import { wings } from '../../../../core/wings.js'
import { checkCode } from '../../../../plugins/strapi-code/check/index.js'
import { uninstalledPlugins } from '../../../../plugins/strapi-code/check/uninstalled.js'
import { appOfFixture } from '../check/support.js'
import type { ProjectCopy } from '../support/scripts.js'
import { get, schemaOf, startCopy, written } from '../support/written.js'

const site = 'apps/site'
const plugin = (name: string, at: string) => ({
  // Only the entry for code can be asked for by its name.
  [`${at}/package.json`]: JSON.stringify({
    name: `strapi-plugin-${name}`,
    exports: { './strapi-server': './strapi-server.js' },
    strapi: { kind: 'plugin', name },
  }),
  [`${at}/strapi-server.js`]: `
    const { pluralOf } = require('words')
    module.exports = {
      routes: { 'content-api': { type: 'content-api', routes: [{ method: 'GET', path: '/all', handler: 'own.all', config: { auth: false } }] } },
      controllers: { own: { all: () => ({ own: pluralOf('${name}'), errors: typeof require('@strapi/utils').errors.NotFoundError }) } },
    }`,
})
const words = (at: string) => ({
  [`${at}/package.json`]: '{ "name": "words", "exports": "./main.js" }',
  [`${at}/main.js`]: "exports.pluralOf = name => name + 's'",
})

/** A project whose packages are in another folder than its own. */
const files = {
  [`${site}/package.json`]: JSON.stringify({
    name: 'site',
    dependencies: {
      ...{ '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2', words: '1' },
      ...{ 'strapi-plugin-menu': '1', 'strapi-plugin-tag': '1', 'strapi-plugin-absent': '1' },
    },
  }),
  [`${site}/config/plugins.js`]: "module.exports = { tag: { enabled: true, resolve: 'strapi-plugin-tag' } }",
  [`${site}/src/api/item/content-types/item/schema.json`]: schemaOf('item'),
  [`${site}/src/index.js`]: `
    require('words')
    module.exports = { register() { strapi.plugin('menu').controller('own'); try { require('lodash') } catch {} } }`,
}

/** The places of packages: lifted to the folder of the workspace, or linked from a store, as pnpm has them. */
const layouts: readonly (readonly [says: string, make: () => ProjectCopy])[] = [
  [
    'lifted to the folder above',
    () =>
      written(
        {
          ...files,
          ...plugin('menu', 'node_modules/strapi-plugin-menu'),
          ...plugin('tag', 'node_modules/strapi-plugin-tag'),
          ...words('node_modules/words'),
        },
        site,
      ),
  ],
  [
    'linked from a store',
    () => {
      const store = 'node_modules/.pnpm'
      const copy = written(
        {
          ...files,
          ...plugin('menu', `${store}/menu/node_modules/strapi-plugin-menu`),
          ...plugin('tag', `${store}/tag/node_modules/strapi-plugin-tag`),
          ...words(`${store}/words/node_modules/words`),
        },
        site,
      )
      const root = path.resolve(copy.folder, '../..')
      const link = (name: string, folder: string) => {
        mkdirSync(folder, { recursive: true })
        const of = name.replace('strapi-plugin-', '')
        symlinkSync(path.join(root, store, of, 'node_modules', name), path.join(folder, name))
      }
      for (const name of ['strapi-plugin-menu', 'strapi-plugin-tag', 'words'])
        link(name, path.join(copy.folder, 'node_modules'))
      for (const name of ['menu', 'tag']) link('words', path.join(root, store, name, 'node_modules'))
      // One that was removed from the store is not there.
      symlinkSync(path.join(root, store, 'absent'), path.join(copy.folder, 'node_modules/strapi-plugin-absent'))
      return copy
    },
  ],
]

for (const [says, make] of layouts)
  describe(`packages that are ${says}`, () => {
    it('are plugins that run, and only those that are nowhere are missing', async () => {
      const copy = make()
      const project = await startCopy(copy)
      for (const name of ['menu', 'tag'])
        assert.deepEqual(await get(project, `/api/${name}/all`), {
          status: 200,
          body: { own: `${name}s`, errors: 'function' },
        })
      const parts = await foreignParts(project.app, await findPlugins(project.app.config, wings.foreign.projects))
      assert.deepEqual(parts.find(({ what }) => what === 'uninstalled plugins')?.where, ['strapi-plugin-absent'])
    })

    it('are there for the check', async () => {
      const { folder, variables } = make()
      const app = await appOfFixture(folder, variables)
      assert.deepEqual(
        uninstalledPlugins(app).map(one => one.package),
        ['strapi-plugin-absent'],
      )
      assert.deepEqual(
        checkCode(app).map(({ says }) => says),
        [`the package "lodash" is not installed; run npm install lodash in ${folder}`],
      )
    })
  })
