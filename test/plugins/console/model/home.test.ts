import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { countUrl, firstEntries, homeRequests, mostTypes, numberIn } from '../../../../plugins/console/model/home.js'
import { restOf } from '../../../../plugins/console/model/list/rest.js'
import type { Meta, OperatorInfo, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { field, page, pureKinds, relation } from './pure.js'

const equals: OperatorInfo = { name: '$eq', describe: '$eq', takes: 'one', families: ['text', 'order', 'equality'] }
const attributes = [
  field('title', 'string'),
  field('updatedAt', 'datetime', { family: 'order' }),
  field('publishedAt', 'datetime', { family: 'order' }),
  field('publishAt', 'datetime', { family: 'order' }),
  relation('createdBy', 'manyToOne'),
  relation('updatedBy', 'manyToOne'),
]

function home(count: number, changed: Partial<TypeMeta> = {}) {
  const kinds = pureKinds(attributes, {})
  const known = kinds.type(page) as TypeMeta
  const settings = { ...known.layout.settings, mainField: 'title', defaultSortBy: 'title' }
  const type = { ...known, layout: { ...known.layout, settings }, ...changed }
  const meta = {
    app: { api: '/console/api' },
    account: { id: 7 },
    operators: [equals],
    dialect: kinds.dialect,
    limits: { maxLimit: 100, pageSizes: [25] },
  } as unknown as Meta
  const types = Array.from({ length: count }, (_, at) => ({ ...type, uid: `api::t${at}.t${at}` }))
  return { meta, type, requests: homeRequests(meta, kinds, types) }
}

const options = home(0).type.options
const drafts = { ...options, drafts: true, scheduling: true, localized: false }

describe('the requests of the start page', () => {
  it('are one for each list that a type can have, with five entries and the address of all of them', () => {
    const { requests } = home(1, { options: drafts })
    assert.deepEqual(
      requests.map(({ list, search }) => [list, search]),
      [
        ['changed', 'filters=updatedBy:eq:7&sort=-updatedAt'],
        ['drafts', 'state=draft&filters=createdBy:eq:7&sort=-updatedAt'],
        ['waiting', 'state=scheduled&sort=publishAt'],
      ],
    )
    for (const { url } of requests) assert.match(decodeURIComponent(url), /pagination\[limit\]=5/)
    assert.match(decodeURIComponent(requests[0]?.url ?? ''), /filters\[updatedBy\]\[id\]\[\$eq\]=7/)
  })

  it('are bounded with as many types as there may be', () =>
    assert.equal(home(60, { options: drafts }).requests.length, mostTypes * 3))

  it('leave out what a type does not have', () => {
    const lists = (changed: Partial<TypeMeta>) => home(1, changed).requests.map(({ list }) => list)
    assert.deepEqual(lists({ options: { ...drafts, drafts: false } }), ['changed'])
    assert.deepEqual(lists({ options: { ...drafts, scheduling: false } }), ['changed', 'drafts'])
    assert.deepEqual(lists({ kind: 'singleType' }), [])
    assert.deepEqual(lists({ options: drafts, attributes: attributes.slice(0, 4) }), ['waiting'])
  })

  it('count by aggregates where the type has them', () => {
    const { meta, type } = home(0, { options: drafts })
    const url = (one: Partial<TypeMeta['options']>) =>
      decodeURIComponent(countUrl(meta, { ...type, options: { ...drafts, ...one } }))
    assert.match(url({ aggregate: true }), /\/aggregate\?measures\[count\]=\*&publicationState=preview$/)
    assert.match(url({ aggregate: false, localized: true }), /locale=all&pagination\[withCount\]=true/)
    assert.equal(numberIn({ data: [{ group: {}, count: { '*': 12 } }] }), 12)
    assert.equal(numberIn({ data: [], meta: { pagination: { total: 3 } } }), 3)
    assert.equal(numberIn(5), 5)
  })
})

describe('the lists of the start page', () => {
  const { type } = home(0)
  const paged = (...times: readonly (readonly [number, string])[]) => ({
    type,
    page: { rows: times.map(([id, time]) => ({ id, values: { updatedAt: time, publishAt: time } })) },
  })
  const pages = [paged([1, '2026-05'], [2, '2026-02'], [3, '2026-01']), paged([4, '2026-04'], [5, '2026-03'], [6, ''])]
  it('have the entries of all types that were changed last, or are published next', () => {
    assert.deepEqual(
      firstEntries('changed', pages).map(({ id }) => id),
      [1, 4, 5, 2, 3],
    )
    assert.deepEqual(
      firstEntries('waiting', pages).map(({ id }) => id),
      [6, 3, 2, 5, 4],
    )
  })
})

describe('the rest of the time of long work', () => {
  const cases = [
    { says: 'is not told in the first five seconds', since: 4999, done: 10, gives: undefined },
    { says: 'is not told before anything is done', since: 9000, done: 0, gives: undefined },
    { says: 'follows from what is done', since: 10_000, done: 25, gives: 30 },
    { says: 'is none at the end', since: 10_000, done: 100, gives: undefined },
  ]
  for (const { says, since, done, gives } of cases)
    it(says, () => assert.equal(restOf({ since, done, total: 100 }), gives))
})
