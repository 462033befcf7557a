import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { type Body, contract, reads } from '../support/contract.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

const thirty = async ({ entries }: TestApp) => {
  for (const name of ['a', 'b']) await entries('api::tag.tag').create({ name })
  for (let n = 1; n <= 30; n += 1)
    await entries('api::article.article').create({ title: n % 2 ? 'odd' : 'even', tags: n % 3 ? [1, 2] : [] })
}

/** The number of entries, the id of the first, and the response's pagination. */
const page = ({ data, meta }: Body) => ({ entries: data.length, first: data[0]?.id, ...meta.pagination })

contract('pagination', { types, rows: thirty }, api => {
  describe('by page', () => {
    reads(api, '/articles', page, [
      {
        says: 'the first 25 when nothing is asked',
        ask: '',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25, pageCount: 2, total: 30 },
        statements: 2,
      },
      {
        says: 'the second page',
        ask: '?pagination[page]=2',
        gives: { entries: 5, first: 26, page: 2, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'the size of a page',
        ask: '?pagination[pageSize]=7&pagination[page]=3',
        gives: { entries: 7, first: 15, page: 3, pageSize: 7, pageCount: 5, total: 30 },
      },
      {
        says: 'the last page holds the rest',
        ask: '?pagination[pageSize]=7&pagination[page]=5',
        gives: { entries: 2, first: 29, page: 5, pageSize: 7, pageCount: 5, total: 30 },
      },
      {
        says: 'nothing past the end, and the totals are right',
        ask: '?pagination[page]=9',
        gives: { entries: 0, first: undefined, page: 9, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'nothing very far past the end',
        ask: '?pagination[page]=900000000&pagination[pageSize]=100',
        gives: { entries: 0, first: undefined, page: 900000000, pageSize: 100, pageCount: 1, total: 30 },
      },
      {
        says: 'the largest page is 100, and the answer says so',
        ask: '?pagination[pageSize]=5000',
        gives: { entries: 30, first: 1, page: 1, pageSize: 100, pageCount: 1, total: 30 },
      },
      {
        says: 'without totals when they are not wanted',
        ask: '?pagination[withCount]=false',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25 },
        statements: 1,
      },
      {
        says: 'the total counts what the filters let through',
        ask: '?filters[title]=odd&pagination[pageSize]=4',
        gives: { entries: 4, first: 1, page: 1, pageSize: 4, pageCount: 4, total: 15 },
      },
      {
        says: 'an entry with two matching relations counts once',
        ask: '?filters[tags][name][$in][0]=a&filters[tags][name][$in][1]=b&pagination[pageSize]=6',
        gives: { entries: 6, first: 1, page: 1, pageSize: 6, pageCount: 4, total: 20 },
      },
      {
        says: 'no page at all of nothing',
        ask: '?filters[title]=none',
        gives: { entries: 0, first: undefined, page: 1, pageSize: 25, pageCount: 0, total: 0 },
      },
    ])
  })

  describe('by offset', () => {
    reads(api, '/articles', page, [
      {
        says: 'from a start, so many',
        ask: '?pagination[start]=3&pagination[limit]=5',
        gives: { entries: 5, first: 4, start: 3, limit: 5, total: 30 },
      },
      {
        says: 'a start alone takes the default limit',
        ask: '?pagination[start]=2',
        gives: { entries: 25, first: 3, start: 2, limit: 25, total: 30 },
      },
      {
        says: 'a limit alone starts at the beginning',
        ask: '?pagination[limit]=2',
        gives: { entries: 2, first: 1, start: 0, limit: 2, total: 30 },
      },
      {
        says: 'a start needs not be a multiple of the limit',
        ask: '?pagination[start]=28&pagination[limit]=5',
        gives: { entries: 2, first: 29, start: 28, limit: 5, total: 30 },
      },
      {
        says: 'nothing past the end',
        ask: '?pagination[start]=30',
        gives: { entries: 0, first: undefined, start: 30, limit: 25, total: 30 },
      },
      {
        says: '-1 asks for as many as there may be',
        ask: '?pagination[limit]=-1',
        gives: { entries: 30, first: 1, start: 0, limit: 100, total: 30 },
      },
      {
        says: 'beyond the maximum gives the maximum',
        ask: '?pagination[limit]=101',
        gives: { entries: 30, first: 1, start: 0, limit: 100, total: 30 },
      },
      {
        says: 'without the total when it is not wanted',
        ask: '?pagination[start]=0&pagination[withCount]=0',
        gives: { entries: 25, first: 1, start: 0, limit: 25 },
        statements: 1,
      },
    ])
  })

  describe('withCount', () => {
    const counted = ({ meta }: Body) => 'total' in meta.pagination
    reads(api, '/articles', counted, [
      ...['true', 't', '1'].map(word => ({ says: 'yes', ask: `?pagination[withCount]=${word}`, gives: true })),
      ...['false', 'f', '0'].map(word => ({ says: 'no', ask: `?pagination[withCount]=${word}`, gives: false })),
    ])
    reads(
      api,
      '/articles',
      counted,
      ['yes', 'TRUE', '2', ''].map(word => ({
        says: 'anything else is refused',
        ask: `?pagination[withCount]=${word}`,
        fails: {
          status: 400,
          name: 'ValidationError',
          parameter: 'pagination[withCount]',
          message: 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
        },
      })),
    )
  })

  describe('names what is wrong', () => {
    const mixed = {
      status: 400,
      name: 'ValidationError',
      message: 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
    }
    reads(api, '/articles', page, [
      { says: 'page and start', ask: '?pagination[page]=1&pagination[start]=0', fails: mixed },
      { says: 'page and limit', ask: '?pagination[page]=1&pagination[limit]=5', fails: mixed },
      { says: 'pageSize and start', ask: '?pagination[pageSize]=1&pagination[start]=0', fails: mixed },
      { says: 'pageSize and limit', ask: '?pagination[pageSize]=1&pagination[limit]=5', fails: mixed },
      ...['page', 'pageSize', 'start', 'limit'].flatMap(key => [
        ...['abc', '1.5', '2abc', '1e2', '%20', 'NaN'].map(value => ({
          says: 'not an integer',
          ask: `?pagination[${key}]=${value}`,
          fails: { status: 400, parameter: `pagination[${key}]`, message: /is not an integer/ },
        })),
        { says: 'nothing', ask: `?pagination[${key}]=`, fails: { status: 400, parameter: `pagination[${key}]` } },
        {
          says: 'too small',
          ask: `?pagination[${key}]=-2`,
          fails: { status: 400, parameter: `pagination[${key}]`, message: /"-2" is too small/ },
        },
        {
          says: 'a list is no integer',
          ask: `?pagination[${key}]=1&pagination[${key}]=2`,
          fails: { status: 400, parameter: `pagination[${key}]` },
        },
        {
          says: 'at the top level',
          ask: `?${key}=2`,
          fails: { status: 400, parameter: key, message: `${key}: is written as pagination[${key}]` },
        },
      ]),
      ...['page', 'pageSize', 'limit'].map(key => ({
        says: 'none',
        ask: `?pagination[${key}]=0`,
        fails: { status: 400, parameter: `pagination[${key}]`, message: /"0" is too small; .*an integer from 1/ },
      })),
      {
        says: 'no entry before the first',
        ask: '?pagination[start]=-1',
        fails: { status: 400, parameter: 'pagination[start]', message: /an integer from 0/ },
      },
      ...['page', 'pageSize'].map(key => ({
        says: '-1 is no page',
        ask: `?pagination[${key}]=-1`,
        fails: { status: 400, parameter: `pagination[${key}]` },
      })),
      {
        says: 'an unknown key',
        ask: '?pagination[size]=3',
        fails: { status: 400, parameter: 'pagination[size]', message: /page, pageSize, start, limit, withCount/ },
      },
      { says: 'no key at all', ask: '?pagination=5', fails: { status: 400, parameter: 'pagination' } },
    ])
  })

  it('every entry is on exactly one page', async () => {
    const seen: number[] = []
    for (let number = 1; number <= 8; number += 1) {
      const { body } = await api.get(`/articles?sort=title&pagination[pageSize]=4&pagination[page]=${number}`)
      seen.push(...body.data.map((entry: Body) => entry.id))
    }
    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      [...Array(30).keys()].map(n => n + 1),
    )
  })

  it('one entry and a write have no page: the parameter has no effect there', async () => {
    const { status, body } = await api.get('/articles/1?pagination[page]=2')
    assert.equal(status, 200)
    assert.deepEqual(body.meta, {})
  })
})

