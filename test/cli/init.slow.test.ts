import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { init } from '../../core/tools/cli/init/init.js'
import { processIo } from '../../core/tools/cli/io.js'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/every-engine.js'
import { ask, folderOf, started } from '../support/terminal.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const silent = () => new PassThrough().resume()

const made = async (...args: string[]) => {
  const cwd = folderOf()
  const { stdout, stderr, status } = await stele(['init', ...args], { cwd })
  return { cwd, stdout, stderr, status }
}

onEveryEngine('stele init', engine => {
  it('makes an app that answers with entries, and takes none from visitors', async () => {
    const { cwd, status } = await made('my-app', '--database', engine.name)
    assert.equal(status, 0)
    const fresh = await engine.fresh()
    const { server, url } = await started(join(cwd, 'my-app'), fresh.env)
    const { body } = await ask(`${url}/api/articles?sort=minutes`)
    assert.deepEqual(
      body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title),
      ['Hello', 'What to do next'],
    )
    assert.equal(body.meta.pagination.total, 2)
    const refused = await ask(`${url}/api/articles`, { method: 'POST', data: { title: 'x' } })
    assert.equal(refused.status, 403)
    assert.equal(await server.stop(), 0)
    assert.doesNotMatch(server.output, /generated a secret/)
    await fresh.drop()
  })
})

