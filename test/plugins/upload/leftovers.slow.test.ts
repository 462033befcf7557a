import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, it, vi } from 'vitest'
import { createTestApp, definePlugin, type Session } from '../../../core/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { anyEngine, type Part, picture, startUploads, temporaryFolder } from './world.js'

const photo = await picture(300, 200)
const image = (field: string): Part => [field, 'photo.png', 'image/png', photo]
const hours = (count: number) => count * 60 * 60 * 1000

onEveryEngine('what uploads leave', engine => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** An app on a database that stays from one app to the next. */
  const series = async () => {
    const { database, drop } = await engine.fresh()
    const own = path.join(folder, database.client === 'sqlite' ? 'sqlite' : String(database.client))
    const open = (plugins: Parameters<typeof createTestApp>[0] & object = {}) =>
      createTestApp({
        types: { article: { attributes: { title: { type: 'string' }, cover: { type: 'media' } } } },
        plugins: [[upload, { folder: own }]],
        ...plugins,
        config: { database },
      })
    return { open, drop, own }
  }
  const age = async (session: Session, table: string, app: Awaited<ReturnType<typeof createTestApp>>) => {
    const long = new Date(Date.now() - hours(48))
    const value = app.store.engine === 'sqlite' ? long.getTime() : long
    const { sql, bindings } = app.store.knex(table).update({ created_at: value }).toSQL().toNative()
    await session.run(sql, bindings)
  }
  const put = (own: string, name: string) => {
    mkdirSync(own, { recursive: true })
    writeFileSync(path.join(own, name), 'x')
  }

  it('by a crash is gone after the next start: what no file names, and what waited for its entry', async () => {
    const { open, drop, own } = await series()
    const first = await open()
    const file = { mime: 'text/plain', ext: '.txt', size: 1, provider: 'local', folderPath: '/' }
    const files = first.entries('plugin::upload.file')
    const notes = first.entries('plugin::upload.leftover')
    const row = (hash: string) => files.create({ ...file, name: 'x', hash, url: `/uploads/${hash}.txt` })
    const note = (hash: string, waiting: boolean) =>
      notes.create({ hash, keys: [`${hash}.txt`], provider: 'local', waiting })
    for (const hash of ['lost', 'waiting', 'linked', 'named', 'foreign']) put(own, `${hash}.txt`)
    await note('lost', false)
    await row('waiting')
    await note('waiting', true)
    const linked = await row('linked')
    await note('linked', true)
    await first.entries('api::article.article').create({ title: 'x', cover: linked.id })
    await row('named')
    await note('named', false)
    await first.store.transaction(session => age(session, 'stele_upload_leftovers', first))
    put(own, 'young.txt')
    await note('young', false)
    await first.close()

    const second = await open()
    const left = (name: string) => existsSync(path.join(own, `${name}.txt`))
    assert.deepEqual(['lost', 'waiting', 'linked', 'named', 'foreign', 'young'].map(left), [
      false,
      false,
      true,
      true,
      true,
      true,
    ])
    const hashes = await second.entries('plugin::upload.file').find({ sort: 'id' })
    assert.deepEqual(
      hashes.map(({ hash }) => hash),
      ['linked', 'named'],
    )
    assert.deepEqual(
      (await second.entries('plugin::upload.leftover').find()).map(({ hash }) => hash),
      ['young'],
    )
    await second.close()
    await drop()
  })

  it('on the way in is removed when it is a day old, and not before', async () => {
    const { open, drop, own } = await series()
    for (const name of ['old', 'new']) mkdirSync(path.join(own, '.incoming', name), { recursive: true })
    const long = (Date.now() - hours(25)) / 1000
    utimesSync(path.join(own, '.incoming', 'old'), long, long)
    const app = await open()
    assert.deepEqual(
      ['old', 'new'].map(name => existsSync(path.join(own, '.incoming', name))),
      [false, true],
    )
    await app.close()
    await drop()
  })

  it('is all there when the plugin was off in between', async () => {
    const { open, drop, own } = await series()
    const first = await open()
    put(own, 'kept.txt')
    const kept = { name: 'kept', hash: 'kept', ext: '.txt', mime: 'text/plain', size: 1, url: '/uploads/kept.txt' }
    const { id } = await first.entries('plugin::upload.file').create({ ...kept, provider: 'local', folderPath: '/' })
    const entry = await first.entries('api::article.article').create({ title: 'x', cover: id })
    await first.close()

    const types = { article: { attributes: { title: { type: 'string' } } } }
    const off = await open({ types, plugins: [] })
    assert.equal((await off.inject(`/api/articles/${entry.id}?populate=*`)).json().data.attributes.cover, undefined)
    assert.equal((await off.inject('/api/upload/files')).statusCode, 404)
    assert.equal((await off.inject('/uploads/kept.txt')).statusCode, 404)
    await off.inject({ method: 'PUT', url: `/api/articles/${entry.id}`, payload: { data: { title: 'changed' } } })
    await off.close()

    const again = await open()
    const answer = await again.inject(`/api/articles/${entry.id}?populate=*`)
    assert.equal(answer.json().data.attributes.cover.data.id, id)
    assert.equal((await again.inject('/uploads/kept.txt')).payload, 'x')
    await again.close()
    await drop()
  })
})

describe('a write that fails', () => {
  it('in a hook of another plugin takes the files of the request with it', async () => {
    const failing = definePlugin({
      name: 'failing',
      appliesTo: ({ uid }) => uid.startsWith('api::'),
      hooks: {
        afterWrite() {
          throw new Error('no')
        },
      },
    })
    const world = await startUploads(anyEngine, { plugins: [failing] })
    const answer = await world.form('/articles', [['data', '{"title":"x"}'], image('files.cover')])
    refused(answer, { status: 500 })
    await world.settled()
    assert.deepEqual([world.stored(), await world.count('files'), await world.count('articles')], [[], 0, 0])
    await world.close()
  })

  it('in the storage leaves neither rows nor files', async () => {
    const world = await startUploads(anyEngine)
    // A folder in the place of the storage: nothing can be moved over it.
    rmSync(world.folder, { recursive: true, force: true })
    writeFileSync(world.folder, 'a file where the folder should be')
    refused(await world.form('/upload', [image('files')]), { status: 500 })
    assert.deepEqual([await world.count('files'), await world.count('stele_upload_leftovers')], [0, 0])
    rmSync(world.folder)
    assert.equal((await world.form('/upload', [image('files')])).status, 200)
    await vi.waitFor(() => assert.equal(world.stored().length, 2))
    await world.close()
  })
})
