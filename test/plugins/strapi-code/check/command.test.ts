import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import { stele } from '../../../support/command.js'
import { copyOf } from '../support/scripts.js'
import { schemaOf, written } from '../support/written.js'

// A test runs several commands.
vi.setConfig({ testTimeout: 120_000 })

/** A copy of a project, in which nothing may be loaded or written by what only looks. */
function projectOf(name: string, overlay?: string) {
  const copy = copyOf(name, overlay)
  onTestFinished(() => copy.remove())
  return {
    ...copy,
    say: (...args: string[]) => stele([...args, '--app', copy.folder], { env: copy.variables }),
  }
}

const says = /^src\/api\/thing\/controllers\/thing\.js, line (\d+): /

describe('stele strapi-code check', () => {
  it('lists what nothing carries, in text and in JSON, and runs nothing', async () => {
    const { say, folder } = projectOf('broken')
    writeFileSync(path.join(folder, 'src/index.js'), "console.log('it runs'); throw new Error('it runs')")
    const { status, stdout, stderr } = await say('strapi-code', 'check')
    assert.equal(status, 1, stderr)
    const lines = stdout.trim().split('\n')
    assert.deepEqual(
      lines.map(line => says.exec(line)?.[1]),
      ['8', '11', '14', '17', '20'],
    )
    assert.match(stderr, /there are 5 places of the code that nothing here carries/)
    const { stdout: json } = await say('strapi-code', 'check', '--json')
    const rows = JSON.parse(json)
    assert.deepEqual(rows[3], {
      file: 'src/api/thing/controllers/thing.js',
      line: 17,
      says: 'Model api::nothing.nothing not found',
    })
    assert.doesNotMatch(stdout + json, /it runs/)
  })

  it('names a package that is missing once, however many places ask for it', async () => {
    const { folder, variables } = written({
      'package.json': JSON.stringify({
        dependencies: {
          '@strapi/strapi': '4.26.2',
          'strapi-plugin-menus': '1.0.0',
          'strapi-plugin-rest-cache': '4.2.9',
        },
      }),
      'src/api/item/content-types/item/schema.json': schemaOf('item'),
      'src/index.js': `
        module.exports = { bootstrap() { strapi.plugin('rest-cache').service('cacheStore').reset() } }
        require('strapi-plugin-menus/server'); require('lodash/fp'); require('./gone')`,
      'src/policies/one.js': `
        require('lodash'); require('strapi-plugin-menus'); require('../gone')
        require('strapi-plugin-rest-cache/server/utils/log')
        require('strapi-plugin-rest-cache')`,
    })
    const { stdout, stderr } = await stele(['strapi-code', 'check', '--json', '--app', folder], { env: variables })
    const rows: readonly { file: string; line: number; says: string }[] = JSON.parse(stdout)
    assert.deepEqual(
      rows.map(({ file, line, says }) => `${file}:${line} ${says.replaceAll(folder, '{app}')}`),
      [
        'package.json:1 the plugin strapi-plugin-menus is not installed, and what it adds is not there, such as its routes: run npm install in {app}, or remove it',
        'src/index.js:3 the package "lodash" is not installed; run npm install in {app}',
        'src/index.js:3 there is no file ./gone',
        'src/policies/one.js:2 there is no file ../gone',
        'src/policies/one.js:3 the package "strapi-plugin-rest-cache" is not installed; run npm install in {app}',
      ],
    )
    assert.match(stderr, /there are 5 places/)
    assert.deepEqual(Object.keys(rows[0] ?? {}), ['file', 'line', 'says'])
  })

  it('is content with code all of which is here', async () => {
    const { say } = projectOf('shop')
    const { status, stdout, stderr } = await say('strapi-code', 'check')
    assert.equal(status, 0, stderr)
    assert.equal(stdout, 'all that the code of the project calls is here\n')
    const { stdout: json } = await say('strapi-code', 'check', '--json')
    assert.deepEqual(JSON.parse(json), [])
  })

  it('is repeated by stele doctor, also where the code cannot be loaded', async () => {
    const { say } = projectOf('broken', 'handler-missing')
    const { stderr: applied, status } = await say('apply', '--yes')
    assert.equal(status, 0, applied)
    const { stdout } = await say('doctor', '--json')
    const { findings } = JSON.parse(stdout)
    const found = findings.find(({ check }: { check: string }) => check === 'strapi-code: code')
    assert.equal(found?.severity, 'warning', stdout)
    assert.equal(found.examples.length, 6)
    assert.match(
      found.examples[0],
      /^src\/api\/other\/routes\/01\.js, line 1: Error creating endpoint GET \/others\/count/,
    )
  })
})
