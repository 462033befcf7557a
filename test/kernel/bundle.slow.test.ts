import { strict as assert } from 'node:assert'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, it, onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.js'
import { pluginNames } from '../support/plugin-names.js'
import { ask, folderOf, program } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packageFile = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly bin: { readonly stele: string }
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default?: string }>>
}
const plugins = readdirSync(path.join(root, 'dist/bundle/plugins'))

/** The published part of the code, without the rest of the build. */
function published(): string {
  const folder = folderOf()
  for (const name of ['package.json', 'core/tools/cli/stele.js', 'dist/bundle'])
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      // Servers of other tests may write it at this moment.
      filter: file => !file.endsWith('/cache'),
    })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

const env = (more: Record<string, string> = {}) => ({ PATH: process.env.PATH, NODE_OPTIONS: '', ...more })

const plugin = (name: string) => `
  import { ForbiddenError, definePlugin } from 'stele'
  import { i18n } from 'stele/plugins/i18n'
  export default definePlugin({
    name: '${name}',
    uses: [i18n],
    hooks: {
      beforeWrite(write) {
        if (write.data.text === '${name}') throw new ForbiddenError().because('${name} says so')
        return write
      },
    },
  })`

/** An app with a plugin in each language, which import the server by its name. */
function appWith(server: string): string {
  const app = folderOf({
    'content-types/note.json': JSON.stringify({
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: { text: { type: 'string' } },
    }),
    'config/api.json': JSON.stringify({ rest: { public: true } }),
    'config/plugins.json': JSON.stringify({
      ...{ i18n: true, 'draft-and-publish': true, upload: true },
      ...{ script: { enabled: true, resolve: './script.mjs' }, typed: { enabled: true, resolve: './typed.ts' } },
    }),
    'script.mjs': plugin('script'),
    'typed.ts': plugin('typed'),
    'node_modules/README': '',
  })
  symlinkSync(server, path.join(app, 'node_modules/stele'))
  return app
}

async function startedFrom(server: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const places = { PORT: String(port), HOST: '127.0.0.1', DATABASE_FILENAME: path.join(server, 'data.db') }
  const main = path.join(server, packageFile.bin.stele)
  const child = spawn(process.execPath, [main, 'start', '--app', appWith(server)], { env: env(places) })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  const listening = new Promise<boolean>(resolve => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', part => {
        said += part
        if (said.includes('listening on')) resolve(true)
      })
  })
  assert.ok(await Promise.race([listening, ended.then(() => false)]), said)
  return {
    url: `http://127.0.0.1:${port}/api/notes`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

describe('the bundle', () => {
  it('needs nothing else of the build, and plugins in both languages get its modules', async () => {
    const server = published()
    const { url, stop } = await startedFrom(server)
    assert.equal((await ask(url)).status, 200)
    // The plugins refuse with an error of the server: errors of another copy of its modules would be failures.
    for (const name of ['script', 'typed']) {
      const { status, body } = await ask(url, { method: 'POST', data: { text: name } })
      assert.deepEqual([status, body.error.name], [403, 'ForbiddenError'])
    }
    assert.equal((await ask(url, { method: 'POST', data: { text: 'other' } })).status, 200)
    await stop()
    // Node.js keeps what it has compiled beside it, where it can do that at all.
    const [major = 0] = process.versions.node.split('.').map(Number)
    assert.equal(existsSync(path.join(server, 'dist/bundle/cache')), major >= 22)
  })

  it('has all plugins and all commands', () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env: env() })
    const list = run('plugins', '--app', folderOf())
    assert.deepEqual(plugins.sort(), pluginNames().sort())
    for (const name of plugins) assert.ok(list.includes(name), name)
    const help = run('--help')
    const commands = readdirSync(path.join(root, 'core/tools/cli/commands')).filter(name => name.endsWith('.ts'))
    for (const name of commands) assert.ok(help.includes(`  ${path.basename(name, '.ts')} `), name)
  })

  it('exports what the sources do, to scripts and to CommonJS, with types', () => {
    const isModule = (name: string) => packageFile.exports[name]?.default !== undefined
    const typesAlone = Object.keys(packageFile.exports).filter(name => name !== './package.json' && !isModule(name))
    for (const name of typesAlone) assert.ok(existsSync(path.join(root, packageFile.exports[name]?.types ?? '?')), name)
    const names = Object.keys(packageFile.exports).filter(isModule)
    const entries = names.flatMap(name => (name.includes('*') ? plugins.map(one => name.replace('*', one)) : [name]))
    const places = entries.map(entry => {
      const [name = ''] = names.filter(one => one === entry || one.includes('*'))
      const { types = '', default: made = '' } = packageFile.exports[entry] ?? packageFile.exports[name] ?? {}
      return [types, made].map(place => path.join(root, place.replace('*', path.basename(entry))))
    })
    const script = `
      const { createRequire } = await import('node:module')
      const require = createRequire(import.meta.url)
      const listed = async ([file, made]) => [file, made].map(async one => Object.keys(await import(one)).sort())
      const all = []
      for (const [types, made] of ${JSON.stringify(places)}) {
        const [file, own] = await Promise.all(await listed([types.replace(/\\.d\\.ts$/, '.js'), made]))
        all.push([made, file, own, Object.keys(require(made)).filter(name => !/^(__esModule|module\\.exports)$/.test(name)).sort()])
      }
      console.log(JSON.stringify(all))`
    const text = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      cwd: root,
      env: env({ NODE_NO_WARNINGS: '1' }),
    })
    const all = JSON.parse(text) as [string, string[], string[], string[]][]
    assert.equal(all.length, plugins.length + 3)
    for (const [types = ''] of places) assert.ok(existsSync(types), types)
    for (const [made, file, own, required] of all) {
      assert.ok(own.length > 0 || made.includes('/client/'), made)
      assert.deepEqual(own, file, made)
      assert.deepEqual(required, file, made)
    }
  })

  it('comes with the licenses of the packages in it', () => {
    const text = readFileSync(path.join(root, 'dist/bundle/licenses.txt'), 'utf8')
    for (const name of ['ajv', 'commander', 'knex', 'koa', 'lodash', 'lru-cache', 'objection', 'pino', 'qs']) {
      const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'))
      assert.ok(text.includes(`${name} ${version}\n\n`), name)
    }
  })

  it('has a client for browsers, which imports nothing', () => {
    const client = packageFile.exports['./client']?.default ?? ''
    assert.doesNotMatch(readFileSync(path.join(root, client), 'utf8'), /^import\b|\brequire\(|process\./m)
    assert.ok(pathToFileURL(client))
  })
})
