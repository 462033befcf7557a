import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { type Answer, type Api, contract, refused, said } from '../support/contract.js'

const types = {
  note: {
    options: { draftAndPublish: true },
    attributes: {
      text: { type: 'string' },
      count: { type: 'integer', default: 0 },
      owner: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      part: { type: 'component', component: 'shared.part' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
  home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
}
const components = { 'shared.part': { attributes: { text: { type: 'string' } } } }

/** `x-owner` may only change notes of that owner. */
const owners = definePlugin({
  name: 'owners',
  authenticate: ({ headers }) => {
    const owner = headers['x-owner']
    if (owner === undefined) return undefined
    return {
      scope: `owner ${owner}`,
      can: () => true,
      rows: (action, uid) =>
        uid === 'api::note.note' && action !== 'find' ? { owner: { $eq: String(owner) } } : undefined,
    }
  },
})

const changed = ({ body }: Pick<Answer, 'body'>): string => body.data.attributes.updatedAt
const quoted = (time: string) => ({ 'if-match': `"${time}"` })

function suite(api: Api): void {
  const put = (id: number, data: object, headers: Record<string, string>) =>
    api.send('PUT', `/notes/${id}`, { data }, headers)
  const make = async (data: object = {}) => {
    const answer = await api.post('/notes', { text: 'a', ...data })
    assert.equal(answer.status, 200, answer.text)
    return { id: answer.body.data.id as number, at: changed(answer) }
  }

  it('lets a write be done while the entry is as it was seen, at no further statement', async () => {
    const { id, at } = await make()
    const first = await put(id, { text: 'b' }, quoted(at))
    assert.equal(first.status, 200, first.text)
    const plain = await api.put(`/notes/${id}`, { text: 'c' })
    const second = await put(id, { text: 'd' }, quoted(changed(plain)))
    assert.equal(second.status, 200)
    assert.equal(second.statements.length, plain.statements.length)
  })

  it('refuses it with what is there now, and changes nothing', async () => {
    const { id, at } = await make()
    const now = changed(await api.put(`/notes/${id}`, { text: 'b' }))
    for (const answer of [
      await put(id, { text: 'lost' }, quoted(at)),
      await api.send('DELETE', `/notes/${id}`, undefined, quoted(at)),
      await api.send('POST', `/notes/${id}/actions/unpublish`, undefined, quoted(at)),
    ]) {
      refused(answer, { status: 412, name: 'PreconditionFailedError' })
      assert.equal(answer.body.error.message, `The entry has been changed: its updatedAt is now ${now}`)
      assert.deepEqual(answer.body.error.details, { updatedAt: now })
    }
    const { text, updatedAt, publishedAt } = (await api.get(`/notes/${id}`)).body.data.attributes
    assert.deepEqual([text, updatedAt], ['b', now])
    assert.notEqual(publishedAt, null)
    assert.equal((await api.send('POST', `/notes/${id}/actions/unpublish`, undefined, quoted(now))).status, 200)
  })

  it('lets an entry be deleted as it was seen', async () => {
    const { id, at } = await make()
    assert.equal((await api.send('DELETE', `/notes/${id}`, undefined, quoted(at))).status, 200)
    refused(await put(id, {}, quoted(at)), { status: 404 })
  })

  it('tells states apart that follow each other at once, whatever was changed', async () => {
    const tag = await api.make('/tags', { name: 't' })
    const { id, at } = await make()
    const seen = [at]
    for (const data of [{}, { tags: [tag] }, { part: { text: 'p' } }, { text: 'a' }, {}])
      seen.push(changed(await api.put(`/notes/${id}`, data)))
    assert.deepEqual(seen, [...new Set(seen)].sort())
    for (const old of seen.slice(0, -1)) assert.equal((await put(id, {}, quoted(old))).status, 412)
    assert.equal((await put(id, {}, quoted(seen.at(-1) as string))).status, 200)
  })

  it('takes several times, other ways to write one, and * for any', async () => {
    const { id, at } = await make()
    const list = await put(id, {}, { 'if-match': `"2020-01-01T00:00:00.000Z", "${at}"` })
    assert.equal(list.status, 200)
    const offset = new Date(Date.parse(changed(list)) + 3_600_000).toISOString().replace('Z', '+01:00')
    assert.equal((await put(id, {}, quoted(offset))).status, 200)
    const { body } = await put(id, {}, { 'if-match': '*' })
    assert.equal((await put(id, {}, { 'if-match': body.data.attributes.updatedAt })).status, 200)
  })

  it('names what it does not take', async () => {
    const { id } = await make()
    const takes = 'it takes the updatedAt of the entry in quotes, or *'
    for (const [sent, why] of [
      ['"abc"', '"abc" is no time'],
      ['W/"x.1.2"', 'W/"x.1.2" is weak, and weak tags match nothing'],
      ['', '"" is no time'],
    ] as const) {
      const answer = await put(id, { text: 'b' }, { 'if-match': sent })
      assert.deepEqual(said(answer), [400, `If-Match: ${why}; ${takes}`])
      assert.deepEqual(answer.body.error.details, { header: 'If-Match' })
    }
  })

  it('is looked at after the rules: what is not for the caller is not found', async () => {
    const { id, at } = await make({ owner: 'ann' })
    const bob = { 'x-owner': 'bob' }
    for (const time of [at, '2020-01-01']) refused(await put(id, {}, { ...bob, ...quoted(time) }), { status: 404 })
    refused(await put(id, {}, { 'x-owner': 'ann', ...quoted('2020-01-01') }), { status: 412 })
  })

  it('has no meaning where an entry is read or made', async () => {
    assert.equal((await api.send('POST', '/notes', { data: {} }, quoted('2020-01-01'))).status, 200)
    assert.equal((await api.get('/notes', quoted('2020-01-01'))).status, 200)
  })

  it('holds for single types, which have to be there', async () => {
    const save = (headers: Record<string, string>) => api.send('PUT', '/home', { data: { title: 'x' } }, headers)
    refused(await save({ 'if-match': '*' }), { status: 412, message: 'There is no entry yet' })
    const first = await save({})
    refused(await save(quoted('2020-01-01')), { status: 412 })
    assert.equal((await save(quoted(changed(first)))).status, 200)
    assert.equal((await api.send('DELETE', '/home', undefined, quoted(changed(first)))).status, 412)
    assert.equal((await api.send('DELETE', '/home', undefined, { 'if-match': '*' })).status, 200)
  })

  describe('editors at once', () => {
    it('of those who saw the same state one succeeds', async () => {
      const { id, at } = await make()
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(id, { text: `t${n}` }, quoted(at))))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 412)])
      const winner = answers.find(({ status }) => status === 200)
      const { text } = (await api.get(`/notes/${id}`)).body.data.attributes
      assert.equal(text, winner?.body.data.attributes.text)
    })

    it('lose no save', async () => {
      const { id } = await make()
      const edit = async () => {
        for (let saved = 0; saved < 5; ) {
          const { count, updatedAt } = (await api.get(`/notes/${id}`)).body.data.attributes
          const answer = await put(id, { count: count + 1 }, quoted(updatedAt))
          assert.ok([200, 412].includes(answer.status), answer.text)
          if (answer.status === 200) saved += 1
        }
      }
      await Promise.all([edit(), edit(), edit()])
      assert.equal((await api.get(`/notes/${id}`)).body.data.attributes.count, 15)
    })
  })
}

const world = { types, components, plugins: [draftAndPublish, owners] }
contract('If-Match', world, api => suite(api))
contract('If-Match in the dialect of v4', { ...world, rest: { dialect: 'strapi4' } }, api => suite(api))

contract(
  'If-Match of entries that show no times',
  { types, components, config: { api: { responses: { privateAttributes: ['updatedAt'] } } } },
  api => {
    it('tells none', async () => {
      const id = await api.make('/notes', { text: 'a' })
      const answer = await api.send('PUT', `/notes/${id}`, { data: {} }, quoted('2020-01-01'))
      refused(answer, { status: 412, message: 'The entry has been changed; read it again' })
      assert.deepEqual(answer.body.error.details, {})
    })
  },
)
