import { strict as assert } from 'node:assert'
import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'vitest'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Part, picture, serveUploads } from './world.js'

const photo = await picture(300, 200, 'jpeg')
const jpeg = (name = 'photo.jpg'): Part => ['files', name, 'image/jpeg', photo]
const note = (name = 'note.txt', text = 'hello\n'): Part => ['files', name, 'text/plain', text]

onEveryEngine('uploads', engine => {
  const world = serveUploads(engine)

  describe('POST /upload', () => {
    it('answers a plain list, in the order of the request, with what the table has', async () => {
      const { status, body } = await world.form('/upload', [jpeg(), note()])
      assert.equal(status, 200)
      const [first, second] = body
      const { id, hash, url, createdAt, updatedAt, formats, size, ...rest } = first
      assert.deepEqual(rest, {
        name: 'photo.jpg',
        alternativeText: null,
        caption: null,
        width: 300,
        height: 200,
        ext: '.jpg',
        mime: 'image/jpeg',
        previewUrl: null,
        provider: 'local',
        provider_metadata: null,
      })
      assert.equal(typeof id, 'number')
      assert.match(hash, /^photo_[0-9a-f]{10}$/)
      assert.equal(url, `/uploads/${hash}.jpg`)
      assert.equal(createdAt, updatedAt)
      assert.ok(size > 0 && size <= Math.round(photo.length / 10) / 100)
      const { thumbnail } = formats
      assert.deepEqual(Object.keys(formats), ['thumbnail'])
      assert.deepEqual(thumbnail, {
        name: 'thumbnail_photo.jpg',
        hash: `thumbnail_${hash}`,
        ext: '.jpg',
        mime: 'image/jpeg',
        path: null,
        width: 234,
        height: 156,
        size: Math.round(thumbnail.sizeInBytes / 10) / 100,
        sizeInBytes: thumbnail.sizeInBytes,
        url: `/uploads/thumbnail_${hash}.jpg`,
      })
      assert.deepEqual(
        [second.name, second.mime, second.ext, second.size, second.width, second.formats],
        ['note.txt', 'text/plain', '.txt', 0.01, null, null],
      )
      for (const address of [url, thumbnail.url, second.url]) assert.equal((await world.fetch(address)).status, 200)
    })

    it('lets no one else on this machine read what is still arriving', async () => {
      await world.form('/upload', [note()])
      const modeOf = (place: string) => statSync(place).mode & 0o777
      assert.equal(modeOf(path.join(world.folder, '.incoming')), 0o700)
      assert.equal(modeOf(world.folder) & 0o700, 0o700)
    })

    it('makes a format for each breakpoint that the picture is larger than', async () => {
      const { body } = await world.form('/upload', [['files', 'wide.png', 'image/png', await picture(1200, 800)]])
      const { thumbnail, large, medium, small, ...others } = body[0].formats
      assert.deepEqual(
        [thumbnail, large, medium, small].map(({ width, height }) => [width, height]),
        [
          [234, 156],
          [1000, 667],
          [750, 500],
          [500, 333],
        ],
      )
      assert.deepEqual(others, {})
    })

    it('leaves small pictures and other files without formats, and reads the size of an SVG', async () => {
      const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="25" height="20"/>'
      const { body } = await world.form('/upload', [
        ['files', 'dot.png', 'image/png', await picture(20, 10)],
        ['files', 'drawing.svg', 'image/svg+xml', svg],
      ])
      assert.deepEqual(
        body.map(({ width, height, formats, mime }: Record<string, unknown>) => [width, height, formats, mime]),
        [
          [20, 10, null, 'image/png'],
          [25, 20, null, 'image/svg+xml'],
        ],
      )
    })

    it('takes what fileInfo says, for each file its own', async () => {
      const { body } = await world.form('/upload', [
        ['fileInfo', '{"name":"Renamed.jpg","alternativeText":"one","folder":9,"path":"/x"}'],
        ['fileInfo', '{"caption":"two"}'],
        jpeg(),
        note(),
      ])
      assert.deepEqual(
        body.map(({ name, alternativeText, caption }: Record<string, unknown>) => [name, alternativeText, caption]),
        [
          ['Renamed.jpg', 'one', null],
          ['note.txt', null, 'two'],
        ],
      )
      assert.match(body[0].hash, /^Renamed_/)
    })

    it('keeps the name as it was sent and spells it in ASCII for storage', async () => {
      const { body } = await world.form('/upload', [note('Üñï cödé (1).txt')])
      assert.equal(body[0].name, 'Üñï cödé (1).txt')
      assert.match(body[0].url, /^\/uploads\/Ueni_coede_1_[0-9a-f]{10}\.txt$/)
    })

    it('puts every file into the folder in which the old panel looks for them', async () => {
      await world.form('/upload', [note()])
      const { reader } = world.app.store
      const folders = await reader.all('select name, path, path_id from upload_folders', [])
      assert.deepEqual(
        folders.map(row => [...row].map(String)),
        [['API Uploads', '/1', '1']],
      )
      assert.equal(await world.count('files_folder_links'), await world.count('files'))
    })

    for (const [says, parts] of [
      ['no file', [['x', 'y']]],
      ['a file under another name', [['file', 'note.txt', 'text/plain', 'x']]],
      ['an empty file', [['files', 'note.txt', 'text/plain', '']]],
    ] as [string, Part[]][])
      it(`refuses ${says}`, async () => {
        refused(await world.form('/upload', parts), {
          status: 400,
          name: 'ValidationError',
          message: 'Files are empty',
        })
      })

    it('refuses JSON without an id, and fileInfo that is none', async () => {
      refused(await world.send('POST', '/upload', { files: 'x' }), { status: 400, message: 'Files are empty' })
      const answer = await world.form('/upload', [['fileInfo', '{bad'], note()])
      refused(answer, { status: 400, name: 'ValidationError', message: /^fileInfo must be an object$/ })
      assert.deepEqual(answer.body.error.details.errors[0].path, ['fileInfo'])
      refused(await world.form('/upload', [['fileInfo', '{"name":5}'], note()]), {
        status: 400,
        message: /fileInfo\.name/,
      })
    })
  })

  describe('POST /upload?id=', () => {
    it('changes what is said of a file, by form and by JSON; null leaves it', async () => {
      const [{ id }] = (await world.form('/upload', [note()])).body
      const first = await world.form(`/upload?id=${id}`, [['fileInfo', '{"name":"new","alternativeText":"A"}']])
      assert.deepEqual([first.status, first.body.name, first.body.alternativeText], [200, 'new', 'A'])
      const second = await world.send('POST', `/upload?id=${id}`, { fileInfo: { caption: 'C', alternativeText: null } })
      assert.deepEqual([second.body.name, second.body.alternativeText, second.body.caption], ['new', 'A', 'C'])
    })

    it('replaces the content and keeps the address', async () => {
      const [file] = (await world.form('/upload', [['files', 'a.png', 'image/png', await picture(600, 400)]])).body
      assert.deepEqual(Object.keys(file.formats).sort(), ['small', 'thumbnail'])
      const next = await picture(300, 200)
      const { status, body } = await world.form(`/upload?id=${file.id}`, [['files', 'b.png', 'image/png', next]])
      assert.equal(status, 200)
      assert.deepEqual(
        [body.id, body.hash, body.url, body.name, body.width],
        [file.id, file.hash, file.url, 'b.png', 300],
      )
      assert.deepEqual(Object.keys(body.formats), ['thumbnail'])
      assert.equal((await world.fetch(file.formats.small.url)).status, 404, 'a format that the new picture has not')
      await world.settled()
    })

    it('refuses several files, another type, and a file that is not there', async () => {
      const [{ id }] = (await world.form('/upload', [jpeg()])).body
      refused(await world.form(`/upload?id=${id}`, [jpeg(), note()]), {
        status: 400,
        message: 'Cannot replace a file with multiple ones',
      })
      refused(await world.form(`/upload?id=${id}`, [note()]), { status: 400, message: /keeps its address/ })
      for (const wrong of ['9999', 'abc', '-1', '1.5', ''])
        refused(await world.form(`/upload?id=${wrong}`, [['fileInfo', '{"name":"x"}']]), {
          status: 404,
          message: 'Entity not found',
        })
    })
  })

  describe('POST /upload with ref, refId and field', () => {
    const ref = (id: number | string, field: string, uid = 'api::article.article'): Part[] => [
      ['ref', uid],
      ['refId', String(id)],
      ['field', field],
    ]

    it('takes the place of a single file and joins a list at its end', async () => {
      const { body: made } = await world.send('POST', '/articles', { data: { title: 'x' } })
      const { id } = made.data
      const cover = (await world.form('/upload', [...ref(id, 'cover'), jpeg()])).body[0]
      const next = (await world.form('/upload', [...ref(id, 'cover'), jpeg()])).body[0]
      const list = (await world.form('/upload', [...ref(id, 'gallery'), note(), jpeg()])).body
      const last = (await world.form('/upload', [...ref(id, 'gallery'), note()])).body[0]
      assert.notEqual(cover.id, next.id)
      const { attributes } = (await world.get(`/articles/${id}?populate=*`)).body.data
      assert.equal(attributes.cover.data.id, next.id)
      const ids = attributes.gallery.data.map((file: { id: number }) => file.id)
      assert.deepEqual(ids, [...list.map((file: { id: number }) => file.id), last.id])
    })

    it('refuses what does not exist and what the attribute does not take, and keeps nothing of it', async () => {
      const { body: made } = await world.send('POST', '/articles', { data: { title: 'x' } })
      const { id } = made.data
      const before = [world.stored().length, await world.count('files')]
      refused(await world.form('/upload', [...ref(id, 'cover', 'api::nope.nope'), jpeg()]), {
        status: 400,
        message: /^ref/,
      })
      refused(await world.form('/upload', [...ref(id, 'cover', 'shared.seo'), jpeg()]), {
        status: 400,
        message: /^ref/,
      })
      refused(await world.form('/upload', [...ref(id, 'title'), jpeg()]), { status: 400, message: /^field/ })
      refused(await world.form('/upload', [...ref(9999, 'cover'), jpeg()]), { status: 400, message: /^refId/ })
      refused(await world.form('/upload', [...ref("1' or 1", 'cover'), jpeg()]), { status: 400, message: /^refId/ })
      refused(await world.form('/upload', [['ref', 'api::article.article'], jpeg()]), { status: 400 })
      refused(await world.form('/upload', [...ref(id, 'cover'), note()]), { status: 400, message: /takes only images/ })
      assert.deepEqual([world.stored().length, await world.count('files')], before)
      await world.settled()
    })
  })

  describe('files', () => {
    it('lists all of them as a plain list, with filters, sort, fields, start and limit', async () => {
      for (const name of ['aa.txt', 'ab.txt', 'ac.txt']) await world.form('/upload', [note(name)])
      const { body } = await world.get('/upload/files?filters[name][$startsWith]=a&sort=name:desc&fields[0]=name')
      assert.deepEqual(
        body.filter(({ name }: { name: string }) => /^a[abc]/.test(name)).map(({ name }: { name: string }) => name),
        ['ac.txt', 'ab.txt', 'aa.txt'],
      )
      const page = await world.get(
        '/upload/files?filters[name][$in][0]=aa.txt&filters[name][$in][1]=ab.txt&sort=name&start=1&limit=1',
      )
      assert.deepEqual(
        page.body.map(({ name }: { name: string }) => name),
        ['ab.txt'],
      )
      assert.ok((await world.get('/upload/files')).body.length > 3)
      refused(await world.get('/upload/files?sort=nosuch'), { status: 400, parameter: 'sort' })
      refused(await world.get('/upload/files?filters[folderPath]=/1'), { status: 400 })
    })

    it('gives one, and 404 for what is none', async () => {
      const [{ id, url }] = (await world.form('/upload', [note()])).body
      assert.equal((await world.get(`/upload/files/${id}`)).body.url, url)
      assert.deepEqual((await world.get(`/upload/files/${id}?fields[0]=url`)).body, { id, url })
      for (const wrong of ['9999', 'abc', '0', '-1', '1.5'])
        refused(await world.get(`/upload/files/${wrong}`), { status: 404, message: 'file.notFound' })
    })

    it('shows what a file belongs to', async () => {
      const [{ id }] = (await world.form('/upload', [jpeg()])).body
      const made = await world.send('POST', '/articles', { data: { title: 'owner', cover: id } })
      const { body } = await world.get(`/upload/files/${id}?populate=related`)
      assert.deepEqual(
        body.related.map(({ __type, id, title }: Record<string, unknown>) => [__type, id, title]),
        [['api::article.article', made.body.data.id, 'owner']],
      )
    })

    it('deletes one with all its formats, its links, and what storage has of it', async () => {
      const before = world.stored().length
      const [{ id, url }] = (
        await world.form('/upload', [['files', 'wide.png', 'image/png', await picture(1200, 800)]])
      ).body
      assert.equal(world.stored().length, before + 5)
      const made = await world.send('POST', '/articles', { data: { title: 'x', cover: id, gallery: [id] } })
      const links = await world.count('files_related_morphs')
      const { status, body } = await world.send('DELETE', `/upload/files/${id}`)
      assert.deepEqual([status, body.id, body.url], [200, id, url])
      assert.equal(world.stored().length, before)
      assert.equal(await world.count('files_related_morphs'), links - 2)
      await world.settled()
      const entry = await world.get(`/articles/${made.body.data.id}?populate=*`)
      assert.deepEqual(entry.body.data.attributes.cover, { data: null })
      refused(await world.send('DELETE', `/upload/files/${id}`), { status: 404, message: 'file.notFound' })
    })

    it('deletes the content too when other code deletes the row', async () => {
      const before = world.stored().length
      const [{ id }] = (await world.form('/upload', [jpeg()])).body
      await world.app.entries('plugin::upload.file').delete(id)
      assert.equal(world.stored().length, before)
    })
  })
})
