import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { type Api, contract, refused, said } from '../support/contract.js'

const types = {
  item: {
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      number: { type: 'integer', unique: true },
      secret: { type: 'string', unique: true, private: true },
      owner: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

/** `x-may` is what a request may do, `x-owner` whose items it reaches. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const may = String(headers['x-may'] ?? 'create find findOne update delete').split(' ')
    const owner = headers['x-owner']
    return {
      scope: `may ${may} ${owner}`,
      can: action => may.includes(action),
      ...(owner !== undefined && {
        rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
      }),
    }
  },
})

const at = (field: string, value: string) => `/items/by/${field}/${encodeURIComponent(value)}`

function suite(api: Api): void {
  const put = (path: string, data: unknown, headers: Record<string, string> = {}) =>
    api.send('PUT', path, { data }, headers)
  const make = (data: Record<string, unknown>) => api.make('/items', data)

  describe('GET', () => {
    it('finds the entry as its id does, in as many statements', async () => {
      const id = await make({ title: 'One', code: 'a/b c', number: 7 })
      const query = '?populate=tags&fields[0]=title'
      const byId = await api.get(`/items/${id}${query}`)
      for (const path of [at('code', 'a/b c'), at('number', '7')]) {
        const { status, body, statements } = await api.get(path + query)
        assert.deepEqual([status, body], [200, byId.body])
        assert.ok(statements.length <= Math.max(1, byId.statements.length), statements.join('\n'))
      }
      refused(await api.get(at('code', 'nothing')), { status: 404 })
      refused(await api.get(`${at('number', '7')}?filters[title]=Two`), { status: 404 })
    })
    it('takes unique attributes that are shown, and values that they can have', async () => {
      await make({ secret: 'hidden' })
      for (const [path, message] of [
        [at('title', 'One'), 'by[title]: is not unique; entries can be named by code, number'],
        [at('number', 'x'), 'by[number]: "x" is not a number'],
      ] as const)
        if (api.app.config.api.rest.dialect !== 'strapi4') assert.deepEqual(said(await api.get(path)), [400, message])
      // A hidden attribute is refused as a missing one is.
      const [hidden, none] = [await api.get(at('secret', 'hidden')), await api.get(at('sacred', 'hidden'))]
      assert.deepEqual([hidden.status, none.status], [400, 400])
      assert.equal(hidden.text.replaceAll('secret', 'sacred'), none.text)
      for (const method of ['PUT', 'DELETE'])
        assert.equal((await api.send(method, at('secret', 'hidden'), { data: {} })).status, 400)
    })
    it('is there for types that have such an attribute', async () => {
      refused(await api.get('/tags/by/name/x'), { status: 404 })
    })
    it('follows permission and rules', async () => {
      await make({ code: 'anns', owner: 'ann' })
      refused(await api.get(at('code', 'anns'), { 'x-may': 'find update' }), { status: 403 })
      refused(await api.get(at('code', 'anns'), { 'x-owner': 'bob' }), { status: 404 })
      assert.equal((await api.get(at('code', 'anns'), { 'x-owner': 'ann' })).status, 200)
    })
  })

  describe('PUT', () => {
    it('makes an entry and changes it', async () => {
      const first = await put(at('code', 'up'), { title: 'a', tags: [] })
      assert.equal(first.status, 201, first.text)
      assert.deepEqual([first.body.data.attributes.code, first.body.data.attributes.title], ['up', 'a'])
      const second = await put(at('code', 'up'), { number: 70 })
      assert.equal(second.status, 200)
      const { title, number } = second.body.data.attributes
      assert.deepEqual([second.body.data.id, title, number], [first.body.data.id, 'a', 70])
      assert.equal((await put(at('number', '71'), {})).body.data.attributes.number, 71)
    })
    it('may give a new value to an entry, and none to a new one', async () => {
      const { body } = await put(at('code', 'from'), {})
      assert.equal((await put(at('code', 'from'), { code: 'to' })).body.data.id, body.data.id)
      assert.deepEqual(said(await put(at('code', 'other'), { code: 'another' })), [
        400,
        'code is not the value in the address',
      ])
      assert.equal((await put(at('code', 'same'), { code: 'same' })).status, 201)
    })
    it('needs both permissions, and refuses what is taken by an entry out of reach', async () => {
      for (const may of ['update', 'create'])
        refused(await put(at('code', 'new'), {}, { 'x-may': may }), { status: 403 })
      await make({ code: 'not-mine', owner: 'ann' })
      const bob = { 'x-owner': 'bob' }
      refused(await put(at('code', 'not-mine'), { owner: 'bob' }, bob), { status: 400 })
      refused(await put(at('code', 'not-mine'), {}, bob), { status: 400 })
      refused(await put(at('code', 'for-ann'), { owner: 'ann' }, bob), { status: 403 })
      assert.equal((await put(at('code', 'bobs'), { owner: 'bob' }, bob)).status, 201)
    })
    it('expects what If-Match says', async () => {
      refused(await put(at('code', 'absent'), {}, { 'if-match': '*' }), { status: 412 })
      await put(at('code', 'here'), {})
      refused(await put(at('code', 'here'), {}, { 'if-match': '"2020-01-01"' }), { status: 412 })
      assert.equal((await put(at('code', 'here'), {}, { 'if-match': '*' })).status, 200)
    })
    it('names what is wrong with a body', async () => {
      refused(await put(at('code', 'bad'), undefined), {
        status: 400,
        message: /^Missing "data" payload in the request body/,
      })
      refused(await put(at('code', 'bad'), { number: 'x' }), { status: 400 })
      assert.equal((await api.get(at('code', 'bad'))).status, 404)
    })
    it('of many at once one makes the entry, and all others change it', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => put(at('code', `race${n % 2}`), { title: `t${n}` })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(10).fill(200), 201, 201])
      for (const code of ['race0', 'race1']) assert.equal((await api.rows('items', ['id'], { code })).length, 1)
    })
    it('changes the entry that has the value, whatever is renamed and deleted meanwhile', async () => {
      await put(at('code', 'moving'), {})
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 3 === 0
            ? put(at('code', 'moving'), { code: `moved${n}` })
            : n % 3 === 1
              ? put(at('code', 'moving'), { title: `t${n}` })
              : api.delete(at('code', 'moving')),
        ),
      )
      // A new entry cannot be renamed while it is created; an entry deleted by another client is not found.
      for (const { status, text } of answers) assert.ok([200, 201, 400, 404].includes(status), text)
      for (const { title, code } of await api.rows('items', ['title', 'code']))
        if (String(code).startsWith('moved')) assert.ok(title === null || String(title).startsWith('t'))
      assert.ok((await api.rows('items', ['id'], { code: 'moving' })).length <= 1)
    })
  })

  describe('DELETE', () => {
    it('deletes the entry, once', async () => {
      const id = await make({ code: 'gone' })
      const { status, body } = await api.delete(at('code', 'gone'))
      assert.deepEqual([status, body.data.id], [200, id])
      refused(await api.delete(at('code', 'gone')), { status: 404 })
    })
    it('follows permission and rules', async () => {
      await make({ code: 'kept', owner: 'ann' })
      const remove = (headers: Record<string, string>) => api.send('DELETE', at('code', 'kept'), undefined, headers)
      refused(await remove({ 'x-may': 'update create' }), { status: 403 })
      refused(await remove({ 'x-owner': 'bob' }), { status: 404 })
      refused(await remove({ 'if-match': '"2020-01-01"' }), { status: 412 })
      assert.equal((await remove({ 'x-owner': 'ann' })).status, 200)
    })
    it('of many at once one deletes it', async () => {
      await make({ code: 'once' })
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.delete(at('code', 'once'))))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404])
    })
  })
}

contract('an entry by a unique value', { types, plugins: [callers] }, suite)
contract(
  'an entry by a unique value in the dialect of v4',
  { types, plugins: [callers], rest: { dialect: 'strapi4' } },
  suite,
)

const localized = {
  page: {
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: { slug: { type: 'uid' }, title: { type: 'string' } },
  },
}

contract(
  'an entry by a value that is unique in its locale',
  { types: localized, plugins: [[i18n, { locales: ['en', 'fr', 'de'], fallback: ['en'] }], draftAndPublish] },
  api => {
    const put = (query: string, data: object) => api.send('PUT', `/pages/by/slug/home${query}`, { data })
    const get = (query: string) => api.get(`/pages/by/slug/home${query}`)

    it('is that of the locale of the query', async () => {
      const en = await put('', { title: 'Home' })
      const fr = await put('?locale=fr', { title: 'Accueil' })
      assert.deepEqual([en.status, fr.status], [201, 201])
      assert.deepEqual(
        [en, fr].map(({ body }) => body.data.attributes.locale),
        ['en', 'fr'],
      )
      assert.equal((await get('')).body.data.attributes.title, 'Home')
      assert.equal((await get('?locale=fr')).body.data.attributes.title, 'Accueil')
      assert.equal((await put('?locale=fr', { title: 'Maison' })).body.data.id, fr.body.data.id)
      refused(await get('?locale=xx'), { status: 400, parameter: 'locale' })
    })
    it('is in no other locale: the value may belong to another entry there', async () => {
      refused(await get('?locale=de'), { status: 404 })
      refused(await get('?locale=de&fallback=en'), { status: 400, parameter: 'fallback' })
      refused(await api.delete('/pages/by/slug/home?locale=de'), { status: 404 })
      assert.equal((await put('?locale=de', { title: 'Start' })).status, 201)
      assert.equal((await get('?locale=de')).body.data.attributes.title, 'Start')
    })
    it('may be a draft: reads ask for a preview, and PUT changes it', async () => {
      await put('', { publishedAt: null })
      refused(await get('?fallback=false'), { status: 404 })
      assert.equal((await get('?publicationState=preview')).status, 200)
      assert.equal((await put('', { title: 'Draft' })).status, 200)
      assert.equal((await api.delete('/pages/by/slug/home')).body.data.attributes.title, 'Draft')
    })
  },
)
