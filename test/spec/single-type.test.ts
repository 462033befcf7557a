import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, reads, refused } from '../support/contract.js'

const types = {
  homepage: {
    kind: 'singleType',
    attributes: {
      title: { type: 'string' },
      note: { type: 'string', private: true },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  about: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
}

contract(
  'a single type',
  {
    types,
    rows: async ({ entries }) => {
      await entries('api::tag.tag').create({ name: 'a' })
      await entries('api::homepage.homepage').create({ title: 'Hello', note: 'inside', tags: [1] })
    },
  },
  api => {
    it('answers its one entry, by its singular name', async () => {
      const { status, body } = await api.get('/homepage')
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['data', 'meta'])
      assert.deepEqual(Object.keys(body.data), ['id', 'attributes', 'meta'])
      assert.deepEqual(Object.keys(body.data.attributes), ['title', 'createdAt', 'updatedAt'])
      assert.deepEqual(body.meta, {})
    })

    const attributes = ({ data }: Body) => data.attributes
    describe('takes the parameters of one entry', () => {
      reads(api, '/homepage', attributes, [
        { says: 'fields', ask: '?fields=title', gives: { title: 'Hello' }, statements: 1 },
        {
          says: 'populate',
          ask: '?fields=id&populate[tags][fields]=name',
          gives: { tags: { data: [{ id: 1, attributes: { name: 'a' } }] } },
          statements: 2,
        },
        { says: 'filters that it meets', ask: '?fields=id&filters[title]=Hello', gives: {} },
        {
          says: 'filters that it does not meet',
          ask: '?filters[title]=Bye',
          fails: { status: 404, name: 'NotFoundError' },
        },
        { says: 'a sort has nothing to choose from', ask: '?fields=id&sort=title', gives: {} },
        { says: 'a page has no effect', ask: '?fields=id&pagination[page]=7', gives: {} },
        { says: 'a wrong field is named', ask: '?fields=nope', fails: { status: 400, parameter: 'fields' } },
        {
          says: 'a private field is named',
          ask: '?filters[note]=inside',
          fails: { status: 400, parameter: 'filters[note]' },
        },
        { says: 'a wrong sort is named', ask: '?sort=nope', fails: { status: 400, parameter: 'sort' } },
        { says: 'an unknown parameter is named', ask: '?nope=1', fails: { status: 400, parameter: 'nope' } },
      ])
    })

    it('that has no entry yet is 404', async () => {
      refused(await api.get('/about'), { status: 404, name: 'NotFoundError', message: 'Not Found' })
    })

    it('has no list and no ids', async () => {
      for (const path of ['/homepages', '/homepage/1', '/abouts'])
        refused(await api.get(path), { status: 404, name: 'NotFoundError' })
    })

    it('answers GET, HEAD, PUT and DELETE, and says so', async () => {
      const { status, headers } = await api.send('POST', '/homepage', { data: {} })
      assert.equal(status, 405)
      assert.equal(headers.allow, 'HEAD, GET, PUT, DELETE')
    })
  },
)
