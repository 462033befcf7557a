import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { contract, refused } from '../../support/contract.js'
import { dateOf, make, newspaper, titles, whole, written } from './world.js'

const required = /title must be defined|title is required and cannot be null/

contract('drafts and published entries', newspaper, api => {
  const draftOf = (data: unknown) => make(api, '/articles', { ...(data as object), publishedAt: null })

  describe('creating', () => {
    it('publishes at once unless told otherwise', async () => {
      const before = Date.now()
      const { attributes } = await written(api, 'POST', '/articles', whole('told nothing'))
      const date = Date.parse(attributes.publishedAt)
      assert.ok(date >= before && date <= Date.now(), attributes.publishedAt)
      assert.deepEqual(Object.keys(attributes).slice(-3), ['createdAt', 'updatedAt', 'publishedAt'])
    })
    it('makes a draft where publishedAt is null', async () => {
      const { id, attributes } = await written(api, 'POST', '/articles', { ...whole('kept back'), publishedAt: null })
      assert.equal(attributes.publishedAt, null)
      refused(await api.get(`/articles/${id}`), { status: 404, name: 'NotFoundError' })
      assert.equal(dateOf(await api.get(`/articles/${id}?publicationState=preview`)), null)
    })
    it('takes a date as it is said', async () => {
      const publishedAt = '2024-05-01T00:00:00.000Z'
      const { attributes } = await written(api, 'POST', '/articles', { ...whole('dated'), publishedAt })
      assert.equal(attributes.publishedAt, publishedAt)
    })
    it('refuses what is no date', async () => {
      for (const publishedAt of ['', 'soon', true, {}, []])
        refused(await api.send('POST', '/articles', { data: { ...whole('odd'), publishedAt } }), {
          status: 400,
          message: /publishedAt/,
        })
    })
    it('checks what is required and long enough of a published entry only', async () => {
      refused(await api.send('POST', '/articles', { data: {} }), { status: 400, message: '2 errors occurred' })
      refused(await api.send('POST', '/articles', { data: whole('ab') }), { status: 400, message: /at least 3/ })
      await draftOf({})
      await draftOf({ title: 'ab', card: {} })
    })
    it('checks everything else of drafts too', async () => {
      const wrong = [{ views: -1 }, { views: 'many' }, { slug: 'not a slug' }, { title: 5 }, { category: 999 }]
      for (const data of wrong)
        refused(await api.send('POST', '/articles', { data: { ...data, publishedAt: null } }), { status: 400 })
      await draftOf({ slug: 'taken' })
      refused(await api.send('POST', '/articles', { data: { slug: 'taken', publishedAt: null } }), {
        status: 400,
        message: 'slug must be unique; another entry has this value',
      })
    })
  })

  describe('changing', () => {
    it('a draft may lose what is required, a published entry may not', async () => {
      const draft = await draftOf(whole('of a draft'))
      await written(api, 'PUT', `/articles/${draft}`, { title: null, card: null })
      const published = await make(api, '/articles', whole('of a published one'))
      refused(await api.send('PUT', `/articles/${published}`, { data: { title: null } }), {
        status: 400,
        message: required,
      })
      refused(await api.send('PUT', `/articles/${published}`, { data: { card: null } }), { status: 400 })
      await written(api, 'PUT', `/articles/${published}`, { views: 3 })
    })
    it('a draft stays one, and a published entry keeps its date', async () => {
      const draft = await draftOf(whole('stays'))
      assert.equal((await written(api, 'PUT', `/articles/${draft}`, { views: 1 })).attributes.publishedAt, null)
      const { id, attributes } = await written(api, 'POST', '/articles', whole('stays too'))
      const changed = await written(api, 'PUT', `/articles/${id}`, { views: 1 })
      assert.equal(changed.attributes.publishedAt, attributes.publishedAt)
    })
    it('null takes a published entry back, also with what it lacks from then on', async () => {
      const id = await make(api, '/articles', whole('taken back'))
      const { attributes } = await written(api, 'PUT', `/articles/${id}`, { publishedAt: null, title: null })
      assert.deepEqual([attributes.title, attributes.publishedAt], [null, null])
      refused(await api.get(`/articles/${id}`), { status: 404 })
    })
    it('a date publishes a draft that is whole', async () => {
      const id = await draftOf({ title: 'to come' })
      const publishedAt = '2024-05-01T00:00:00.000Z'
      refused(await api.send('PUT', `/articles/${id}`, { data: { publishedAt } }), { status: 400, message: /^card/ })
      refused(await api.send('PUT', `/articles/${id}`, { data: { publishedAt, card: {} } }), {
        status: 400,
        message: /^card\.label/,
      })
      refused(await api.get(`/articles/${id}`), { status: 404 })
      const { attributes } = await written(api, 'PUT', `/articles/${id}`, { publishedAt, card: { label: 'x' } })
      assert.equal(attributes.publishedAt, publishedAt)
      assert.equal(dateOf(await api.get(`/articles/${id}`)), publishedAt)
    })
    it('publishing looks at what is stored, deep inside too', async () => {
      const id = await draftOf({ title: 'ab', card: {}, notes: [{ text: 'one of two' }] })
      const answer = await api.send('PUT', `/articles/${id}`, { data: { publishedAt: Date.now() } })
      refused(answer, { status: 400, message: '3 errors occurred' })
      assert.deepEqual(
        answer.body.error.details.errors.map(({ path }: { path: string[] }) => path),
        [['title'], ['card', 'label'], ['notes']],
      )
      const kept = await api.get(`/articles/${id}?publicationState=preview`)
      assert.equal(dateOf(kept), null)
    })
    it('a draft is deleted by its id', async () => {
      const id = await draftOf({ title: 'to be deleted' })
      assert.equal((await written(api, 'DELETE', `/articles/${id}`)).attributes.title, 'to be deleted')
      refused(await api.get(`/articles/${id}?publicationState=preview`), { status: 404 })
    })
    it('what a type has no drafts of takes no publishedAt', async () => {
      const { status, body } = await api.post('/teams', { name: 'plain', publishedAt: null })
      assert.deepEqual([status, body.error.details.errors[0].path], [400, ['publishedAt']])
      const { attributes } = await written(api, 'POST', '/teams', { name: 'plain' })
      assert.deepEqual(Object.keys(attributes), ['name', 'createdAt', 'updatedAt'])
    })
  })

  describe('answers of writes', () => {
    it('show the entry itself, and none of the drafts it leads to', async () => {
      const draft = await draftOf(whole('unseen mark'))
      const live = await make(api, '/articles', whole('seen'))
      const query = '?populate=articles&fields=name'
      const author = await api.send('POST', `/authors${query}`, { data: { name: 'a', articles: [draft, live] } })
      const { id } = author.body.data
      const related = await api.send('PUT', `/articles/${draft}?populate=related`, { data: { related: [draft, live] } })
      const answers = [
        author,
        await api.send('PUT', `/authors/${id}${query}`, { data: { name: 'b' } }),
        await api.send('DELETE', `/authors/${id}${query}`),
      ]
      for (const { body, text } of answers) {
        assert.deepEqual(titles(body.data.attributes.articles), ['seen'])
        assert.doesNotMatch(text, /unseen mark/)
      }
      assert.deepEqual(titles(related.body.data.attributes.related), ['seen'])
      assert.equal(related.body.data.attributes.title, 'unseen mark')
      const previewed = await api.send('PUT', `/articles/${draft}?populate=related&publicationState=preview`, {
        data: {},
      })
      assert.deepEqual(titles(previewed.body.data.attributes.related), ['unseen mark', 'seen'])
    })
  })

  describe('code', () => {
    it('sees drafts unless it asks for live ones, and is held to the same rules', async () => {
      const id = await draftOf({ title: 'by code' })
      const articles = api.app.entries('api::article.article')
      const asked = { where: { id } }
      assert.equal((await articles.first(asked))?.title, 'by code')
      assert.equal(await articles.first({ ...asked, params: { publicationState: 'live' } }), undefined)
      await assert.rejects(articles.update(id, { publishedAt: new Date().toISOString() }), /card must be defined/)
    })
  })
})

