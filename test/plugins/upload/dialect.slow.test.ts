import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Part, picture, serveUploads } from './world.js'

const photo = await picture(30, 20)
const image = (field: string): Part => [field, 'photo.png', 'image/png', photo]
const note = (field: string, name = 'note.txt'): Part => [field, name, 'text/plain', 'hello\n']

onEveryEngine('uploads in the strapi4 dialect', engine => {
  const world = serveUploads(engine, { rest: { dialect: 'strapi4' } })
  const data = (value: unknown): Part => ['data', JSON.stringify(value)]

  it('believe a name that the content does not contradict, and take every type', async () => {
    const { status, body } = await world.form('/upload', [
      ['files', 'fake.png', 'image/png', 'hello\n'],
      ['files', 'page.html', 'text/html', '<html>'],
      ['files', 'x.exe', 'application/octet-stream', Buffer.from([0x4d, 0x5a, 0, 1])],
    ])
    assert.equal(status, 200)
    assert.deepEqual(body.map(({ mime, ext }: Record<string, string>) => `${mime} ${ext}`).slice(0, 2), [
      'image/png .png',
      'text/html .html',
    ])
    const page = await world.fetch(body[1].url)
    assert.equal(page.headers['content-disposition'], 'attachment')
    refused(await world.form('/upload', [['files', 'x.png', 'image/png', '<script>alert(1)</script>']]), {
      status: 400,
    })
  })

  it('answer an empty list of files as null', async () => {
    const { body } = await world.send('POST', '/articles?populate=*', { data: { title: 'x' } })
    assert.deepEqual([body.data.attributes.gallery, body.data.attributes.cover], [{ data: null }, { data: null }])
    const { body: all } = await world.get('/articles?populate=gallery&populate=cover')
    assert.deepEqual(all.data[0].attributes.gallery, { data: null })
    assert.deepEqual(all.data[0].attributes.slides, undefined)
  })

  it('keep a file that belongs to no attribute', async () => {
    const before = await world.count('files')
    const { status } = await world.form('/articles', [data({ title: 'x' }), note('files.nosuch')])
    assert.equal(status, 200)
    await world.settled()
    assert.equal(await world.count('files'), before + 1)
  })

  it('filter and sort entries by their files', async () => {
    const made = await world.form('/articles', [data({ title: 'with cover' }), image('files.cover')])
    const { body } = await world.get('/articles?filters[cover][name][$contains]=photo&sort=cover.name')
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      [made.body.data.id],
    )
  })

  it('show a single file whole, whatever fields are asked for', async () => {
    const [file] = (await world.form('/upload', [note('files')])).body
    assert.deepEqual((await world.get(`/upload/files/${file.id}?fields=name`)).body, file)
  })

  it('answer a single file with what it belongs to, and refuse a wrong query', async () => {
    const made = await world.form('/articles?populate=cover', [data({ title: 'owner' }), image('files.cover')])
    const { id, attributes } = made.body.data
    const one = (query: string) => world.get(`/upload/files/${attributes.cover.data.id}?${query}`)
    for (const query of ['populate=*', 'populate=related', 'populate[related]=true']) {
      const { body } = await one(query)
      assert.deepEqual([body.related[0].__type, body.related[0].id], ['api::article.article', id], query)
    }
    const { body } = await one('populate[related][populate]=*')
    assert.equal(body.related[0].cover.id, attributes.cover.data.id)
    assert.equal((await one('')).body.related, undefined)
    assert.equal((await one('populate=related&fields=name')).body.mime, 'image/png')
    for (const [query, message] of [
      ['sort=nope', 'Invalid parameter nope'],
      ['filters[nope]=x', 'Invalid parameter nope'],
      ['fields=nope', 'Invalid parameter nope'],
    ] as const)
      refused(await one(query), { status: 400, message })
  })

  it('put new files of a list between those that were there', async () => {
    const made = await world.form('/articles?populate=gallery', [
      data({ title: 'x' }),
      note('files.gallery', '1.txt'),
      note('files.gallery', '2.txt'),
    ])
    const { id } = made.body.data
    const ref: Part[] = [
      ['ref', 'api::article.article'],
      ['refId', String(id)],
      ['field', 'gallery'],
    ]
    await world.form('/upload', [...ref, note('files', 'new.txt')])
    const { body } = await world.get(`/articles/${id}?populate=gallery`)
    assert.deepEqual(
      body.data.attributes.gallery.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['1.txt', 'new.txt', '2.txt'],
    )
  })
})

describe('settings that the panel of Strapi 4 keeps in the database', () => {
  onEveryEngine('are followed', engine => {
    const world = serveUploads(engine)
    it('from one upload to the next', async () => {
      const { knex, transaction } = world.app.store
      const set = (value: unknown) =>
        transaction(async session => {
          const row = { key: 'plugin_upload_settings', value: JSON.stringify(value), type: 'object' }
          for (const query of [
            knex('strapi_core_store_settings').where({ key: row.key }).delete(),
            knex('strapi_core_store_settings').insert(row),
          ]) {
            const { sql, bindings } = query.toSQL().toNative()
            await session.run(sql, bindings)
          }
        })
      const wide: Part = ['files', 'wide.png', 'image/png', await picture(1200, 800)]
      const formats = async () => Object.keys((await world.form('/upload', [wide])).body[0].formats).sort()
      assert.deepEqual(await formats(), ['large', 'medium', 'small', 'thumbnail'])
      await set({ sizeOptimization: false, responsiveDimensions: false, autoOrientation: false })
      assert.deepEqual(await formats(), ['thumbnail'])
    })
  })
})
