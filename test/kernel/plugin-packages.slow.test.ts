import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import type { AnyPlugin } from '../../core/index.js'
import { namedPlugins } from '../../core/plugin/find.js'
import { pluginNames } from '../support/plugin-names.js'
import { folderOf } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const guide = readFileSync(path.join(root, 'plugins/README.md'), 'utf8')

/** The message of a start with a plugin that is named by its package. */
async function refusal(appDir: string, resolve: string): Promise<string> {
  try {
    await namedPlugins({ appDir, plugins: { likes: { enabled: true, resolve, config: {} } } as never })
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing'
}

describe('a plugin as a package', () => {
  it('is compiled by the tsconfig.json of the guide, and found by the package.json beside it', async () => {
    const [, ofPackage = '', ofCompiler = ''] =
      /## Publishing[\s\S]*?```json\n([\s\S]*?)```[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? []
    const example = readFileSync(path.join(root, 'test/kernel/examples/likes.ts'), 'utf8')
    const app = folderOf({
      'node_modules/stele-plugin-likes/package.json': ofPackage,
      'node_modules/stele-plugin-likes/tsconfig.json': ofCompiler,
      'node_modules/stele-plugin-likes/src/likes.ts': example.replaceAll('../../../core/index.js', 'stele'),
    })
    symlinkSync(root, path.join(app, 'node_modules/stele'))
    const folder = path.join(app, 'node_modules/stele-plugin-likes')
    const resolve = 'stele-plugin-likes'
    assert.equal(
      await refusal(app, resolve),
      `config/plugins: likes could not be found: the package "${resolve}" is in ${folder}, and its package.json leads to ./dist/likes.js, which does not exist; was it built?`,
    )
    await promisify(execFile)(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
      cwd: folder,
    }).catch(({ stdout }) => assert.fail(stdout))
    assert.ok(existsSync(path.join(folder, 'dist/likes.d.ts')))
    const [found] = await namedPlugins({
      appDir: app,
      plugins: { likes: { enabled: true, resolve, config: {} } } as never,
    })
    assert.equal(found?.plugin.name, 'likes')
  })

  const file = (exports: unknown) => ({ 'node_modules/far/package.json': JSON.stringify({ name: 'far', exports }) })
  const whole = (app: string) => `the package "far" is in ${path.join(app, 'node_modules/far')}, and `
  const leads = (to: string) => `its package.json leads to ${to}, which does not exist; was it built?`
  for (const [says, exports, resolve, message] of [
    ['exports one file', './dist/a.js', 'far', leads('./dist/a.js')],
    ['exports by conditions', { types: './a.d.ts', import: './a.mjs' }, 'far', leads('./a.mjs')],
    ['exports by entries', { '.': './a.js', './likes': { node: { default: './b.js' } } }, 'far/likes', leads('./b.js')],
    [
      'has no such entry',
      { '.': './a.js' },
      'far/likes',
      'the "exports" of its package.json have no entry for "./likes" that can be imported',
    ],
    ['exports nothing', undefined, 'far', leads('./index.js')],
  ] as const)
    it(`that is not where it says is named: it ${says}`, async () => {
      const app = folderOf(file(exports))
      assert.equal(await refusal(app, resolve), `config/plugins: likes could not be found: ${whole(app)}${message}`)
    })
  it('that is not installed is named', async () => {
    const app = folderOf({})
    mkdirSync(path.join(app, 'inner'))
    writeFileSync(path.join(app, 'package.json'), '{}')
    assert.equal(
      await refusal(path.join(app, 'inner'), '@nowhere/far'),
      `config/plugins: likes could not be found: the app has no package "@nowhere/far"; install it in ${path.join(app, 'inner')}`,
    )
  })
})

describe('the guide for authors of plugins', () => {
  it('lists the value of every built-in plugin, which its module exports', async () => {
    const [, list = ''] = /`stele\/plugins\/<name>` exports ([\s\S]*?):/.exec(guide) ?? []
    const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    const exported = await Promise.all(
      pluginNames().map(async name => {
        const module: Record<string, AnyPlugin> = await import(`../../plugins/${name}/index.ts`)
        return Object.keys(module).filter(key => module[key]?.name === name)
      }),
    )
    assert.deepEqual(listed, exported.flat())
    assert.ok(listed.length > 20, `${listed.length} names`)
  })
})
