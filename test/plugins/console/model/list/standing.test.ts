import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import {
  ChangeWrites,
  type EntryChange,
  type Standing,
  standingsIn,
} from '../../../../../plugins/console/model/list/standing.js'

const [monday, tuesday] = ['2020-01-06T09:00:00.000Z', '2020-01-07T09:00:00.000Z']
const change = (more: Partial<EntryChange> = {}): EntryChange => ({
  ...{ data: { kind: 'news' }, query: {}, added: {}, isShared: false },
  ...more,
})
const standing = (more: Partial<Standing> = {}): Standing => ({ updatedAt: monday, languages: [], files: {}, ...more })
const data = { kind: 'news' }

describe('writes of a change of many entries', () => {
  it('expect what was read, and are left out where the list has shown another state', () => {
    const writes = new ChangeWrites(
      change(),
      new Map([
        [1, monday],
        [2, monday],
      ]),
    )
    assert.deepEqual(writes.of(1, standing()), { data, ifMatch: monday })
    assert.equal(writes.of(2, standing({ updatedAt: tuesday })), undefined)
    assert.deepEqual(writes.of(3, standing({ updatedAt: tuesday })), { data, ifMatch: tuesday })
    assert.deepEqual(writes.of(1, standing({ updatedAt: undefined })), { data })
  })

  it('expect nothing of languages that have changed with another one', () => {
    const shown = new Map([
      [1, monday],
      [2, monday],
    ])
    const first = standing({ languages: [2] })
    const second = standing({ updatedAt: tuesday, languages: [1] })
    const shared = new ChangeWrites(change({ isShared: true }), shown)
    assert.deepEqual([shared.of(1, first), shared.of(2, second)], [{ data, ifMatch: monday }, { data }])
    const own = new ChangeWrites(change(), shown)
    assert.deepEqual([own.of(1, first), own.of(2, second)], [{ data, ifMatch: monday }, undefined])
  })

  it('add files behind those that an entry has, each once', () => {
    const writes = new ChangeWrites(change({ data: {}, added: { pictures: [7, 8] } }), new Map())
    const { data } = writes.of(1, standing({ files: { pictures: [8, 3] } })) ?? {}
    assert.deepEqual(data, { pictures: [8, 3, 7] })
    assert.deepEqual(writes.of(2, standing())?.data, { pictures: [7, 8] })
  })

  it('are read from responses of every shape', () => {
    const nested = {
      updatedAt: monday,
      localizations: { data: [{ id: 2, attributes: {} }] },
      pictures: { data: [{ id: 7, attributes: {} }] },
    }
    const flat = { id: 1, updatedAt: monday, localizations: [{ id: 2 }], pictures: [{ id: 7 }] }
    const known = { updatedAt: monday, languages: [2], files: { pictures: [7] } }
    for (const body of [{ data: [{ id: 1, attributes: nested }] }, { data: [flat] }, [flat]])
      assert.deepEqual([...standingsIn(body, ['pictures'])], [[1, known]])
    assert.deepEqual(
      [...standingsIn({ data: [{ id: 1, attributes: { pictures: { data: null } } }] }, ['pictures'])],
      [[1, { updatedAt: undefined, languages: [], files: { pictures: [] } }]],
    )
  })
})
