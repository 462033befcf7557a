import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { handlers } from './handlers.js'
import { liveLikes } from './live-likes.js'
import { snapshots } from './snapshots.js'

const closing = async (app: Promise<TestApp>): Promise<TestApp> => {
  const opened = await app
  onTestFinished(() => opened.close())
  return opened
}

/** A folder with an app of one type, and these files beside it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-handlers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const schema = {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'string' } },
  }
  const all = {
    'package.json': '{ "type": "module" }',
    'config/api.json': JSON.stringify({ rest: { public: true } }),
    'content-types/note.json': JSON.stringify(schema),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('handlers, functions of the app in place of endpoints', () => {
  const loud = `export default ({ data, meta }) => ({
    data: [data].flat().map(({ id, attributes }) => ({ id, text: attributes.text.toUpperCase() })), meta })`

  it('answer in place of the generated ones, which the others still are', async () => {
    const app = await closing(
      createTestApp({ app: folderWith({ 'handlers/note.find.js': loud }), plugins: [handlers] }),
    )
    await app.entries('api::note.note').create({ text: 'one' })
    assert.deepEqual((await app.inject('/api/notes')).json().data, [{ id: 1, text: 'ONE' }])
    assert.equal((await app.inject('/api/notes/1')).json().data.attributes.text, 'one')
  })

  it('have only the ids that match', async () => {
    const folder = folderWith({ 'handlers/note.findOne.js': loud })
    const app = await closing(createTestApp({ app: folder, plugins: [handlers] }))
    await app.entries('api::note.note').create({ text: 'one' })
    assert.deepEqual((await app.inject('/api/notes/1')).json().data, [{ id: 1, text: 'ONE' }])
    assert.equal((await app.inject('/api/notes/2')).statusCode, 404)
    assert.equal((await app.inject('/api/notes/one')).statusCode, 405)
  })

  it('stop the start where they are for nothing', async () => {
    const app = folderWith({ 'handlers/nothing.find.js': loud })
    await assert.rejects(
      createTestApp({ app, plugins: [handlers] }),
      /plugin handlers could not start: nothing.find.js is not named/,
    )
  })
})

describe('snapshots, entries as they were stored', () => {
  it('put a deleted account back with its hash and its times', async () => {
    const account = { attributes: { name: { type: 'string' }, word: { type: 'password' } } }
    const app = await closing(createTestApp({ types: { account }, plugins: [snapshots] }))
    const accounts = app.entries('api::account.account')
    await accounts.create({ name: 'Ada', word: 'a long word' })
    const stored = await accounts.first({ everything: true })
    assert.match(String(stored?.word), /^\$2/)
    await accounts.delete(1)
    const service = app.plugins.find(({ spec }) => spec.name === 'snapshots')?.service as {
      putBack(uid: string, id: number): Promise<void>
    }
    await service.putBack('api::account.account', 1)
    assert.deepEqual(await accounts.first({ everything: true }), stored)
  })
})

describe('live-likes, a protocol of its own beside the API', () => {
  it('tells pages what a body said', async () => {
    const note = { attributes: { likes: { type: 'integer' } } }
    const config = { server: { host: '127.0.0.1', port: 0 } }
    const app = await closing(createTestApp({ types: { note }, plugins: [liveLikes], config }))
    const { port } = await app.listen()
    const page = connect(port, '127.0.0.1')
    page.write('GET /live-likes HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: likes\r\n\r\n')
    await once(page, 'data')
    const post = (data: object) =>
      fetch(`http://127.0.0.1:${port}/api/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      })
    const told = once(page, 'data')
    assert.equal((await post({})).status, 200)
    assert.equal((await post({ likes: 3 })).status, 200)
    assert.equal(String((await told)[0]), '/api/notes\n')
  })
})
