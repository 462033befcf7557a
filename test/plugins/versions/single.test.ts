import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { versions } from '../../../plugins/versions/index.js'
import { type Api, type Body, contract, refused, type World } from '../../support/contract.js'
import { callers, components, types as others } from './world.js'

const localized = { i18n: { localized: true } }
const types: NonNullable<World['types']> = {
  home: {
    kind: 'singleType',
    options: { versions: true, draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      secretNote: { type: 'string', private: true },
      seo: { type: 'component', component: 'shared.seo' },
      tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
    },
  },
  about: {
    kind: 'singleType',
    options: { versions: true },
    pluginOptions: localized,
    attributes: { title: { type: 'string', pluginOptions: localized } },
  },
  plain: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  tag: others.tag,
}

/** Waits before each write of a home, where a test says so. */
let waits: (() => Promise<void>) | undefined
const waiting = definePlugin({
  name: 'waiting',
  appliesTo: ({ uid }) => uid === 'api::home.home',
  hooks: {
    async beforeWrite(write) {
      await waits?.()
      return write
    },
  },
})

function suite(api: Api): void {
  const put = async (path: string, data: object, headers = {}) => {
    const answer = await api.send('PUT', path, { data }, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const list = async (path: string, headers = {}): Promise<Body> => {
    const answer = await api.get(path, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.map(({ number, action }: Body) => [number, action])
  }

  it('are listed, compared and restored without an id', async () => {
    const tag = await api.make('/tags')
    refused(await api.get('/home/versions'), { status: 404 })
    const { id } = await put('/home', { title: 'one', secretNote: 'x', seo: { words: 'w', tag }, tags: [tag] })
    assert.deepEqual(await list('/home/versions'), [])
    await put('/home', { title: 'two', seo: null, tags: [] })
    assert.deepEqual(await list('/home/versions'), [[1, 'update']])
    const { body } = await api.get('/home/versions/1')
    assert.equal(body.data.attributes.title, 'one')
    assert.equal('secretNote' in body.data.attributes, false)
    const changes = await api.get('/home/versions/1/changes')
    assert.deepEqual(changes.body.data.map(({ attribute }: Body) => attribute).sort(), ['seo', 'tags', 'title'])
    const answer = await api.send('POST', '/home/versions/1/actions/restore?populate=seo,tags', undefined)
    assert.equal(answer.status, 200, answer.text)
    const { title, seo, tags } = answer.body.data.attributes
    assert.deepEqual([answer.body.data.id, title, seo.words, tags.data.length], [id, 'one', 'w', 1])
    assert.deepEqual(await list('/home/versions'), [
      [2, 'update'],
      [1, 'update'],
    ])
    for (const path of ['/home/versions/9', '/home/versions/x', '/plain/versions', '/home/1/versions'])
      refused(await api.get(path), { status: 404 })
    await api.delete('/home')
  })

  it('bring back an entry that was deleted, once', async () => {
    await put('/home', { title: 'gone' })
    await api.delete('/home')
    const [[number, action]] = await list('/home/versions')
    assert.equal(action, 'delete')
    refused(await api.get('/home/versions', { 'x-may': 'versions find' }), { status: 404 })
    const path = `/home/versions/${number}/actions/restore`
    refused(await api.send('POST', path, undefined, { 'x-may': 'find restoreVersion deletedVersions' }), {
      status: 403,
    })
    const answers = await Promise.all([1, 2, 3].map(() => api.send('POST', path, undefined)))
    for (const { status, text } of answers) assert.ok(status === 200 || status === 404, text)
    assert.ok(answers.some(({ status }) => status === 200))
    assert.equal((await api.rows('homes', ['title'], {})).length, 1)
    assert.equal((await api.get('/home')).body.data.attributes.title, 'gone')
  })

  it('bring back nothing over an entry that is there by then', async () => {
    const before = (await list('/home/versions')).length
    await api.delete('/home')
    const [[number]] = await list('/home/versions')
    let arrived = 0
    const both = new Promise<void>(resolve => {
      waits = async () => {
        arrived += 1
        if (arrived === 2) resolve()
        await both
      }
    })
    const path = `/home/versions/${number}/actions/restore`
    const answers = await Promise.all([path, path].map(one => api.send('POST', one, undefined)))
    waits = undefined
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    assert.equal((await list('/home/versions')).length, before + 1)
  })

  it('change no entry that is there again, where the request says so', async () => {
    const fresh = { 'if-none-match': '*' }
    await put('/home', { title: 'gone' })
    await api.delete('/home')
    const [[number]] = await list('/home/versions')
    const path = `/home/versions/${number}/actions/restore`
    await put('/home', { title: 'other' })
    await put('/home', { title: 'another' })
    refused(await api.send('POST', '/home/versions/1/actions/restore', undefined, fresh), { status: 412 })
    const hidden = { ...fresh, 'x-may': 'restoreVersion update' }
    refused(await api.send('POST', '/home/versions/1/actions/restore', undefined, hidden), { status: 404 })
    assert.equal((await api.get('/home')).body.data.attributes.title, 'another')
    await api.delete('/home')
    const [[last]] = await list('/home/versions')
    const made = await api.send('POST', path.replace(`/${number}/`, `/${last}/`), undefined, fresh)
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.data.attributes.title, 'another')
  })

  it('are those of the draft and of the locale that the request means', async () => {
    await api.send('PUT', '/home', { data: { title: 'draft', publishedAt: null } })
    refused(await api.get('/home/versions'), { status: 404 })
    assert.ok((await list('/home/versions?publicationState=preview')).length > 0)

    await put('/about', { title: 'one' })
    const german = await api.send('POST', '/about/localizations', { locale: 'de', title: 'eins' })
    assert.equal(german.status, 200, german.text)
    await put('/about', { title: 'two' })
    await put('/about?locale=de', { title: 'zwei' })
    await put('/about?locale=de', { title: 'drei' })
    assert.equal((await list('/about/versions')).length, 1)
    assert.equal((await list('/about/versions?locale=de')).length, 2)
    const answer = await api.send('POST', '/about/versions/1/actions/restore?locale=de', undefined)
    assert.equal(answer.body.data.attributes.title, 'eins')
    assert.equal((await api.get('/about')).body.data.attributes.title, 'two')
  })

  it('bring back the entry that was deleted in the locale of the request, whichever was deleted last', async () => {
    for (const path of ['/about', '/about?locale=de']) await api.delete(path)
    await put('/about?locale=de', { title: 'eins' })
    await api.delete('/about?locale=de')
    for (const round of ['a', 'b', 'c'].flatMap(one => Array.from({ length: 9 }, (_, at) => `${one}${at}`))) {
      await put('/about', { title: round })
      await api.delete('/about')
    }
    const last = async (path: string) => {
      const [[number]] = await list(path)
      return number
    }
    const number = await last('/about/versions?locale=de')
    const one = await api.get(`/about/versions/${number}?locale=de`)
    assert.deepEqual([one.body.data.attributes.locale, one.body.data.attributes.title], ['de', 'eins'])
    assert.equal((await api.get(`/about/versions/${await last('/about/versions')}`)).body.data.attributes.title, 'c8')
    const made = await api.send('POST', `/about/versions/${number}/actions/restore?locale=de`, undefined)
    assert.equal(made.status, 200, made.text)
    assert.deepEqual([made.body.data.attributes.locale, made.body.data.attributes.title], ['de', 'eins'])
  })

  it('need the permissions of the entry', async () => {
    await put('/home', { title: 'now' })
    for (const may of ['find', 'versions'])
      refused(await api.get('/home/versions', { 'x-may': may }), { status: may === 'find' ? 403 : 404 })
    const path = '/home/versions/1/actions/restore'
    refused(await api.send('POST', path, undefined, { 'x-may': 'find restoreVersion' }), { status: 403 })
    refused(await api.send('POST', path, undefined, { 'x-may': 'restoreVersion update' }), { status: 404 })
  })
}

contract(
  'Versions of single types',
  { types, components, plugins: [draftAndPublish, [i18n, { locales: ['en', 'de'] }], versions, callers, waiting] },
  suite,
)
