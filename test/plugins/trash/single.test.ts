import assert from 'node:assert/strict'
import { it } from 'vitest'
import { i18n } from '../../../plugins/i18n/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { type Api, contract, refused, type World } from '../../support/contract.js'
import { callers, components } from './world.js'

const localized = { i18n: { localized: true } }
const types: NonNullable<World['types']> = {
  home: {
    kind: 'singleType',
    options: { trash: true },
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      part: { type: 'component', component: 'shared.part' },
    },
  },
  about: {
    kind: 'singleType',
    options: { trash: true },
    pluginOptions: localized,
    attributes: { title: { type: 'string', pluginOptions: localized } },
  },
}

const clock = { now: Date.parse('2031-05-01T12:00:00.000Z') }

function suite(api: Api): void {
  const put = async (path: string, data: object) => {
    const answer = await api.put(path, data)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.id as number
  }
  const restore = (path: string, headers = {}) => {
    const [bare, query = ''] = path.split('?')
    return api.send('POST', `${bare}/actions/restore?${query}`, undefined, headers)
  }
  const remove = async (path: string) => {
    clock.now += 1000
    assert.equal((await api.send('DELETE', path)).status, 200)
  }

  it('hides the entry, and brings it back with all that it had', async () => {
    refused(await restore('/home'), { status: 404 })
    const id = await put('/home', { title: 'one', code: 'c', part: { code: 'p', words: 'w' } })
    await remove('/home')
    refused(await api.get('/home'), { status: 404 })
    refused(await api.send('DELETE', '/home'), { status: 404 })
    const seen = await api.get('/home?trash=only')
    assert.deepEqual([seen.body.data.id, typeof seen.body.data.attributes.deletedAt], [id, 'string'])
    const { status, body, text } = await restore('/home?populate=part')
    assert.equal(status, 200, text)
    const { title, code, part } = body.data.attributes
    assert.deepEqual([body.data.id, title, code, part.code, part.words], [id, 'one', 'c', 'p', 'w'])
    assert.equal((await api.get('/home')).body.data.id, id)
    refused(await api.get('/home?trash=only'), { status: 404 })
    refused(await api.get('/home?trash=with'), { status: 400, parameter: 'trash', message: /takes "only"/ })
  })

  it('lets another entry take its place, which has to be deleted before it comes back', async () => {
    await remove('/home')
    const second = await put('/home', { title: 'two', code: 'c' })
    refused(await restore('/home'), { status: 400, message: /another entry by now; delete it first/ })
    assert.equal((await api.get('/home')).body.data.id, second)
    await remove('/home')
    // The last one that was deleted.
    assert.equal((await api.get('/home?trash=only')).body.data.id, second)
    assert.equal((await restore('/home')).body.data.id, second)
    await remove('/home')
    assert.equal((await api.send('DELETE', '/home?trash=only')).body.data.id, second)
    assert.equal((await restore('/home')).body.data.attributes.title, 'one')
  })

  it('has one entry, however much comes at once', async () => {
    await remove('/home')
    const answers = await Promise.all([restore('/home'), api.put('/home', { title: 'new' }), restore('/home')])
    for (const { status, text } of answers) assert.ok([200, 400, 404].includes(status), text)
    const rows = await api.rows('homes', ['deleted_at'], {})
    assert.equal(rows.filter(row => Object.values(row)[0] === null).length, 1)
  })

  it('is emptied like any other', async () => {
    for (const title of ['three', 'four']) {
      await remove('/home')
      await put('/home', { title })
    }
    clock.now += 31 * 86_400_000
    await api.app.runJob('trash/empty')
    const rows = await api.rows('homes', ['title'], {})
    assert.deepEqual(
      rows.map(row => Object.values(row)[0]),
      ['four'],
    )
  })

  it('needs the permissions', async () => {
    refused(await api.get('/home?trash=only', { 'x-may': 'find' }), { status: 403 })
    refused(await restore('/home', { 'x-may': 'update' }), { status: 403 })
  })

  it('is that of a locale', async () => {
    await put('/about', { title: 'one' })
    const german = await api.send('POST', '/about/localizations', { locale: 'de', title: 'eins' })
    assert.equal(german.status, 200, german.text)
    await remove('/about?locale=de')
    assert.equal((await api.get('/about')).body.data.attributes.title, 'one')
    refused(await restore('/about'), { status: 404 })
    const back = await restore('/about?locale=de')
    assert.equal(back.status, 200, back.text)
    assert.equal((await api.get('/about?locale=de')).body.data.attributes.title, 'eins')
  })
}

contract(
  'The trash of single types',
  { types, components, time: () => clock.now, plugins: [[i18n, { locales: ['en', 'de'] }], trash, callers] },
  suite,
)