/** Holds the next write back once everything has looked at the entry, until it may go on. */
let hold: { readonly reached: () => void; readonly released: Promise<void> } | undefined
const slow = definePlugin({
  name: 'slow',
  hooks: {
    async beforeWrite(write) {
      const held = hold
      hold = undefined
      held?.reached()
      await held?.released
      return write
    },
  },
})

contract('an entry that changes while it is written', { ...newspaper, plugins: [...newspaper.plugins, slow] }, api => {
  type SentWrite = readonly [path: string, data?: unknown]
  const send = (id: number, [path, data]: SentWrite) =>
    data === undefined
      ? api.send('POST', `/articles/${id}/actions/${path}`)
      : api.send('PUT', `/articles/${id}`, { data })
  /** The second write comes and goes while the first has looked at the entry and not touched it yet. */
  const overtake = async (id: number, first: SentWrite, second: SentWrite) => {
    let release = () => {}
    const released = new Promise<void>(done => {
      release = done
    })
    let late: ReturnType<typeof send> | undefined
    await new Promise<void>(reached => {
      hold = { reached, released }
      late = send(id, first)
    })
    const passed = await send(id, second)
    release()
    return [passed, await (late as ReturnType<typeof send>)] as const
  }
  const stored = async (id: number) => (await api.get(`/articles/${id}?publicationState=preview`)).body.data.attributes

  it('is published meanwhile: what it must have can no longer be taken away', async () => {
    const id = await make(api, '/articles', { ...whole('kept'), publishedAt: null })
    const published = { publishedAt: '2024-05-01T00:00:00.000Z' }
    for (const data of [{ title: null }, { card: null }, { title: 'ab' }]) {
      await written(api, 'PUT', `/articles/${id}`, { publishedAt: null })
      const [passed, late] = await overtake(id, ['', data], ['', published])
      assert.equal(passed.status, 200, passed.text)
      refused(late, { status: 400, name: 'ValidationError' })
      assert.equal((await stored(id)).title, 'kept')
    }
  })
  it('is published meanwhile: what leaves it whole is written', async () => {
    const id = await make(api, '/articles', { ...whole('kept'), publishedAt: null })
    const [, late] = await overtake(id, ['', { title: 'changed' }], ['', { publishedAt: Date.now() }])
    assert.equal(late.status, 200, late.text)
    assert.notEqual((await stored(id)).publishedAt, null)
  })
  it('loses what it must have meanwhile: it is not published', async () => {
    const id = await make(api, '/articles', { ...whole('lost'), publishedAt: null })
    const [passed, late] = await overtake(id, ['publish'], ['', { title: null }])
    assert.equal(passed.status, 200, passed.text)
    refused(late, { status: 400, message: /^title/ })
    assert.equal((await stored(id)).publishedAt, null)
  })
  it('is unpublished meanwhile: publishing it is right for all that', async () => {
    const id = await make(api, '/articles', { ...whole('fro and to') })
    const [passed, late] = await overtake(id, ['publish'], ['unpublish'])
    assert.equal(dateOf(passed), null)
    assert.equal(typeof dateOf(late), 'string', late.text)
  })
})

