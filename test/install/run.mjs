// Installs what users install: a clone, a packed tarball in an empty folder, an app of `stele init`. Closes with counts.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copyRepository } from '../support/copied-repository.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stele-install-')))
const [major] = process.versions.node.split('.').map(Number)
const inFolder = (...names) => path.join(folder, ...names)

/** `--keep FILE` leaves the tarball there; `--tarball FILE` tries that one, as far as it depends on the version of Node.js. */
const { values: options } = parseArgs({ options: { keep: { type: 'string' }, tarball: { type: 'string' } } })
const dependsOnNode =
  /^a tarball( in an empty folder| without|: (stele init|npm start|that start|npm test|createTestApp))/

/** The programs that an installation may need: npm, this Node.js and a shell. No compiler, no python, no make. */
const env = { ...cleanEnv(process.env), PATH: bareBin(), NODE_ENV: '', CI: '' }

const checks = {
  'a clone: npm ci builds, without a warning': () => {
    copyRepository(inFolder('clone'))
    quiet(npm('clone', 'ci'))
    assert.ok(fs.existsSync(inFolder('clone/dist/bundle/core/index.js')))
  },

  'a clone: npm start serves the sample app': () =>
    serving('clone', async get => assert.ok((await get('/api/articles')).data.length > 5)),

  'npm pack: what the pages in it link to is in it, and nothing of a build or a test': () => {
    // A leftover of a module that is no more.
    fs.writeFileSync(inFolder('clone/dist/bundle/of-an-old-build.js'), '')
    npm('clone', 'pack', '--pack-destination', folder)
    fs.renameSync(inFolder(fs.readdirSync(folder).find(name => name.endsWith('.tgz'))), inFolder('stele.tgz'))
    if (options.keep) fs.copyFileSync(inFolder('stele.tgz'), options.keep)
    execFileSync('tar', ['xzf', inFolder('stele.tgz'), '-C', folder])
    const files = filesIn(inFolder('package')).filter(name => !name.startsWith('node_modules/'))
    const unwanted = files.filter(name =>
      /old-build|\.map$|bundle\/cache\/|tsbuildinfo|^dist\/(core|plugins)\/.*\.js$(?<!\/built\/.*)|\.test\.|\.db$|^core\/.*\.ts$|\.env/.test(
        name,
      ),
    )
    assert.deepEqual(unwanted, [])
    for (const page of ['console', 'explorer'])
      assert.ok(
        files.some(name => new RegExp(`^dist/plugins/${page}/built/assets/index-.*\\.js\\.br$`).test(name)),
        `the page of ${page} is not in it`,
      )
    const pages = files.filter(name => name.endsWith('.md'))
    assert.ok(pages.includes('README.md') && pages.includes('plugins/README.md'), pages.join())
    assert.deepEqual(pages.flatMap(brokenLinks), [])
  },

  'a tarball in an empty folder: npm install runs no script and warns of nothing': () => {
    fs.mkdirSync(inFolder('empty'))
    // Without it npm looks for a project further up, and would install into whatever folder of the machine has one.
    quiet(npm('empty', 'install', '--prefix', '.', '../stele.tgz'))
    assert.ok(fs.existsSync(inFolder('empty/node_modules/stele')) && fs.existsSync(inFolder('empty/package.json')))
  },

  'a tarball: stele init makes an app that depends on it, and whose npm install warns of nothing': () => {
    const steps = run('empty', npmCli, 'exec', '--', 'stele', 'init', 'my-app').stdout
    assert.match(steps, /cd my-app\n {2}npm install\n {2}npm run dev\n/)
    assert.equal(readJson('empty/my-app/package.json').dependencies.stele, 'file:vendor/stele.tgz')
    quiet(npm('empty/my-app', 'install'))
  },

  'a tarball: the Dockerfile of that app installs it, from what is in the app alone': async () => {
    buildImage('empty/my-app', 'image')
    await serving('image', async get => assert.equal((await get('/api/articles')).meta.pagination.total, 2))
  },

  'a tarball: npm start of that app serves its articles': () =>
    serving('empty/my-app', async get => assert.equal((await get('/api/articles')).meta.pagination.total, 2)),

  'a tarball: that start has kept what Node.js compiled of the bundle': () =>
    assert.equal(fs.existsSync(inFolder('empty/my-app/node_modules/stele/dist/bundle/cache')), major >= 22),

  'a tarball: npm test of that app passes': () => assert.match(npm('empty/my-app', 'test'), /pass 1\b/),

  'a tarball: the types file of that app is up to date, and its project compiles': () => {
    assert.match(npm('empty/my-app', 'run', 'types'), /types\/schema\.ts is up to date/)
    run('empty/my-app', path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  },

  'a tarball: stele/client asks the running app, with its types': () =>
    serving('empty/my-app', async (_, url) => {
      const lines = [
        "import { createClient, unwrap } from 'stele/client'",
        "import type { Schema } from './types/schema.js'",
        "const api = createClient<Schema>({ url: process.argv[2] ?? '' })",
        "const found = unwrap(await api.articles.find({ fields: ['title'], filters: { minutes: 1 } }))",
        'const titles: string[] = found.map(({ attributes }) => attributes.title)',
        'const slugs = Array.from({ length: 200 }, (_, index) => "none-" + index)',
        "const long = await api.articles.find({ filters: { slug: { $in: ['hello', ...slugs] } } })",
        "const refused = await api.articles.create({ title: 'Mine' })",
        'console.log(titles.join(), long.data?.length, refused.error?.name)',
        '// @ts-expect-error an attribute that articles do not have',
        "await api.articles.find({ fields: ['titel'] })",
      ]
      write('empty/my-app/ask.ts', ['declare const process: { argv: string[] }', ...lines])
      write('empty/my-app/tsconfig.client.json', [
        '{"extends":"./tsconfig.json","compilerOptions":{"noEmit":false,"outDir":"out","types":[],"lib":["es2023","dom"]},"include":["ask.ts"]}',
      ])
      run('empty/my-app', path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.client.json')
      assert.equal((await ran('empty/my-app', 'out/ask.js', `${url}/api`)).trim(), 'Hello 1 ForbiddenError')
    }),

  'a tarball: its package can be run without an installation, and init depends on a copy of the tarball': () => {
    run('', npmCli, 'exec', '--yes', `--package=${inFolder('stele.tgz')}`, '--', 'stele', 'init', 'other')
    assert.equal(readJson('other/package.json').dependencies.stele, 'file:vendor/stele.tgz')
  },

  'a tarball: createTestApp serves a test': () => {
    write('empty/try.mjs', [
      "import { createTestApp } from 'stele'",
      "import { i18n } from 'stele/plugins/i18n'",
      "const app = await createTestApp({ types: { note: { attributes: { text: { type: 'string' } } } }, plugins: [i18n] })",
      "const { statusCode } = await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'x' } } })",
      'await app.close()',
      'console.log(statusCode)',
    ])
    const { stdout, stderr } = run('empty', 'try.mjs')
    assert.deepEqual([stdout, stderr], ['200\n', ''])
  },

  'a tarball: a plugin in TypeScript is checked against its types': () => {
    write('empty/plugin.ts', [
      "import { createTestApp, definePlugin, type Host } from 'stele'",
      "import { i18n } from 'stele/plugins/i18n'",
      "import { usersPermissions } from 'stele/plugins/users-permissions'",
      "export const one = definePlugin({ name: 'one', register: (host: Host) => host.entries('api::note.note') })",
      "export const speaks = definePlugin({ name: 'speaks', uses: [i18n], register: host => host.service(i18n) })",
      'export const app = createTestApp({ plugins: [speaks, i18n, [usersPermissions, { jwtSecret: "x" }]] })',
      'const reply = await (await createTestApp({ plugins: [one] })).inject("/")',
      'export const code: number = reply.statusCode',
      '// @ts-expect-error a part that plugins do not have',
      "export const two = definePlugin({ name: 'two', hook: {} })",
    ])
    write('empty/tsconfig.json', [
      '{"compilerOptions":{"module":"nodenext","target":"es2023","strict":true,"noEmit":true,"skipLibCheck":true,"types":[]}}',
    ])
    run('empty', path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  },

  'a tarball without the SQLite package: served on Node.js 24, a sentence before that': async () => {
    fs.rmSync(inFolder('empty/my-app/node_modules/stele/node_modules/@photostructure'), { recursive: true })
    if (major >= 24) return serving('empty/my-app', async get => assert.ok((await get('/api/articles')).data))
    const { status, stderr } = spawnIn('empty/my-app', [npmCli, 'start'])
    assert.equal(status, 78)
    assert.match(stderr, /^SQLite needs Node\.js 24 or later, or the package @photostructure\/sqlite/m)
  },

  'a clone without development dependencies: npm start serves what was built': async () => {
    quiet(npm('clone', 'prune', '--omit=dev'))
    assert.ok(!fs.existsSync(inFolder('clone/node_modules/typescript')))
    await serving('clone', async get => assert.ok((await get('/api/articles')).data.length > 5))
  },

  'a fresh clone: npm ci --omit=dev works, and npm start says what is missing': () => {
    copyRepository(inFolder('bare'))
    assert.match(quiet(npm('bare', 'ci', '--omit=dev')), /dist\/ is missing/)
    const { status, stderr } = spawnIn('bare', [npmCli, 'start'])
    assert.notEqual(status, 0)
    assert.match(stderr, /stele is not built.*Run `npm ci`/)
    assert.notEqual(spawnIn('bare', [npmCli, 'pack']).status, 0)
  },

  'that clone with the dist of another: npm start serves it': () => {
    fs.cpSync(inFolder('clone/dist'), inFolder('bare/dist'), { recursive: true })
    return serving('bare', async get => assert.ok((await get('/api/articles')).data.length > 5))
  },

  'a clone as a dependency: an app of init finds it there': async () => {
    run('', 'clone/core/tools/cli/stele.js', 'init', 'near')
    assert.equal(readJson('near/package.json').dependencies.stele, 'file:../clone')
    quiet(npm('near', 'install'))
    await serving('near', async get => assert.equal((await get('/api/articles')).meta.pagination.total, 2))
  },

  'a clone as a dependency: the Dockerfile of that app installs it, once it is packed': async () => {
    npm('near', 'run', 'vendor')
    buildImage('near', 'near-image')
    await serving('near-image', async get => assert.equal((await get('/api/articles')).meta.pagination.total, 2))
  },
}

const npmCli = await findNpm()
// Scripts of packages call it by its name.
fs.symlinkSync(npmCli, inFolder('bin', 'npm'))
if (options.tarball) fs.copyFileSync(options.tarball, inFolder('stele.tgz'))
const chosen = Object.entries(checks).filter(([says]) => !options.tarball || dependsOnNode.test(says))
let passed = 0
let failed = 0
try {
  console.log(`Node.js ${process.versions.node}, npm ${run('', npmCli, '--version').stdout.trim()}`)
  const trouble = registryTrouble()
  if (trouble && !process.env.CI) console.log(`SKIPPED: nothing can be installed here: ${trouble}`)
  else for (const [says, check] of chosen) await tried(says, check)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function tried(says, check) {
  const begun = performance.now()
  try {
    await check()
    passed += 1
    console.log(`✓ ${says} ${Math.round(performance.now() - begun)} ms`)
  } catch (error) {
    failed += 1
    console.log(`FAILED: ${says}: ${error.message}\n${error.stack}`)
  }
}

/** The first attempt says whether there is a registry; its words are those of npm. */
function registryTrouble() {
  const { status, stderr } = spawnIn('', [npmCli, 'view', 'koa', 'version'])
  return status === 0 ? undefined : stderr.trim() || 'the registry gives no answer'
}

/** Variables that npm sets for its scripts would configure the npm under test. */
function cleanEnv(all) {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => !/^(npm_|NODE_(ENV|OPTIONS|V8_COVERAGE)|STELE_)/.test(name) || name === 'npm_config_registry',
    ),
  )
}

function bareBin() {
  const bin = inFolder('bin')
  fs.mkdirSync(bin)
  for (const name of ['sh', 'git']) {
    const place = (process.env.PATH ?? '')
      .split(path.delimiter)
      .map(one => path.join(one, name))
      .find(one => fs.existsSync(one))
    if (place) fs.symlinkSync(place, path.join(bin, name))
  }
  fs.symlinkSync(process.execPath, path.join(bin, 'node'))
  return bin
}

async function findNpm() {
  const place =
    process.env.npm_execpath ?? spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  return fs.realpathSync(place)
}

function spawnIn(where, args) {
  return spawnSync(process.execPath, args, { cwd: inFolder(where), env, encoding: 'utf8' })
}

function run(where, ...args) {
  const { status, stdout, stderr } = spawnIn(where, args)
  assert.equal(status, 0, `${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return { stdout, stderr }
}

/** The same for a program that talks to a server which this process looks after. */
async function ran(where, ...args) {
  const child = spawn(process.execPath, args, { cwd: inFolder(where), env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', part => (output += part))
  const [status] = await once(child, 'close')
  assert.equal(status, 0, output)
  return output
}

function npm(where, ...args) {
  const { stdout, stderr } = run(where, npmCli, ...args)
  return stdout + stderr
}

/** Fails on every warning but those about the settings of the machine, and gives back what was said. */
function quiet(output) {
  const warnings = output
    .split('\n')
    .filter(line => /\bwarn\b/i.test(line) && !/Unknown (user|env|global) config/.test(line))
  assert.deepEqual(warnings, [])
  return output
}

/** Copies every file that git tracks or would add, with its changes. */
function filesIn(place) {
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(place, path.join(entry.parentPath, entry.name)))
}

function brokenLinks(page) {
  const text = fs.readFileSync(inFolder('package', page), 'utf8')
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link]) => link)
    .filter(link => !/^[a-z]+:/.test(link) && !fs.existsSync(inFolder('package', path.dirname(page), link)))
    .map(link => `${page}: ${link}`)
}

function readJson(name) {
  return JSON.parse(fs.readFileSync(inFolder(name), 'utf8'))
}

function write(name, lines) {
  fs.writeFileSync(inFolder(name), `${lines.join('\n')}\n`)
}

/** Does in a folder what the steps of an app's Dockerfile do in an image; its account is the one of this process. */
function buildImage(app, image) {
  fs.mkdirSync(inFolder(image))
  const ignored = fs.readFileSync(inFolder(app, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const isSent = place => {
    const name = path.relative(inFolder(app), place)
    return !ignored.some(one => `${name}/`.startsWith(one) || name === one)
  }
  const steps = fs.readFileSync(inFolder(app, 'Dockerfile'), 'utf8').matchAll(/^(COPY|RUN) (.*)$/gm)
  for (const [, step, words] of steps) {
    if (step === 'COPY') {
      const names = words.split(' ')
      const to = inFolder(image, names.pop())
      for (const name of names.flatMap(one => sourcesOf(app, one))) {
        const from = inFolder(app, name)
        const place = fs.statSync(from).isDirectory() ? to : path.join(to, name)
        fs.cpSync(from, place, { recursive: true, filter: isSent })
      }
    } else if (!words.includes('chown')) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', words], {
        cwd: inFolder(image),
        env: imageEnv(),
        encoding: 'utf8',
      })
      assert.equal(status, 0, `RUN ${words}\n${stdout}${stderr}`)
    }
  }
}

/** The sources of a COPY instruction: a folder, or files with a star in their name. */
function sourcesOf(app, word) {
  if (!word.includes('*')) return [word]
  const [begin, end] = word.split('*')
  return fs.readdirSync(inFolder(app)).filter(name => name.startsWith(begin) && name.endsWith(end))
}

/** An image has more programs than an installation may need, npm among them. */
function imageEnv() {
  const found = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  return { ...env, PATH: [path.dirname(found), env.PATH, process.env.PATH].join(path.delimiter) }
}

/** Runs `npm start` until it answers, hands over what asks it, and stops it. */
async function serving(where, check) {
  const port = await freePort()
  const child = spawn(process.execPath, [npmCli, 'start'], {
    cwd: inFolder(where),
    env: { ...env, PORT: String(port), HOST: '127.0.0.1' },
    // A group of its own, so that the server ends with npm.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += part))
  const ended = once(child, 'close').then(() => true)
  try {
    while (!output.includes('listening on')) {
      const isOver = await Promise.race([ended, once(child.stdout, 'data').then(() => false)])
      assert.ok(!isOver || output.includes('listening on'), `npm start ended:\n${output}`)
    }
    const url = `http://127.0.0.1:${port}`
    const get = async route => {
      const answer = await fetch(url + route, { headers: { connection: 'close' } })
      const body = await answer.text()
      assert.equal(answer.status, 200, body)
      return JSON.parse(body)
    }
    await check(get, url)
  } finally {
    process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
