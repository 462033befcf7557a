import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, inject, it, onTestFinished, vi } from 'vitest'
import { type CommandResult, stele } from '../../support/command.js'
import { type Body, start } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import * as terminals from '../../support/terminal.js'
import { bearer, hashOf, salt, status, until, world } from './world.js'

// Every call boots an app.
vi.setConfig({ testTimeout: 120_000 })

/** The folder of an app that has the types of the tests, and what runs commands in it. */
function terminal(env: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(inject('folder'), 'tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const memo = {
    ...{ kind: 'collectionType', collectionName: 'memos', info: { singularName: 'memo', pluralName: 'memos' } },
    attributes: { text: { type: 'string' } },
  }
  const all = {
    'content-types/memo.json': JSON.stringify(memo),
    'config/plugins.json': JSON.stringify({ 'api-tokens': { config: { salt } } }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const say = (...args: string[]): Promise<CommandResult> => stele(['token', ...args, '--app', folder], { env })
  const json = async (...args: string[]): Promise<Body> => {
    const { stdout, stderr } = await say(...args, '--json')
    assert.notEqual(stdout, '', stderr)
    return JSON.parse(stdout)
  }
  return { folder, say, json }
}

onEveryEngine('stele token', engine => {
  it('makes, lists, renews and ends tokens of a server that runs', async () => {
    const fresh = await engine.fresh()
    const sharing = { ...engine, fresh: async () => ({ ...fresh, drop: async () => undefined }) }
    const api = await start(sharing, world)
    onTestFinished(async () => {
      await api.close()
      await fresh.drop()
    })
    const { say, json } = terminal(fresh.env)

    const made = await json('create', 'reader', '--type', 'read-only', '--lifespan', '7d', '--description', 'reads')
    assert.match(made.accessKey, /^[0-9a-f]{256}$/)
    assert.equal(made.type, 'read-only')
    assert.equal(made.description, 'reads')
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt) > 6 * 24 * 3600_000, true)
    await until(status(api, '/memos/1', made.accessKey), code => code === 200)

    const custom = await json(
      'create',
      'custom',
      '--type',
      'custom',
      '--actions',
      'api::memo.memo.find, api::memo.memo.update',
    )
    assert.deepEqual(custom.permissions, ['api::memo.memo.find', 'api::memo.memo.update'])
    await until(status(api, '/memos', custom.accessKey), code => code === 200)
    assert.equal((await api.get('/memos/1', bearer(custom.accessKey))).status, 403)

    const listed = await json('list')
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      ['custom', 'reader'],
    )
    assert.ok(!JSON.stringify(listed).includes(hashOf(made.accessKey)))
    const text = (await say('list')).stdout
    assert.match(text, /^id +name +type +expires +last used +description\n/)
    assert.match(text, /reader +read-only +\d{4}-/)
    assert.ok(!text.includes(made.accessKey))

    const renewed = await json('regenerate', 'reader')
    assert.equal(renewed.id, made.id)
    await until(status(api, '/memos/1', renewed.accessKey), code => code === 200)
    assert.equal((await api.get('/memos/1', bearer(made.accessKey))).status, 401)

    const { stdout, stderr } = await say('revoke', String(custom.id))
    assert.equal(stdout, 'The token custom is revoked.\n', stderr)
    assert.equal((await json('revoke', 'reader')).name, 'reader')
    await until(status(api, '/memos/1', renewed.accessKey), code => code === 401)
    assert.deepEqual(await json('list'), [])
  })
})

describe('stele token, for people', () => {
  it('shows the key once, on a line of its own', async () => {
    const { say } = terminal({})
    const { stdout, status: code } = await say('create', 'my tool', '--type', 'full-access')
    assert.match(
      stdout,
      /^The token my tool \(id 1, full-access\) holds for ever\.\nIts key is not shown again:\n[0-9a-f]{256}\n$/,
    )
    assert.equal(code, 0)
    assert.equal((await say('create', 'my tool')).stderr, 'name must be unique; another entry has this value\n')
    assert.match((await say('regenerate', '1')).stdout, /\n[0-9a-f]{256}\n$/)
    assert.doesNotMatch((await say('list')).stdout, /[0-9a-f]{64}/)
  })

  it('says what is wrong in a sentence, and exits with 1', async () => {
    const { say } = terminal({})
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['create', ''], /^name must be a text of 1 to 255 characters\n$/],
      [['create', 'a', '--lifespan', 'soon'], /^lifespan must be 7d, 30d, 90d, unlimited/],
      [['create', 'a', '--type', 'custom'], /^permissions must be a list of actions/],
      [['create', 'a', '--actions', 'api::memo.memo.find'], /^permissions must be left out: only a custom token/],
      [
        ['create', 'a', '--type', 'custom', '--actions', 'api::memo.memo.fnd'],
        /did you mean api::memo\.memo\.find\?\n$/,
      ],
      [['revoke', 'nobody'], /^There is no token "nobody"\n$/],
      [['regenerate', '7'], /^There is no token "7"\n$/],
    ]
    for (const [args, sentence] of wrong) {
      const { stderr, stdout, status: code } = await say(...args)
      assert.match(stderr, sentence)
      assert.equal(stdout, '')
      assert.equal(code, 65)
    }
    const type = await say('create', 'a', '--type', 'admin')
    assert.match(type.stderr, /Allowed choices are full-access, read-only, custom/)
    assert.notEqual(type.status, 0)
    assert.match((await say('create')).stderr, /missing required argument 'name'/)
    assert.equal((await say('list')).stdout, 'none\n')
  })

  it('prints nothing but JSON where JSON is wanted, whatever there is to log', async () => {
    const { say, folder } = terminal({}, { 'config/plugins.json': JSON.stringify({ 'api-tokens': true }) })
    // A process: its log has a way of its own to standard error.
    const first = terminals.stele(['token', 'create', 'a', '--json', '--app', folder])
    assert.equal(JSON.parse(first.stdout).name, 'a')
    assert.match(first.stderr, /generated a secret to hash tokens with, stored in .*api-token-salt/)
    const kept = readFileSync(join(folder, '.tmp', 'api-token-salt'), 'utf8')
    assert.ok(!first.stderr.includes(kept))
    assert.equal(JSON.parse((await say('list', '--json')).stdout).length, 1)
  })

  it('is not there without the plugin', async () => {
    const { say } = terminal({}, { 'config/plugins.json': '{}' })
    const { stderr, status: code } = await say('list')
    assert.match(stderr, /has the command "token"/)
    assert.equal(code, 64)
  })
})
