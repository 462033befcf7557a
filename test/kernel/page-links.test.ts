import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { pageLinks } from '../../core/content/format.js'

describe('the addresses of the pages beside a list', () => {
  const page = { form: 'page', start: 20, limit: 10, withCount: true } as const
  const offset = { form: 'offset', start: 5, limit: 10, withCount: true } as const
  const linksOf = (text: string, asked: Parameters<typeof pageLinks>[0]['page'], total?: number, count = 10) =>
    pageLinks({ text, page: asked, pagination: total === undefined ? {} : { total }, count })

  it('replace the page, in whatever form it was sent', () => {
    for (const text of [
      'sort=a&pagination[page]=3&pagination[pageSize]=10',
      'sort=a&pagination%5Bpage%5D=3&pagination[pageSize]=10',
      `sort=a&pagination=${encodeURIComponent('{"page":3,"pageSize":10}')}`,
    ])
      assert.equal(linksOf(text, page, 35).next, '?sort=a&pagination[pageSize]=10&pagination[page]=4')
  })
  it('are absent where there is no such page', () => {
    assert.deepEqual(Object.keys(linksOf('', { ...page, start: 0 }, 5)), ['self', 'first', 'last'])
    assert.deepEqual(Object.keys(linksOf('', page, 21)), ['self', 'first', 'previous', 'last'])
  })
  it('end with the last page, also where nothing is found, or pages begin between others', () => {
    assert.equal(linksOf('', page, 35).last, '?pagination[page]=4')
    assert.equal(linksOf('', page, 40).last, '?pagination[page]=4')
    assert.equal(linksOf('', { ...page, start: 0 }, 0).last, '?pagination[page]=1')
    assert.equal(linksOf('', offset, 26).last, '?pagination[start]=25')
    assert.equal(linksOf('', offset, 25).last, '?pagination[start]=15')
  })
  it('know no last page without a total, and a next one where this one is full', () => {
    assert.deepEqual(Object.keys(linksOf('', page)), ['self', 'first', 'previous', 'next'])
    assert.equal(linksOf('', page, undefined, 9).next, undefined)
  })
  it('are none where everything is one page', () => {
    assert.deepEqual(linksOf('a=b', { ...offset, limit: null }), { self: '?a=b' })
  })
  it('encode cursors', () => {
    const asked = { form: 'cursor', start: 0, limit: 2, withCount: false } as const
    const pagination = { next: 'a+b', previous: null }
    assert.deepEqual(pageLinks({ text: 'pagination[after]=x', page: asked, pagination, count: 2 }), {
      ...{ self: '?pagination[after]=x', first: '?pagination[after]=', next: '?pagination[after]=a%2Bb' },
    })
  })
})