contract('two requests at the same time', newspaper, api => {
  it('publish once each, and both say so', async () => {
    const id = await make(api, '/articles', { ...whole('twice'), publishedAt: null })
    const both = await Promise.all([1, 2].map(() => api.send('POST', `/articles/${id}/actions/publish`)))
    for (const answer of both) assert.equal(typeof dateOf(answer), 'string', answer.text)
  })
  it('never leave a published entry without what is required', async () => {
    for (let round = 0; round < 12; round += 1) {
      const id = await make(api, '/articles', { ...whole(`race ${round}`), publishedAt: null })
      const writes = [
        () => api.send('POST', `/articles/${id}/actions/publish`),
        () => api.send('PUT', `/articles/${id}`, { data: { title: null } }),
      ]
      if (round % 2 === 0) writes.reverse()
      const statuses = (await Promise.all(writes.map(write => write()))).map(({ status }) => status)
      // The two writes exclude each other, and one succeeds.
      assert.deepEqual(statuses.sort(), [200, 400])
      const { attributes } = (await api.get(`/articles/${id}?publicationState=preview`)).body.data
      assert.equal(attributes.publishedAt === null, attributes.title === null)
    }
  })
})

const album = {
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    notes: { type: 'component', component: 'shared.note', repeatable: true, required: true },
    blocks: { type: 'dynamiczone', components: ['shared.page'], required: true },
  },
} as const
const parts = {
  'shared.note': { attributes: { text: { type: 'string', required: true } } },
  'shared.page': {
    attributes: { lines: { type: 'component', component: 'shared.note', repeatable: true, required: true } },
  },
} as const
const draft = { publishedAt: null }
const lists = { notes: [], blocks: [] }
for (const [dialect, end] of [
  ['spec', ''],
  ['strapi4', '.'],
] as const)
  contract(
    `required lists in drafts in the dialect ${dialect}`,
    { types: { album }, components: parts, plugins: [draftAndPublish], rest: { dialect } },
    api => {
      const isStrict = dialect === 'strapi4'
      const post = (data: object) => api.send('POST', '/albums', { data })
      const cases = [
        { says: 'a repeatable component and a zone', data: {}, lacks: ['notes', 'blocks'] },
        { says: 'a zone', data: { notes: [] }, lacks: ['blocks'] },
        {
          says: 'a repeatable component inside a zone',
          data: { ...lists, blocks: [{ __component: 'shared.page' }] },
          lacks: ['blocks[0].lines'],
        },
      ]
      for (const { says, data, lacks } of cases)
        it(`${isStrict ? 'may not' : 'may'} be missing: ${says}`, async () => {
          const { status, body, text } = await post({ ...draft, ...data })
          if (!isStrict) return assert.equal(status, 200, text)
          assert.equal(status, 400, text)
          const messages = body.error.details.errors.map(({ message }: { message: string }) => message)
          assert.deepEqual(
            messages,
            lacks.map(name => `${name} must be defined${end}`),
          )
        })

      it('may be empty, and everything else may be missing', async () => {
        const { status, body, text } = await post({ ...draft, ...lists, notes: [{}] })
        assert.equal(status, 200, text)
        const { id } = body.data
        assert.equal((await api.send('PUT', `/albums/${id}`, { data: { title: 'x' } })).status, 200)
        const publish = { publishedAt: '2024-01-01T00:00:00.000Z' }
        assert.equal((await post({ ...publish, ...lists })).body.error.message, `title must be defined${end}`)
      })
    },
  )