describe('stele init', () => {
  it('answers in production as well: its secrets are its own', async () => {
    const { cwd } = await made('my-app')
    const { server, url } = await started(join(cwd, 'my-app'), { NODE_ENV: 'production' })
    assert.equal((await fetch(`${url}/api/articles`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  it('writes its first articles once, and none beside those that are there', async () => {
    const { cwd } = await made('my-app')
    const first = await started(join(cwd, 'my-app'))
    await first.server.stop()
    const again = await started(join(cwd, 'my-app'))
    const { body } = await ask(`${again.url}/api/articles`)
    assert.equal(body.meta.pagination.total, 2)
    await again.server.stop()
  })

  it('enables the console if asked for it, and leaves it out where no person can be asked', async () => {
    const pluginsOf = async (...args: string[]) => {
      const { cwd, stdout } = await made('my-app', ...args)
      return { text: readFileSync(join(cwd, 'my-app/config/plugins.js'), 'utf8'), stdout, folder: join(cwd, 'my-app') }
    }
    const { text, stdout, folder } = await pluginsOf('--console')
    assert.match(text, /^ {2}admin: true,\n {2}console: true,$/m)
    assert.match(stdout, /a link: it makes the first account of the console/)
    for (const args of [[], ['--no-console']]) {
      const without = await pluginsOf(...args)
      assert.match(without.text, /^ {2}admin: false,\n {2}console: false,$/m)
      assert.doesNotMatch(without.stdout, /console/)
    }
    const { server, url } = await started(folder)
    const page = await fetch(`${url}/console`, { headers: { Origin: url } })
    assert.equal(page.status, 200)
    const session = await fetch(`${url}/console/session`, { headers: { Origin: url } })
    assert.equal(((await session.json()) as { error: { name: string } }).error.name, 'NoAccountError')
    assert.equal(await server.stop(), 0)
  })

  it('asks at a terminal whether there is to be a console', async () => {
    for (const [typed, expected] of [
      ['y\r', true],
      ['\r', false],
    ] as const) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true })
      const [cwd, stderr] = [folderOf(), new PassThrough()]
      const making = init('my-app', { database: 'sqlite' }, { ...processIo(), stdin, stderr, stdout: silent(), cwd })
      stdin.write(typed)
      await making
      assert.match(String(stderr.read()), /Will people write content on a page of this app/)
      assert.match(
        readFileSync(join(cwd, 'my-app/config/plugins.js'), 'utf8'),
        new RegExp(`^ {2}console: ${expected},$`, 'm'),
      )
    }
  })

  it('prints the commands that start the app', async () => {
    const { cwd, stdout } = await made("Ann's app")
    assert.match(stdout, /\n {2}cd 'Ann'\\''s app'\n {2}npm install\n {2}npm run dev\n/)
    assert.match(stdout, /curl http:\/\/localhost:1337\/api\/articles/)
    const { name } = JSON.parse(readFileSync(join(cwd, "Ann's app", 'package.json'), 'utf8'))
    assert.equal(name, 'ann-s-app')
  })

  it('makes secrets that only their owner may read, different ones each time', async () => {
    const read = async (name: string) => {
      const { cwd } = await made(name)
      const file = join(cwd, name, '.env')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.match(readFileSync(join(cwd, name, '.gitignore'), 'utf8'), /^\.env\n\.tmp\/\nbackups\/\ndata\/$/m)
      return Object.fromEntries(
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(line => /^(JWT_SECRET|API_TOKEN_SALT)=/.test(line))
          .map(line => line.split(/=(.*)/) as [string, string]),
      )
    }
    const secrets = [await read('a'), await read('b')]
    assert.equal(new Set(secrets.flatMap(Object.values)).size, 4)
    for (const secret of secrets.flatMap(Object.values)) assert.equal(Buffer.from(secret, 'base64').length, 32)
  })

  it('says what a database server needs', async () => {
    const { cwd, stdout } = await made('my-app', '--database', 'postgres')
    assert.match(stdout, /First say in my-app\/\.env where the database is/)
    const text = readFileSync(join(cwd, 'my-app/.env'), 'utf8')
    assert.match(text, /^DATABASE_PORT=5432$/m)
    assert.match(text, /^DATABASE_NAME=my_app$/m)
    assert.match(text, /^DATABASE_CLIENT=postgres$/m)
  })

  it('makes a test that passes, scripts, and what editors need', async () => {
    const { cwd } = await made('my-app')
    const folder = join(cwd, 'my-app')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    assert.deepEqual(scripts, {
      ...{ dev: 'stele dev', start: 'stele start', test: 'node --test' },
      types: 'stele types --ts types/schema.ts --schemas types',
      vendor: scripts.vendor,
    })
    // The copy that these tests run is a folder.
    assert.match(scripts.vendor, /^npm pack --ignore-scripts --pack-destination vendor "\.\.\/.*"$/)
    assert.match(
      readFileSync(join(folder, 'Dockerfile'), 'utf8'),
      /^COPY vendor\/ \.\/vendor\/\nRUN npm pkg set "dependencies/m,
    )
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/stele'))
    const { status, stdout } = spawnSync(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
    assert.match(stdout, /pass 1\b/)
    assert.equal(JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).compilerOptions.strict, true)
    assert.match(readFileSync(join(folder, 'Dockerfile'), 'utf8'), /^USER node$/m)
  })

  it('makes the types of the app, whatever the variables of the terminal say', async () => {
    const cwd = folderOf()
    const env = { DATABASE_CLIENT: 'oracle', PORT: 'none', NODE_ENV: 'production' }
    const { status, stderr } = await stele(['init', 'my-app'], { cwd, env })
    assert.deepEqual([status, stderr], [0, ''])
    const folder = join(cwd, 'my-app')
    const text = readFileSync(join(folder, 'types/schema.ts'), 'utf8')
    assert.match(text, /^ {4}articles: \{ collection: ArticleType \}$/m)
    assert.match(text, /^ {4}'POST \/auth\/local': /m)
    const check = await stele(['types', '--ts', 'types/schema.ts', '--check'], { cwd: folder })
    assert.deepEqual([check.status, check.stderr], [0, ''])
    const schemas = await stele(['types', '--schemas', 'types', '--check'], { cwd: folder })
    assert.deepEqual([schemas.status, schemas.stderr], [0, ''])
    const { $schema } = JSON.parse(readFileSync(join(folder, 'content-types/article.json'), 'utf8'))
    assert.ok(existsSync(join(folder, 'content-types', $schema)), $schema)
    const { include } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'))
    assert.ok(include.includes('types'))
  })

  it('refuses a folder that has something in it, and touches nothing', async () => {
    const cwd = folderOf({ 'there/mine.txt': 'mine' })
    const { stderr, status } = await stele(['init', 'there'], { cwd })
    assert.equal(status, 64)
    assert.equal(stderr, 'there is not empty: it has mine.txt; name a new folder\n')
    assert.deepEqual(readdirSync(join(cwd, 'there')), ['mine.txt'])
  })

  it('refuses a file', async () => {
    const { stderr, status } = await stele(['init', 'taken'], { cwd: folderOf({ taken: '' }) })
    assert.equal(status, 64)
    assert.equal(stderr, 'taken is a file; name a new folder\n')
  })

  it.runIf(existsSync('/proc'))('refuses a place where nothing can be made', async () => {
    const { stderr, status } = await stele(['init', '/proc/my-app'], { cwd: folderOf() })
    assert.equal(status, 64)
    assert.match(stderr, /^\/proc\/my-app cannot be made: ENOENT/)
  })

  it('takes an empty folder, and one that has nothing but its git', async () => {
    const cwd = folderOf()
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(cwd, '.git/HEAD'), '')
    assert.equal((await stele(['init', '.'], { cwd })).status, 0)
    assert.ok(readdirSync(cwd).includes('config'))
  })

  it('names the databases that there are', async () => {
    const { stderr, status } = await made('my-app', '--database', 'oracle')
    assert.notEqual(status, 0)
    assert.match(stderr, /Allowed choices are sqlite, mysql, mariadb, postgres/)
  })

  it('says how it is used', async () => {
    const { stdout, status } = await made('--help')
    assert.equal(status, 0)
    assert.match(stdout, /Usage: stele init \[options\] <dir>/)
    assert.match((await made()).stderr, /missing required argument 'dir'/)
  })
})
