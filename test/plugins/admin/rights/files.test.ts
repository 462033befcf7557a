import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { graphql } from '../../../../plugins/graphql/index.js'
import { onSqlite } from '../../../support/engines.js'
import { ask, type EditorsProject, openProjectOfEditors, type Person, people, type Replied } from './world.js'

type Part = readonly [name: string, value: string, file?: string]

const boundary = 'a-boundary-of-tests'

/** A form; a part with a file name is a file. */
const formOf = (parts: readonly Part[]): string =>
  [
    ...parts.map(([name, value, file]) => {
      const named = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: text/plain`
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n${value}\r\n`
    }),
    `--${boundary}--\r\n`,
  ].join('')

onSqlite('files of editors of a recorded project', () => {
  let open: EditorsProject
  beforeAll(async () => {
    open = await openProjectOfEditors([graphql])
  })
  afterAll(() => open.close())

  const send = (who: Person, path: string, parts: readonly Part[], method: 'POST' | 'PUT' = 'POST') =>
    ask(open.app, people[who], {
      ...{ method, path: `/api${path}`, body: formOf(parts) },
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
  const upload = async (who: Person, name: string): Promise<number> => {
    const { status, body } = await send(who, '/upload', [['files', `text of ${name}`, name]])
    assert.equal(status, 200, JSON.stringify(body))
    return body[0].id
  }
  const fileOf = async (id: number) => {
    const query = { where: { id }, everything: true, populate: { createdBy: true, updatedBy: true } } as const
    const [file] = await open.app.entries('plugin::upload.file').find(query)
    return file as
      | { name: string; createdBy: { id: number } | null; updatedBy: { id: number } | null; caption: string | null }
      | undefined
  }
  const status = ({ status }: Replied) => status

  it('belong to who uploads them, who lists and changes no others as an author', async () => {
    const [mine, theirs] = [await upload('anton', 'mine.txt'), await upload('edda', 'theirs.txt')]
    assert.equal((await fileOf(mine))?.createdBy?.id, people.anton)
    const { body } = await open.as('anton', 'GET', '/upload/files')
    assert.deepEqual(
      body.map(({ id }: { id: number }) => id),
      [mine],
    )
    assert.equal(status(await open.as('anton', 'GET', `/upload/files/${theirs}`)), 404)
    const described: Part = ['fileInfo', '{"caption":"changed"}']
    assert.equal(status(await send('anton', `/upload?id=${theirs}`, [described])), 404)
    assert.equal(
      status(await send('anton', `/upload?id=${theirs}`, [described, ['files', 'other text', 'x.txt']])),
      404,
    )
    assert.equal((await fileOf(theirs))?.caption, null)
    assert.equal(status(await open.as('anton', 'DELETE', `/upload/files/${theirs}`)), 404)
    assert.ok(await fileOf(theirs))

    assert.equal(status(await send('edda', `/upload?id=${mine}`, [described])), 200)
    assert.deepEqual([(await fileOf(mine))?.caption, (await fileOf(mine))?.updatedBy?.id], ['changed', people.edda])
    assert.equal(status(await send('anton', `/upload?id=${mine}`, [described])), 200)
    assert.equal(status(await open.as('anton', 'DELETE', `/upload/files/${mine}`)), 200)
    assert.equal(await fileOf(mine), undefined)
  })

  it('are not taken from who may not upload, and not changed', async () => {
    const id = await upload('edda', 'one.txt')
    for (const who of ['tina', 'tess'] as const) {
      assert.equal(status(await send(who, '/upload', [['files', 'x', 'x.txt']])), 403)
      assert.equal(status(await send(who, `/upload?id=${id}`, [['fileInfo', '{"caption":"x"}']])), 403)
      assert.equal(status(await open.as(who, 'DELETE', `/upload/files/${id}`)), 403)
    }
    // Nor with an entry: a team member may write articles, and upload nothing.
    const { count } = open.app.entries('plugin::upload.file')
    const before = await count()
    assert.equal(
      status(
        await send('tess', '/articles', [
          ['data', '{"title":"x"}'],
          ['files.cover', 'x', 'x.txt'],
        ]),
      ),
      403,
    )
    assert.equal(
      status(
        await send(
          'tess',
          '/articles/455',
          [
            ['data', '{}'],
            ['files.cover', 'x', 'x.txt'],
          ],
          'PUT',
        ),
      ),
      403,
    )
    assert.equal(await count(), before)
  })

  it('come to entries that may be changed, and change nothing else of them', async () => {
    const target = (refId: number): Part[] => [
      ['ref', 'api::article.article'],
      ['refId', String(refId)],
      ['field', 'cover'],
      ['files', 'text', 'cover.txt'],
    ]
    assert.equal(status(await send('anton', '/upload', target(454))), 400)
    assert.equal(status(await send('anton', '/upload', target(451))), 200)
    const { body } = await open.as('anton', 'GET', '/articles/451?populate=cover')
    assert.equal(body.data.attributes.cover.data.attributes.name, 'cover.txt')
    assert.equal(body.data.attributes.publishedAt, null)
  })

  it('of an entry are shown with it, also those that others have uploaded', async () => {
    const id = await upload('edda', 'shared.txt')
    assert.equal(status(await open.as('ada', 'PUT', '/articles/452', { data: { cover: id } })), 200)
    const { body } = await open.as('anton', 'GET', '/articles/452?populate=cover')
    assert.equal(body.data.attributes.cover.data.id, id)
  })

  it('lie in the folders of the panel, which are changed by who may change files, and by authors where they are own', async () => {
    const { body } = await open.as('edda', 'GET', '/upload/folders')
    const covers = body.filter(({ path }: { path: string }) => path === '/1' || path.startsWith('/1/'))
    const shown = covers.map(({ id, name, path, parent, files }: Record<string, unknown>) => [
      id,
      name,
      path,
      parent,
      files,
    ])
    assert.deepEqual(shown, [
      [1, 'Covers', '/1', null, 3],
      [2, '2024', '/1/2', 1, 1],
    ])
    const inside = await open.as('edda', 'GET', '/upload/files?filters[folderPath][$eq]=/1/2')
    assert.deepEqual(
      inside.body.map(({ id, folderPath }: Record<string, unknown>) => [id, folderPath]),
      [[4, '/1/2']],
    )
    const own = await open.as('anton', 'POST', '/upload/folders', { name: 'of Anton', parent: 1 })
    assert.equal(own.status, 200, JSON.stringify(own.body))
    const created = { where: { id: own.body.id }, everything: true, populate: { createdBy: true } } as const
    const [folder] = await open.app.entries('plugin::upload.folder').find(created)
    assert.equal((folder?.createdBy as { id: number } | undefined)?.id, people.anton)
    assert.equal(status(await open.as('anton', 'PUT', '/upload/folders/2', { name: 'x' })), 404)
    assert.equal(status(await open.as('anton', 'POST', '/upload/delete', { files: [4] })), 404)
    assert.equal(status(await open.as('anton', 'POST', '/upload/move', { files: [4], to: own.body.id })), 404)
    assert.equal(status(await open.as('anton', 'PUT', `/upload/folders/${own.body.id}`, { name: 'mine' })), 200)
    assert.equal('files' in (await open.as('anton', 'GET', '/upload/folders')).body[0], false)
    for (const [method, path, sent] of [
      ['POST', '/upload/folders', { name: 'x' }],
      ['POST', '/upload/move', { files: [4], to: null }],
    ] as const)
      assert.equal(status(await open.as('tina', method, path, sent)), 403, path)
    assert.equal(status(await open.as('edda', 'PUT', '/upload/folders/1', { parent: own.body.id })), 400)
    assert.equal(status(await open.as('edda', 'POST', '/upload/move', { folders: [2], to: null })), 200)
    assert.equal(await open.app.entries('plugin::upload.file').count({ folderPath: '/2' }), 1)
    assert.deepEqual((await open.as('edda', 'DELETE', `/upload/folders/${own.body.id}`)).body, { files: 0, folders: 1 })
  })

  it('are the same for GraphQL', async () => {
    const id = await upload('edda', 'by-rest.txt')
    const query = async (who: Person, text: string) =>
      (await ask(open.app, people[who], { method: 'POST', path: '/graphql', body: { query: text } })).body
    const list = '{ uploadFiles(pagination: { limit: 100 }) { data { id } meta { pagination { total } } } }'
    const [all, own] = [await query('edda', list), await query('anton', list)]
    const ids = ({ data }: { data: { uploadFiles: { data: { id: string }[] } } }) =>
      data.uploadFiles.data.map(file => Number(file.id))
    assert.equal(ids(all).includes(id), true)
    assert.equal(ids(own).includes(id), false)
    assert.equal(own.data.uploadFiles.meta.pagination.total, ids(own).length)
    const change = `mutation { updateFileInfo(id: ${id}, info: { caption: "x" }) { data { id } } }`
    assert.ok((await query('anton', change)).errors)
    await query('anton', `mutation { removeFile(id: ${id}) { data { id } } }`)
    assert.equal((await fileOf(id))?.caption, null)
  })
})
