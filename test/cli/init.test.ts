import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { onEveryEngine } from '../support/engines.js'
import { ask, folderOf, started, stele } from '../support/terminal.js'

const made = (...args: string[]) => {
  const cwd = folderOf()
  const { stdout, stderr, status } = stele(['init', ...args], { cwd })
  return { cwd, stdout, stderr, status }
}

onEveryEngine('stele init', engine => {
  it('makes an app that answers with entries, and takes none from visitors', async () => {
    const { cwd, status } = made('my-app', '--database', engine.name)
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
    assert.doesNotMatch(server.output, /made a secret/)
    await fresh.drop()
  })
})

describe('stele init', () => {
  it('answers in production as well: its secrets are its own', async () => {
    const { cwd } = made('my-app')
    const { server, url } = await started(join(cwd, 'my-app'), { NODE_ENV: 'production' })
    assert.equal((await fetch(`${url}/api/articles`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  it('writes its first articles once, and none beside those that are there', async () => {
    const { cwd } = made('my-app')
    const first = await started(join(cwd, 'my-app'))
    await first.server.stop()
    const again = await started(join(cwd, 'my-app'))
    const { body } = await ask(`${again.url}/api/articles`)
    assert.equal(body.meta.pagination.total, 2)
    await again.server.stop()
  })

  it('prints a command that starts the app', async () => {
    const { cwd, stdout } = made("Ann's app")
    assert.match(stdout, /start --app 'Ann'\\''s app'\n/)
    assert.match(stdout, /curl http:\/\/localhost:1337\/api\/articles/)
    const { name } = JSON.parse(readFileSync(join(cwd, "Ann's app", 'package.json'), 'utf8'))
    assert.equal(name, 'ann-s-app')
  })

  it('makes secrets that only their owner may read, different ones each time', () => {
    const secrets = ['a', 'b'].map(name => {
      const { cwd } = made(name)
      const file = join(cwd, name, '.env')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.match(readFileSync(join(cwd, name, '.gitignore'), 'utf8'), /^\.env$/m)
      return Object.fromEntries(
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(line => /^(JWT_SECRET|API_TOKEN_SALT)=/.test(line))
          .map(line => line.split(/=(.*)/) as [string, string]),
      )
    })
    assert.equal(new Set(secrets.flatMap(Object.values)).size, 4)
    for (const secret of secrets.flatMap(Object.values)) assert.equal(Buffer.from(secret, 'base64').length, 32)
  })

  it('says what a database server needs', () => {
    const { cwd, stdout } = made('my-app', '--database', 'postgres')
    assert.match(stdout, /First say in my-app\/\.env where the database is/)
    const text = readFileSync(join(cwd, 'my-app/.env'), 'utf8')
    assert.match(text, /^DATABASE_PORT=5432$/m)
    assert.match(text, /^DATABASE_NAME=my_app$/m)
    assert.match(readFileSync(join(cwd, 'my-app/config/database.js'), 'utf8'), /'postgres'/)
  })

  it('refuses a folder that has something in it, and touches nothing', () => {
    const cwd = folderOf({ 'there/mine.txt': 'mine' })
    const { stderr, status } = stele(['init', 'there'], { cwd })
    assert.equal(status, 1)
    assert.equal(stderr, 'there is not empty: it has mine.txt; name a new folder\n')
    assert.deepEqual(readdirSync(join(cwd, 'there')), ['mine.txt'])
  })

  it('refuses a file', () => {
    const { stderr, status } = stele(['init', 'taken'], { cwd: folderOf({ taken: '' }) })
    assert.equal(status, 1)
    assert.equal(stderr, 'taken is a file; name a new folder\n')
  })

  it.runIf(existsSync('/proc'))('refuses a place where nothing can be made', () => {
    const { stderr, status } = stele(['init', '/proc/my-app'], { cwd: folderOf() })
    assert.equal(status, 1)
    assert.match(stderr, /^\/proc\/my-app cannot be made: ENOENT/)
  })

  it('takes an empty folder, and one that has nothing but its git', () => {
    const cwd = folderOf()
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(cwd, '.git/HEAD'), '')
    assert.equal(stele(['init', '.'], { cwd }).status, 0)
    assert.ok(readdirSync(cwd).includes('config'))
  })

  it('names the databases that there are', () => {
    const { stderr, status } = made('my-app', '--database', 'oracle')
    assert.notEqual(status, 0)
    assert.match(stderr, /Allowed choices are sqlite, mysql, postgres/)
  })

  it('says how it is used', () => {
    const { stdout, status } = made('--help')
    assert.equal(status, 0)
    assert.match(stdout, /Usage: stele init \[options\] <dir>/)
    assert.match(made().stderr, /missing required argument 'dir'/)
  })
})