contract(
  'pagination with settings of its own',
  { types, rest: { defaultLimit: 4, maxLimit: 10, withCount: false }, rows: thirty },
  api => {
    reads(api, '/articles', page, [
      { says: 'the default limit is the default page', ask: '', gives: { entries: 4, first: 1, page: 1, pageSize: 4 } },
      {
        says: 'and the default of an offset',
        ask: '?pagination[start]=1',
        gives: { entries: 4, first: 2, start: 1, limit: 4 },
      },
      {
        says: 'the maximum caps a limit',
        ask: '?pagination[limit]=11',
        gives: { entries: 10, first: 1, start: 0, limit: 10 },
      },
      { says: 'and a page', ask: '?pagination[pageSize]=11', gives: { entries: 10, first: 1, page: 1, pageSize: 10 } },
      { says: 'and everything', ask: '?pagination[limit]=-1', gives: { entries: 10, first: 1, start: 0, limit: 10 } },
      {
        says: 'the page follows the cap',
        ask: '?pagination[pageSize]=50&pagination[page]=2',
        gives: { entries: 10, first: 11, page: 2, pageSize: 10 },
      },
      {
        says: 'totals when they are asked for',
        ask: '?pagination[withCount]=true',
        gives: { entries: 4, first: 1, page: 1, pageSize: 4, pageCount: 8, total: 30 },
      },
    ])
  },
)

