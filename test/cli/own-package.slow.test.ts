import assert from 'node:assert/strict'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { vendored } from '../../core/tools/cli/init/init.js'
import { ownDependency } from '../../core/tools/cli/init/own-package.js'
import { stele } from '../support/command.js'
import { folderOf, program } from '../support/terminal.js'

const asks = (dependencies: Record<string, string>) => JSON.stringify({ dependencies })
const copy = 'place/node_modules/stele/'

describe('what a new app asks npm for', () => {
  const cases: { says: string; at?: string; files: Record<string, string>; gives: string }[] = [
    {
      says: 'this version, of a copy that was asked for as a version',
      files: { 'place/package.json': asks({ stele: '^0.0.9' }) },
      gives: '^1.2.3',
    },
    {
      says: 'this version, of a copy that was asked for by a tag',
      files: { 'place/package.json': asks({ stele: 'latest' }) },
      gives: '^1.2.3',
    },
    {
      says: 'the tarball that it was installed from',
      files: { 'place/package.json': asks({ stele: 'file:../stele.tgz' }), 'stele.tgz': '' },
      gives: 'file:../../stele.tgz',
    },
    {
      says: 'its own folder, where that tarball is gone',
      files: { 'place/package.json': asks({ stele: 'file:../stele.tgz' }) },
      gives: 'file:../../place/node_modules/stele',
    },
    {
      says: 'the address that it was installed from',
      files: { 'place/package.json': asks({ stele: 'git+https://example.test/stele.git#v1' }) },
      gives: 'git+https://example.test/stele.git#v1',
    },
    {
      says: 'its own folder, where a workspace asked for it',
      files: { 'place/package.json': asks({ stele: 'workspace:*' }) },
      gives: 'file:../../place/node_modules/stele',
    },
    {
      says: 'its own folder, where no project asked for it, as after a global installation',
      files: {},
      gives: 'file:../../place/node_modules/stele',
    },
    {
      says: 'this version, of a copy deep in the store of another package manager',
      at: 'place/node_modules/.pnpm/stele@1.2.3/node_modules/stele/',
      files: { 'place/package.json': asks({ stele: '1.2.3' }) },
      gives: '^1.2.3',
    },
  ]
  for (const { says, files, gives, at = copy } of cases) {
    it(says, () => {
      const folder = folderOf({ ...files, [`${at}package.json`]: '{}', 'new/app/package.json': '{}' })
      assert.equal(ownDependency(join(folder, 'new/app'), '1.2.3', join(folder, at)), gives)
    })
  }

  it('is in the app as a copy, where it is a tarball: an image is built of the app alone', async () => {
    const folder = folderOf({ 'stele-1.2.3.tgz': 'packed', 'clone/package.json': '{}', 'app/package.json': '{}' })
    const app = join(folder, 'app')
    assert.deepEqual(await vendored(app, 'file:../stele-1.2.3.tgz'), {
      stele: 'file:vendor/stele-1.2.3.tgz',
      source: 'tarball',
    })
    assert.equal(readFileSync(join(app, 'vendor/stele-1.2.3.tgz'), 'utf8'), 'packed')
    assert.deepEqual(await vendored(app, 'file:../clone'), { stele: 'file:../clone', source: 'folder' })
    assert.deepEqual(await vendored(app, '^1.2.3'), { stele: '^1.2.3', source: 'elsewhere' })
  })

  it('is the folder of a clone, and init says so', async () => {
    const cwd = folderOf()
    const { stdout } = await stele(['init', 'app'], { cwd })
    const { dependencies } = JSON.parse(readFileSync(join(cwd, 'app/package.json'), 'utf8'))
    const place = dependencies.stele.replace(/^file:/, '')
    assert.equal(realpathSync(join(cwd, 'app', place)), realpathSync(join(program, '../../../..')))
    assert.ok(stdout.includes(`takes stele from ${place}, where this copy came from`), stdout)
  })
})
