import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it, onTestFinished } from 'vitest'
import { findPlugins } from '../../../../plugins/strapi-code/plugins/found.js'

it('packages whose place a plugin of the server takes are left to it, and others are found by what they say', () => {
  const appDir = mkdtempSync(path.join(tmpdir(), 'stele-plugins-'))
  onTestFinished(() => rmSync(appDir, { recursive: true }))
  const dependencies = ['strapi-plugin-menus', 'strapi-plugin-populate-deep', 'strapi-plugin-transformer', 'lodash']
  for (const name of dependencies) {
    const folder = path.join(appDir, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const said = name === 'lodash' ? {} : { strapi: { kind: 'plugin', name: name.replace('strapi-plugin-', '') } }
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, ...said }))
  }
  const found = findPlugins({ appDir, plugins: {} }, dependencies, () => false)
  assert.deepEqual(
    found.map(({ name, from, isEnabled }) => [name, from, isEnabled]),
    [['menus', 'installed', true]],
  )
})
