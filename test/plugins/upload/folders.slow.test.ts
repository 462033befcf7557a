import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { type Caller, definePlugin } from '../../../core/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Part, serveUploads } from './world.js'

const file = 'plugin::upload.file'
const folder = 'plugin::upload.folder'

/** The caller of a request: one with rules for files, one without permissions, or one who may everything. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }): Caller => {
    const who = String(headers['x-who'] ?? 'all')
    if (who === 'none') return { scope: who, can: () => false }
    if (who !== 'limited') return { scope: who, can: () => true }
    const rules = (action: string, uid: string) =>
      uid === file || (uid === folder && action !== 'find') ? { name: { $startsWith: 'own' } } : undefined
    return { scope: who, can: () => true, rows: rules }
  },
})

/** Waits in the transaction that changes a folder, where a test says so. */
let whileChanged: (() => Promise<void>) | undefined
const waiting = definePlugin({
  name: 'waiting',
  appliesTo: ({ uid }) => uid === folder,
  hooks: {
    async afterWrite(_, { write: { action } }) {
      if (action !== 'create') await whileChanged?.()
    },
  },
})

onEveryEngine('folders of files', engine => {
  const api = serveUploads(engine, { plugins: [callers, waiting] })
  const who = (name: string) => ({ 'x-who': name })
  const made = async (name: string, parent: number | null = null): Promise<number> => {
    const { status, body, text } = await api.send('POST', '/upload/folders', { name, parent })
    assert.equal(status, 200, text)
    return body.id
  }
  const upload = async (name: string, more: readonly Part[] = []): Promise<number> => {
    const { status, body, text } = await api.form('/upload', [['files', name, 'text/plain', name], ...more])
    assert.equal(status, 200, text)
    return body[0].id
  }
  const list = async () => (await api.get('/upload/folders')).body as Record<string, unknown>[]
  const at = async (id: number) => (await list()).find(one => one.id === id)
  const pathOf = async (id: number) => {
    const query = { where: { id }, everything: true, populate: { folder: true } } as const
    const entry = await api.app.entries(file).first(query)
    return [entry?.folderPath, (entry?.folder as { id: number } | null)?.id ?? null]
  }
  const post = (path: string, body: unknown, name = 'all') => api.send('POST', path, body, who(name))

  it('are made, renamed and put into others, with all that is in them', async () => {
    const outer = await made('outer')
    const inner = await made('inner', outer)
    const deep = await made('deep', inner)
    const other = await made('other')
    const one = await upload('one.txt')
    assert.equal((await post('/upload/move', { files: [one], to: deep })).status, 200)
    const { pathId } = (await at(other)) as { pathId: number }
    const { status, body, text } = await api.send('PUT', `/upload/folders/${inner}`, { name: 'renamed', parent: other })
    assert.equal(status, 200, text)
    assert.deepEqual([body.name, body.parent, body.path], ['renamed', other, `/${pathId}/${body.pathId}`])
    const { path, files } = (await at(deep)) as { path: string; files: number }
    assert.equal(path, `${body.path}/${(await at(deep))?.pathId}`)
    assert.equal(files, 1)
    assert.deepEqual(await pathOf(one), [path, deep])
    assert.equal((await at(outer))?.path, `/${(await at(outer))?.pathId}`)
    const { body: root } = await api.send('PUT', `/upload/folders/${inner}`, { parent: null })
    assert.deepEqual([root.parent, root.path], [null, `/${root.pathId}`])
    assert.deepEqual(await pathOf(one), [`/${root.pathId}/${(await at(deep))?.pathId}`, deep])
  })

  it('take several files and folders at once, and give them back', async () => {
    const target = await made('target')
    const moved = await made('moved')
    const files = [await upload('a.txt'), await upload('b.txt')]
    assert.equal((await post('/upload/move', { files, folders: [moved], to: target })).status, 200)
    const { path } = (await at(target)) as { path: string }
    for (const id of files) assert.deepEqual(await pathOf(id), [path, target])
    assert.equal((await at(moved))?.parent, target)
    assert.equal((await post('/upload/move', { files, to: null })).status, 200)
    for (const id of files) assert.deepEqual(await pathOf(id), ['/', null])
  })

  it('are deleted with all that is in them, and nothing else', async () => {
    const gone = await made('gone')
    const within = await made('within', gone)
    const beside = await made('beside')
    const [inner, stays, named] = [await upload('inner.txt'), await upload('stays.txt'), await upload('named.txt')]
    await post('/upload/move', { files: [inner], to: within })
    await post('/upload/move', { files: [stays], to: beside })
    const before = api.stored().length
    const { status, body, text } = await post('/upload/delete', { files: [named], folders: [gone] })
    assert.equal(status, 200, text)
    assert.deepEqual(body, { files: 2, folders: 2 })
    assert.deepEqual([await at(gone), await at(within)], [undefined, undefined])
    await api.settled()
    assert.equal(api.stored().length, before - 2)
    assert.equal((await pathOf(stays))[1], beside)
    assert.equal((await api.send('DELETE', `/upload/folders/${beside}`)).body.files, 1)
    assert.equal(await api.app.entries(file).count({ id: stays }), 0)
  })

  it('take files as they are uploaded', async () => {
    const target = await made('for uploads')
    const id = await upload('new.txt', [['folder', String(target)]])
    assert.deepEqual(await pathOf(id), [(await at(target))?.path, target])
    const parts: Part[] = [
      ['files', 'x.txt', 'text/plain', 'x'],
      ['folder', '99999'],
    ]
    const { status, text } = await api.form('/upload', parts)
    assert.equal(status, 400, text)
    assert.match(text, /folder is 99999, of which there is no folder/)
  })

  it('are refused where a file that is there is changed, as that moves none', async () => {
    const target = String(await made('for a file that is there'))
    const id = await upload('there.txt')
    const before = await pathOf(id)
    for (const { status, text } of [
      await api.form(`/upload?id=${id}`, [['folder', target]]),
      await api.send('POST', `/upload?id=${id}`, { fileInfo: { name: 'x' }, folder: target }),
    ])
      assert.deepEqual([status, /folder is for new files; POST .upload.move/.test(text)], [400, true], text)
    assert.deepEqual(await pathOf(id), before)
  })

  // SQLite's one writer lets no upload begin meanwhile.
  it.skipIf(engine.name === 'sqlite')(
    'take files where they are by then, if they are moved or deleted during the upload',
    async () => {
      const [moved, gone, to] = [await made('moved away'), await made('gone by then'), await made('there')]
      const [, usual] = (await pathOf(await upload('usual.txt'))) as [string, number]
      for (const [path, body, folder] of [
        ['/upload/move', { folders: [moved], to }, moved],
        ['/upload/delete', { folders: [gone] }, gone],
        ['/upload/move', { folders: [usual], to }, undefined],
        ['/upload/delete', { folders: [usual] }, undefined],
      ] as const) {
        let goOn: () => void = () => undefined
        const held = new Promise<void>(resolve => {
          goOn = resolve
        })
        const isBegun = new Promise<void>(resolve => {
          whileChanged = () => {
            resolve()
            return held
          }
        })
        const change = post(path, body)
        await isBegun
        const stored = api.stored().length
        const sent = api.form('/upload', [
          ['files', 'late.txt', 'text/plain', 'late'],
          ...(folder === undefined ? [] : ([['folder', String(folder)]] as Part[])),
        ])
        await vi
          .waitUntil(() => api.stored().length > stored, { timeout: 20_000 })
          .finally(() => {
            whileChanged = undefined
            goOn()
          })
        assert.equal((await change).status, 200)
        const { status, body: answer, text } = await sent
        if (folder !== gone) {
          const [there, id] = (await pathOf(answer[0].id)) as [string, number]
          assert.equal(there, (await at(id))?.path)
          assert.equal(id === (folder ?? usual), path === '/upload/move')
        } else assert.deepEqual([status, /folder is \d+, of which there is no folder/.test(text)], [400, true], text)
      }
    },
  )

  it('are refused where they make no sense, and nothing is changed then', async () => {
    const around = await made('around')
    const within = await made('in it', around)
    const before = await list()
    const cases: [string, string, unknown, number, RegExp][] = [
      ['POST', '/upload/folders', { name: 'around' }, 400, /has a folder of this name/],
      ['POST', '/upload/folders', { name: ' ' }, 400, /name must be a text/],
      ['POST', '/upload/folders', { name: 'a/b' }, 400, /must have no slash/],
      ['POST', '/upload/folders', { name: 'x', parent: 99999 }, 400, /parent is 99999/],
      ['POST', '/upload/folders', { name: 'x', color: 'red' }, 400, /color is no name of this body/],
      ['PUT', `/upload/folders/${around}`, { parent: within }, 400, /itself, or in it/],
      ['PUT', `/upload/folders/${around}`, { parent: around }, 400, /itself, or in it/],
      ['PUT', '/upload/folders/99999', { name: 'x' }, 404, /no such folder/],
      ['DELETE', '/upload/folders/99999', undefined, 404, /no such folder/],
      ['POST', '/upload/move', { folders: [around], to: within }, 400, /itself, or in it/],
      ['POST', '/upload/move', { files: [99999], to: within }, 404, /no such file/],
      ['POST', '/upload/move', { files: ['x'], to: within }, 400, /files must be a list of ids/],
      ['POST', '/upload/move', { to: within }, 400, /Name some files/],
      ['POST', '/upload/move', { folders: [within] }, 400, /to must be the id/],
      ['POST', '/upload/delete', { folders: [within], files: [99999] }, 404, /no such file/],
    ]
    for (const [method, path, body, status, message] of cases) {
      const answer = await api.send(method, path, body)
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
      assert.match(answer.text, message)
    }
    assert.deepEqual(await list(), before)
  })

  it('need permissions, and the rules of the caller hold for what is in them', async () => {
    const mine = await made('own folder')
    const theirs = await made('theirs')
    const [own, foreign] = [await upload('own.txt'), await upload('foreign.txt')]
    for (const [method, path, body] of [
      ['GET', '/upload/folders'],
      ['POST', '/upload/folders', { name: 'x' }],
      ['PUT', `/upload/folders/${mine}`, { name: 'x' }],
      ['DELETE', `/upload/folders/${mine}`],
      ['POST', '/upload/move', { files: [own], to: mine }],
      ['POST', '/upload/delete', { files: [own] }],
    ] as const)
      assert.equal((await api.send(method, path, body, who('none'))).status, 403, `${method} ${path}`)
    const limited = (path: string, body: unknown) => post(path, body, 'limited').then(({ status }) => status)
    assert.equal(await limited('/upload/move', { files: [own], to: mine }), 200)
    assert.equal(await limited('/upload/move', { files: [foreign], to: mine }), 404)
    assert.equal(await limited('/upload/move', { folders: [theirs], to: mine }), 404)
    assert.equal(await limited('/upload/delete', { folders: [theirs] }), 404)
    await post('/upload/move', { files: [foreign], to: mine })
    assert.equal(await limited('/upload/delete', { folders: [mine] }), 403)
    assert.deepEqual(await pathOf(own), [(await at(mine))?.path, mine])
    assert.equal('files' in (await api.send('GET', '/upload/folders', undefined, who('limited'))).body[0], false)
  })

  it('are made at the same time without two of one name', async () => {
    const wishes = await Promise.all(Array.from({ length: 4 }, () => post('/upload/folders', { name: 'once' })))
    assert.deepEqual(wishes.map(({ status }) => status).sort(), [200, 400, 400, 400])
  })
})
