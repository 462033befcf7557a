import { strict as assert } from 'node:assert'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it, onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.js'
import { ask, folderOf } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { default: string }>
}

/** What runs before the one file does, and that file. */
const needed =
  /^core\/tools\/cli\/(main|v8)\.js$|^core\/packages\/(whole|compiled-file)\.js$|\.(c?json|cjs)$|^entries\//

/** A copy of the server, without what V8 compiled: servers of other tests may write that at this moment. */
function copied(): string {
  const folder = folderOf()
  cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
  const wanted = (file: string) => !/\.(v8|d\.ts)$|\.tsbuildinfo/.test(file)
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true, filter: wanted })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

/** A server of which only the one file is left: each other module would fail. */
function onlyWhole(): string {
  const folder = copied()
  const dist = path.join(folder, 'dist')
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.js') && !needed.test(name) && !/\/(built|image-process)/.test(name))
      writeFileSync(path.join(dist, name), `throw new Error(${JSON.stringify(`${name} was loaded`)})\n`)
  return folder
}

const main = (server: string): string => path.join(server, 'dist/core/tools/cli/main.js')
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
  })
  cpSync(path.join(root, 'package.json'), path.join(app, 'node_modules/package.json'))
  symlinkSync(server, path.join(app, 'node_modules/stele'))
  return app
}

async function startedFrom(server: string, more: Record<string, string> = {}): Promise<string> {
  const port = await freePort()
  const places = { PORT: String(port), HOST: '127.0.0.1', DATABASE_FILENAME: path.join(server, 'data.db') }
  const child = spawn(process.execPath, [main(server), 'start', '--app', appWith(server)], {
    env: env({ ...places, ...more }),
  })
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
  return `http://127.0.0.1:${port}/api/notes`
}

/** Both plugins refuse with an error of the server: those of another copy of its modules would be failures. */
async function assertOneSet(url: string): Promise<void> {
  assert.equal((await ask(url)).status, 200)
  for (const name of ['script', 'typed']) {
    const { status, body } = await ask(url, { method: 'POST', data: { text: name } })
    assert.deepEqual([status, body.error.name], [403, 'ForbiddenError'])
  }
  assert.equal((await ask(url, { method: 'POST', data: { text: 'other' } })).status, 200)
}

describe('the server in one file', () => {
  it('needs no other file of its own, and plugins get its modules', async () => {
    const server = onlyWhole()
    await assertOneSet(await startedFrom(server))
    const list = execFileSync(process.execPath, [main(server), 'plugins', '--app', appWith(server)], {
      encoding: 'utf8',
      env: env(),
    })
    for (const name of readdirSync(path.join(root, 'dist/plugins'))) assert.ok(list.includes(name), name)
  })

  it('is left alone under STELE_PACKAGES=installed, and plugins get the modules of the many files', async () => {
    const server = copied()
    writeFileSync(path.join(server, 'dist/core/packages/server.cjs'), 'throw new Error("it was loaded")')
    await assertOneSet(await startedFrom(server, { STELE_PACKAGES: 'installed' }))
  })

  it('is kept as V8 compiled it by the first start', async () => {
    const server = copied()
    await startedFrom(server)
    const names = readdirSync(path.join(server, 'dist/core/packages')).filter(name => name.endsWith('.v8'))
    assert.deepEqual(
      names.map(name => name.replace(/\..*/, '')),
      ['bundle', 'server'],
    )
  })

  it('is used until the compiler has run again', () => {
    const server = copied()
    const packages = path.join(server, 'dist/core/packages')
    writeFileSync(path.join(packages, 'server.cjs'), 'throw new Error("it was loaded")')
    const version = () =>
      execFileSync(process.execPath, [main(server), '--version'], { encoding: 'utf8', env: env(), stdio: 'pipe' })
    assert.throws(version, /it was loaded/)
    const compiled = path.join(server, 'dist/.tsbuildinfo')
    writeFileSync(compiled, '')
    utimesSync(path.join(packages, 'server.json'), 2_000_000_000, 2_000_000_000)
    utimesSync(compiled, 1_999_999_999, 1_999_999_999)
    assert.throws(version, /it was loaded/)
    utimesSync(compiled, 2_000_000_001, 2_000_000_001)
    assert.match(version(), /^\d+\.\d+\.\d+\n$/)
  })

  it('is ASCII alone, as the packages are, since it is read as such a text', () => {
    for (const name of ['server.cjs', 'bundle.cjs']) {
      const text = readFileSync(path.join(root, 'dist/core/packages', name), 'latin1')
      assert.deepEqual(/.{0,30}[^\0-\x7f]/.exec(text), null, name)
      assert.ok(text.includes('\\u00'), name)
    }
  })

  it('loads what comes with Node.js when a module needs it', () => {
    const program = `
      const { wholeServer } = await import('./dist/core/packages/whole.js')
      const isLoaded = name => process.moduleLoadList.includes('NativeModule ' + name)
      const run = wholeServer().modules['core/tools/cli/run.js']
      console.log(JSON.stringify([typeof run().runProcess, isLoaded('crypto'), isLoaded('https')]))`
    const script = ['--input-type=module', '--eval', program]
    const text = execFileSync(process.execPath, script, { encoding: 'utf8', cwd: root, env: env() })
    assert.deepEqual(JSON.parse(text), ['function', true, false])
  })

  it('exports what its files do, to scripts and to CommonJS', () => {
    const plugins = readdirSync(path.join(root, 'dist/plugins'))
    const [own = '', others = ''] = ['.', './plugins/*'].map(name => exports[name]?.default)
    const entries = [own, ...plugins.map(name => others.replace('*', name))]
    const program = `
      const { createRequire } = await import('node:module')
      const names = {}
      for (const entry of ${JSON.stringify(entries)}) {
        const [made, file] = await Promise.all([import(entry), import(entry.replace('/entries/', '/'))])
        names[entry] = [Object.keys(made), Object.keys(file), Object.keys(createRequire(import.meta.url)(entry))]
        if (Object.values(made).includes(undefined)) throw new Error(entry)
      }
      console.log(JSON.stringify(names))`
    const script = ['--input-type=module', '--eval', program]
    const text = execFileSync(process.execPath, script, { encoding: 'utf8', cwd: root, env: env() })
    const names = JSON.parse(text) as Record<string, string[][]>
    assert.ok(entries.length > 10 && entries.every(entry => existsSync(path.join(root, entry))))
    for (const [entry, [made = [], file, required]] of Object.entries(names)) {
      assert.deepEqual(made, file, entry)
      assert.deepEqual(required, file, entry)
      assert.ok(made.length > 0, entry)
    }
  })
})