contract('pagination without a maximum', { types, rest: { maxLimit: null }, rows: thirty }, api => {
  reads(api, '/articles', page, [
    {
      says: 'a large limit is taken as it is',
      ask: '?pagination[limit]=5000',
      gives: { entries: 30, first: 1, start: 0, limit: 5000, total: 30 },
    },
    {
      says: 'a large page as well',
      ask: '?pagination[pageSize]=5000',
      gives: { entries: 30, first: 1, page: 1, pageSize: 5000, pageCount: 1, total: 30 },
    },
    {
      says: '-1 gives everything, and the limit is how many that were',
      ask: '?pagination[limit]=-1',
      gives: { entries: 30, first: 1, start: 0, limit: 30, total: 30 },
    },
    {
      says: '-1 from a start',
      ask: '?pagination[limit]=-1&pagination[start]=28',
      gives: { entries: 2, first: 29, start: 28, limit: 30, total: 30 },
    },
  ])
})

contract(
  'pagination next to populate, forbidden',
  { types, rest: { populateWithPagination: false }, rows: thirty },
  api => {
    reads(api, '/articles', page, [
      {
        says: 'the two together are refused',
        ask: '?populate=tags&pagination[page]=1',
        fails: { status: 400, parameter: 'pagination', message: /cannot be combined with populate/ },
      },
      {
        says: 'each alone is fine',
        ask: '?populate=tags',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'each alone is fine',
        ask: '?pagination[page]=2',
        gives: { entries: 5, first: 26, page: 2, pageSize: 25, pageCount: 2, total: 30 },
      },
    ])
  },
)

contract(
  'pages that are asked too small, where they are raised',
  { types, rest: { clampPages: true }, rows: thirty },
  api => {
    reads(api, '/articles', page, [
      {
        says: 'no page before the first',
        ask: '?pagination[page]=0',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'a negative page is the first',
        ask: '?pagination[page]=-3',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'an empty page is the first',
        ask: '?pagination[page]=',
        gives: { entries: 25, first: 1, page: 1, pageSize: 25, pageCount: 2, total: 30 },
      },
      {
        says: 'at least one entry on a page',
        ask: '?pagination[pageSize]=0',
        gives: { entries: 1, first: 1, page: 1, pageSize: 1, pageCount: 30, total: 30 },
      },
      {
        says: 'no negative size',
        ask: '?pagination[pageSize]=-1',
        gives: { entries: 1, first: 1, page: 1, pageSize: 1, pageCount: 30, total: 30 },
      },
      {
        says: 'no start before the first',
        ask: '?pagination[start]=-1',
        gives: { entries: 25, first: 1, start: 0, limit: 25, total: 30 },
      },
      {
        says: 'at least one entry',
        ask: '?pagination[limit]=0',
        gives: { entries: 1, first: 1, start: 0, limit: 1, total: 30 },
      },
      {
        says: 'an empty limit is the least',
        ask: '?pagination[limit]=',
        gives: { entries: 1, first: 1, start: 0, limit: 1, total: 30 },
      },
      {
        says: 'a limit below -1 is the least',
        ask: '?pagination[limit]=-2',
        gives: { entries: 1, first: 1, start: 0, limit: 1, total: 30 },
      },
    ])
  },
)
