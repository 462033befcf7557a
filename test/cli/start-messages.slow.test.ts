import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { foreignProjects } from '../../core/foreign/known.js'
import { createTestApp, definePlugin } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { greeting } from '../../core/tools/cli/serving/greeting.js'
import { admin } from '../../plugins/admin/index.js'
import { contentConsole } from '../../plugins/console/index.js'
import { explorer } from '../../plugins/explorer/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/every-engine.js'
import { ask, folderOf, ownEnv, program, started, stele as steleProcess } from '../support/terminal.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })

const note = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})
const app = { 'content-types/note.json': note }

describe('a start that fails', () => {
  const broken: { says: string; files: Record<string, string>; message: RegExp }[] = [
    {
      says: 'an ES module with a syntax error',
      files: { 'config/server.mjs': 'export default {\n  port: (,\n}\n' },
      message: /^config\/server\.mjs cannot be loaded: line 2, column 10: Unexpected token ','$/m,
    },
    {
      says: 'a CommonJS module with a syntax error',
      files: { 'config/server.cjs': 'module.exports = {\n  port: 1\n  host: 2,\n}\n' },
      message: /^config\/server\.cjs cannot be loaded: line 3, column 3: Unexpected identifier/m,
    },
    {
      says: 'TypeScript with a syntax error',
      files: { 'config/server.ts': 'export default {\n  port: 1\n  host: 2,\n}\n' },
      message: /^config\/server\.ts cannot be loaded: line 3, column 3: Unexpected token, expected ","$/m,
    },
    {
      says: 'broken JSON',
      files: { 'config/api.json': '{\n  "rest": {\n}' },
      message: /^config\/api\.json cannot be loaded: line 3, column 2: /m,
    },
    {
      says: 'a plugin of the app with a syntax error',
      files: {
        'config/plugins.json': '{"mine":{"resolve":"./plugins/mine.mjs"}}',
        'plugins/mine.mjs': 'export const mine = {\n  name: "mine"\n  config: {},\n}\n',
      },
      message: /^config\/plugins: mine could not be loaded: line 3, column 3: /m,
    },
    {
      says: 'a plugin under another name',
      files: {
        'config/plugins.json': '{"mine":{"resolve":"./plugins/mine.mjs"}}',
        'plugins/mine.mjs': 'export const yours = { name: "yours" }\n',
      },
      message:
        /^config\/plugins: \S+plugins\/mine\.mjs exports no plugin named "mine", but "yours"; the key in config\/plugins is the name of the plugin$/m,
    },
    {
      says: 'a file that exports no plugin',
      files: {
        'config/plugins.json': '{"mine":{"resolve":"./plugins/mine.mjs"}}',
        'plugins/mine.mjs': 'export const three = 3\n',
      },
      message: /mine\.mjs exports no plugin named "mine": a plugin is a value such as definePlugin/m,
    },
    {
      says: 'a misspelt plugin',
      files: { 'config/plugins.json': '{"users-permission":true}' },
      message: /there is no plugin "users-permission"; did you mean "users-permissions"\?/,
    },
  ]
  for (const { says, files, message } of broken)
    it(`names the place of ${says}`, async () => {
      // With coverage, vitest compiles modules imported in this process, with errors of its own.
      const isCode = process.env.STELE_COVERAGE && Object.keys(files).some(name => /\.[cm]?js$/.test(name))
      const { status, stderr } = await (isCode ? steleProcess : stele)(['start', '--port', '0'], {
        cwd: folderOf({ ...app, ...files }),
      })
      assert.equal(status, 78)
      assert.match(stderr, message)
    })

  it('says so as a line of the log in production, where no one sits at a terminal', async () => {
    const cwd = folderOf({ ...app, 'config/api.json': '{"rest":{"defaultLimt":1}}' })
    const { status, stdout, stderr } = await stele(['start'], { cwd, env: { NODE_ENV: 'production' } })
    assert.equal(status, 78)
    assert.equal(stderr, '')
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [['fatal', 'config/api: rest.defaultLimt is not a setting; did you mean rest.defaultLimit?']],
    )
  })

  it('names the user whose rights were not enough', { skip: process.getuid?.() === 0 }, async () => {
    const cwd = folderOf(app)
    mkdirSync(join(cwd, '.tmp'), { mode: 0o500 })
    const { status, stderr } = await stele(['start'], { cwd, env: { PORT: '0' } })
    chmodSync(join(cwd, '.tmp'), 0o700)
    assert.equal(status, 77)
    assert.match(stderr, new RegExp(`EACCES.*\\(as the user ${userInfo().username}\\)`))
  })

  it.runIf(existsSync('/proc'))('names a place where no database can be made, and ends', async () => {
    const cwd = folderOf({ ...app, 'config/database.json': '{"client":"sqlite","filename":"/proc/my-app/data.db"}' })
    const { status, stderr } = await stele(['start'], { cwd, env: { PORT: '0' } })
    assert.equal(status, 69)
    assert.match(stderr, /^the sqlite database \/proc\/my-app\/data\.db cannot be used: ENOENT/m)
  })

  it('needs a newer Node, and says so before anything is imported', () => {
    const cwd = folderOf({ 'old.cjs': "Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })" })
    const asked = spawnSync(process.execPath, ['--require', join(cwd, 'old.cjs'), program, '--version'], {
      env: ownEnv,
      encoding: 'utf8',
    })
    assert.equal(asked.status, 1)
    assert.match(asked.stderr, /^stele needs Node 20\.19 or newer, and this is Node 20\.18\.3: [^\n]+\n$/)
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.equal(engines.node, '>=20.19')
    const entry = readFileSync(join(import.meta.dirname, '../../core/tools/cli/stele.js'), 'utf8')
    assert.doesNotMatch(entry, /^import\b(?!.*'node:)/m)
  })
})

describe('a start', () => {
  const linesOf = async (options: Parameters<typeof createTestApp>[0], level = 'info') => {
    const lines: Record<string, unknown>[] = []
    const log = createLog(level, { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
    await (await createTestApp({ ...options, log })).close()
    return lines
  }
  const plugin = definePlugin({
    name: 'mine',
    config: { type: 'object', properties: { strict: { type: 'boolean', default: { spec: true, strapi4: false } } } },
  })

  it('tells of a dialect in one line, and of each difference at the level debug', async () => {
    const options = { plugins: [plugin], config: { api: { rest: { dialect: 'strapi4' as const } } } }
    const lines = await linesOf(options)
    const told = lines.filter(({ msg }) => /dialect/.test(String(msg)))
    assert.equal(told.length, 1)
    assert.match(
      String(told[0]?.msg),
      /^responses follow the dialect strapi4, which differs from spec in \d+ flags and 1 setting of plugins: LOG_LEVEL=debug lists them/,
    )
    assert.match(String(told[0]?.flags), /\bstrictParams\b/)
    const all = (await linesOf(options, 'debug')).filter(({ msg }) => /^the dialect sets/.test(String(msg)))
    assert.ok(all.length > 10)
    assert.deepEqual(all.at(-1)?.setting, 'strict')
    const [plain] = await linesOf({})
    assert.equal(plain?.msg, 'responses follow the dialect spec')
  })

  it('tells of changed roles in a short line', async () => {
    const types = Object.fromEntries(['note', 'tag', 'page'].map(name => [name, { attributes: {} }]))
    const permissions = { roles: { public: { note: true, tag: true, page: true } } }
    const lines: string[] = []
    const log = createLog('info', { destination: { write: (line: string) => void lines.push(line) } })
    const world = await createTestApp({ plugins: [usersPermissions], types, config: { permissions }, log })
    await world.close()
    // Roles are declared for servers and applied by the first refresh.
    const told = lines.filter(line => /changed roles/.test(line))
    assert.match(told.join(), /config\/permissions changed roles, the first 3 of \d+: public {2}\+ /)
    for (const line of told) assert.ok(line.length < 500, line)
  })

  it('asks whether a file of config/ that nothing reads is another one', async () => {
    const folder = folderOf({ 'config/plugin.js': 'export default {}', 'config/middlewares.js': 'export default []' })
    const { notices } = await loadConfig(folder, { projects: foreignProjects, env: {} })
    assert.deepEqual(notices, ['config/plugin is not read: did you mean config/plugins?'])
    const both = folderOf({ 'config/plugin.js': 'export default {}', 'config/plugins.js': 'export default {}' })
    assert.deepEqual((await loadConfig(both, { projects: foreignProjects, env: {} })).notices, [])
    const { stdout } = await stele(['doctor'], { cwd: folderOf({ ...app, 'config/plugin.json': '{}' }) })
    assert.match(stdout, /^warning: settings: config\/plugin is not read: did you mean config\/plugins\?/m)
  })

  it('lists the addresses of content types first, and pages at the root where they are', async () => {
    const plugins = [usersPermissions, admin, contentConsole, explorer]
    const world = await createTestApp({ plugins, types: { note: { attributes: {} } } })
    const [, list = ''] = greeting(world, 1337).split(':\n\n')
    assert.match(list, /^ {4}http:\/\/\S+\/api\/notes\n/)
    assert.match(
      list,
      /:1337\/console\n( {4}\S+:1337\/\n)? {4}\S+:1337\/explorer\n {4}and \d+ more addresses of plugins: stele routes\n/,
    )
    assert.doesNotMatch(list, /api\/explorer|meta\.json|api\/users/)
    await world.close()
  })
})

onEveryEngine('an app of stele init', engine => {
  it('takes any database from DATABASE_URL', async () => {
    const cwd = folderOf()
    assert.equal((await stele(['init', 'app'], { cwd })).status, 0)
    const fresh = await engine.fresh()
    const { server, url } = await started(join(cwd, 'app'), { DATABASE_URL: urlOf(fresh.env) })
    const { body } = await ask(`${url}/api/articles`)
    assert.equal(body.meta.pagination.total, 2)
    assert.equal(await server.stop(), 0)
    const archive = join(cwd, 'all.tar')
    for (const args of [['export', archive], ['import', archive, '--replace', '--yes'], ['plan']]) {
      const { status, stderr } = await stele([...args, '--app', join(cwd, 'app')], {
        env: { DATABASE_URL: urlOf(fresh.env) },
      })
      assert.equal(status, 0, `${args.join(' ')}: ${stderr}`)
    }
    await fresh.drop()
  })
})

function urlOf(env: Readonly<Record<string, string>>): string {
  if (env.DATABASE_FILENAME !== undefined) return `sqlite:${env.DATABASE_FILENAME}`
  const { DATABASE_CLIENT, DATABASE_HOST, DATABASE_PORT, DATABASE_NAME, DATABASE_USERNAME, DATABASE_PASSWORD } = env
  const user = [DATABASE_USERNAME, DATABASE_PASSWORD].filter(Boolean).map(String).map(encodeURIComponent).join(':')
  return `${DATABASE_CLIENT}://${user}@${DATABASE_HOST}:${DATABASE_PORT}/${DATABASE_NAME}`
}

describe('stele init --database', () => {
  for (const [name, client] of [
    ['mariadb', 'mysql'],
    ['mysql', 'mysql'],
    ['postgres', 'postgres'],
  ] as const)
    it(`${name} makes an app for ${client}`, async () => {
      const cwd = folderOf()
      const { status, stderr } = await stele(['init', 'app', '--database', name], { cwd })
      assert.equal(status, 0, stderr)
      const { database } = await loadConfig(join(cwd, 'app'), { env: {} })
      assert.deepEqual([database.client, database.database], [client, 'app'])
    })
})
