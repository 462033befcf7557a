import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { layoutChange, movedName } from '../../../../../plugins/console/model/layout/change.js'
import {
  movedCell,
  type Rows,
  resized,
  stepped,
  withCell,
  withoutCell,
} from '../../../../../plugins/console/model/layout/rows.js'
import type { Layout } from '../../../../../plugins/console/model/meta.js'
import { field } from '../pure.js'
import { layoutOf } from '../world.js'

/** Rows as a text: `a6 b6 | c12`. */
const text = (rows: Rows) => rows.map(cells => cells.map(({ name, size }) => `${name}${size}`).join(' ')).join(' | ')
const rows = (written: string): Rows =>
  written.split(' | ').map(row => row.split(' ').map(cell => ({ name: cell[0] ?? '', size: Number(cell.slice(1)) })))
const start = rows('a6 b6 | c4 d4 e4 | f12')

describe('the rows of a form', () => {
  it('give a wider field a place, and what has none left the next row', () => {
    assert.equal(text(resized(start, 'a', 8)), 'a8 | b6 | c4 d4 e4 | f12')
    assert.equal(text(resized(start, 'c', 5)), 'a6 b6 | c5 d4 | e4 | f12')
    assert.equal(text(resized(start, 'f', 3)), 'a6 b6 | c4 d4 e4 | f3')
  })

  it('take a field out, and in at their end', () => {
    assert.equal(text(withoutCell(start, 'f')), 'a6 b6 | c4 d4 e4')
    assert.equal(text(withCell(start, { name: 'g', size: 6 })), 'a6 b6 | c4 d4 e4 | f12 | g6')
    assert.equal(text(withCell(rows('a6'), { name: 'g', size: 6 })), 'a6 g6')
    assert.equal(text(withCell([], { name: 'g', size: 6 })), 'g6')
  })

  it('have a field at another place, in a row or in one of its own', () => {
    assert.equal(text(movedCell(start, 'f', { row: 0 })), 'f12 | a6 b6 | c4 d4 e4')
    assert.equal(text(movedCell(start, 'c', { row: 1, at: 3 })), 'a6 b6 | d4 e4 c4 | f12')
    assert.equal(text(movedCell(start, 'e', { row: 1, at: 0 })), 'a6 b6 | e4 c4 d4 | f12')
    assert.equal(
      text(movedCell(start, 'a', { row: 1, at: 0 })),
      'b6 | a6 c4 | d4 e4 | f12'.replace(' | d4 e4', ' | d4 e4'),
    )
    assert.equal(text(movedCell(start, 'f', { row: 3 })), text(start))
    assert.equal(text(movedCell(start, 'x', { row: 0 })), text(start))
  })

  it('let keys bring a field everywhere', () => {
    assert.equal(text(stepped(start, 'b', 'before')), 'b6 a6 | c4 d4 e4 | f12')
    assert.equal(text(stepped(start, 'a', 'before')), 'a6 | b6 | c4 d4 e4 | f12')
    assert.equal(text(stepped(start, 'b', 'after')), 'a6 | b6 | c4 d4 e4 | f12')
    assert.equal(text(stepped(rows('a6 | b6 | f12'), 'b', 'before')), 'a6 b6 | f12')
    assert.equal(text(stepped(start, 'f', 'after')), text(start))
    for (const way of ['before', 'after'] as const) {
      const seen = new Set<string>()
      for (let now: Rows = start, step = 0; step < 20; step += 1) {
        now = stepped(now, 'd', way)
        const at = now.findIndex(cells => cells.some(({ name }) => name === 'd'))
        seen.add(`${at}`)
        assert.ok(now.every(cells => cells.reduce((sum, { size }) => sum + size, 0) <= 12))
        assert.equal(now.flat().length, 6)
      }
      assert.ok(seen.has(way === 'before' ? '0' : '3') || seen.has('4'), [...seen].join())
    }
  })
})

describe('the change of a layout', () => {
  const layout: Layout = layoutOf([field('title', 'string'), field('text', 'text')])

  it('has what differs alone', () => {
    assert.equal(layoutChange(layout, structuredClone(layout)), undefined)
    const { title, text: other } = layout.fields
    assert.ok(title && other)
    const now: Layout = {
      ...layout,
      settings: { ...layout.settings, pageSize: 99 },
      list: ['text'],
      fields: { ...layout.fields, title: { ...title, label: 'Headline' } },
    }
    assert.deepEqual(layoutChange(layout, now), {
      settings: { pageSize: 99 },
      list: ['text'],
      fields: { title: { label: 'Headline' } },
    })
    assert.deepEqual(layoutChange(layout, { ...layout, edit: [] }), { edit: [] })
  })

  it('moves a name of a list', () => {
    assert.deepEqual(movedName(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
    assert.deepEqual(movedName(['a', 'b'], 5, 0), ['a', 'b'])
  })
})
