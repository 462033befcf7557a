import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { columnsOf, languagesColumn, stateColumn } from '../../../../../plugins/console/model/list/columns.js'
import { exportEntries, mostExported, type Part } from '../../../../../plugins/console/model/list/export.js'
import { type ExportFormat, ExportText } from '../../../../../plugins/console/model/list/export-text.js'
import type { PageOfRows, Row } from '../../../../../plugins/console/model/list/page.js'
import {
  allChosen,
  choose,
  nothingChosen,
  type Selection,
} from '../../../../../plugins/console/model/list/selection.js'
import type { TypeMeta } from '../../../../../plugins/console/model/meta.js'
import { component, field, files, page, pureKinds, relation } from '../pure.js'

const attributes = [
  field('title', 'string'),
  field('rating', 'decimal', { family: 'order' }),
  field('isOpen', 'boolean'),
  relation('tags', 'manyToMany'),
  relation('owner', 'manyToOne'),
  files('covers', true),
  component('seo', 'shared.seo'),
]
const kinds = pureKinds(attributes, { 'shared.seo': [field('title', 'string')] })
const known = kinds.type(page) as TypeMeta
const type: TypeMeta = {
  ...known,
  layout: { ...known.layout, settings: { ...known.layout.settings, mainField: 'title' } },
  options: { ...known.options, localized: true },
}

function textOf(format: ExportFormat, rows: readonly Row[], names: readonly string[]): string {
  const columns = columnsOf(kinds, type, names).map(column => ({ column, label: column.name.toUpperCase() }))
  const text = new ExportText(kinds, type, columns, format)
  return text.start + rows.map(row => text.rows([row])).join('') + text.end
}

const row = (id: number, values: Row['values']): Row => ({ id, values })
const linesOf = (rows: readonly Row[], names: readonly string[]) =>
  textOf('csv', rows, names).replace('\ufeff', '').trimEnd().split('\r\n')

describe('a file of entries', () => {
  const whole = row(1, {
    ...{ title: 'Bread, "slow"', rating: -4.5, isOpen: false, publishedAt: null, locale: 'de' },
    tags: [
      { id: 7, name: 'rye' },
      { id: 8, name: 'oat' },
    ],
    owner: { id: 9, name: '' },
    covers: [{ id: 3, name: 'a.jpg', url: '/uploads/a.jpg' }],
    seo: { id: 5, title: 'Slow' },
    localizations: [{ id: 2, locale: 'en' }],
  })
  const names = ['title', 'rating', 'isOpen', 'tags', 'owner', 'covers', 'seo', stateColumn, languagesColumn]

  it('has a line for each in CSV, with what leads elsewhere as text', () => {
    assert.ok(textOf('csv', [], ['title']).startsWith('\ufeffTITLE\r\n'))
    assert.deepEqual(linesOf([whole, row(2, {})], names).slice(1), [
      '"Bread, ""slow""",-4.5,false,"rye, oat",#9,/uploads/a.jpg,"{""id"":5,""title"":""Slow""}",draft,"de, en"',
      ',,,,,,,draft,',
    ])
  })

  it('has values as they are in JSON', () => {
    assert.deepEqual(JSON.parse(textOf('json', [whole, row(2, {})], names)), [
      {
        ...{ title: 'Bread, "slow"', rating: -4.5, isOpen: false },
        tags: [
          { id: 7, title: 'rye' },
          { id: 8, title: 'oat' },
        ],
        owner: { id: 9, title: '#9' },
        covers: [{ id: 3, name: 'a.jpg', url: '/uploads/a.jpg' }],
        seo: { id: 5, title: 'Slow' },
        [stateColumn]: 'draft',
        [languagesColumn]: ['de', 'en'],
      },
      {
        ...{ title: null, rating: null, isOpen: null, tags: [], owner: null, covers: [], seo: null },
        ...{ [stateColumn]: 'draft', [languagesColumn]: [] },
      },
    ])
    assert.deepEqual(JSON.parse(textOf('json', [], ['title'])), [])
  })

  it('runs nothing in a spreadsheet, and leaves numbers as they are', () => {
    const texts = ['=1+1', '+1', '-2.5', '-2+3', '@SUM(A1)', '\t=1', 'a=1', '＝1']
    assert.deepEqual(
      linesOf(
        texts.map((title, index) => row(index, { title })),
        ['title'],
      ).slice(1),
      ["'=1+1", '+1', '-2.5', "'-2+3", "'@SUM(A1)", '"\'\t=1"', 'a=1', "'＝1"],
    )
    const columns = columnsOf(kinds, type, ['title']).map(column => ({ column, label: '=1+1' }))
    assert.equal(new ExportText(kinds, type, columns, 'csv').start, "\ufeff'=1+1\r\n")
    const tags = [{ id: 1, name: '=HYPERLINK("http://x")' }]
    assert.deepEqual(linesOf([row(1, { tags })], ['tags']).slice(1), [`,"'=HYPERLINK(""http://x"")"`])
  })
})

interface Exported {
  readonly count: number
  readonly selection?: Selection
  readonly size?: number
  /** The entries that a request may have. */
  readonly most?: number
  readonly failsAt?: number
  readonly stopAt?: number
}

async function exported({ count, selection = allChosen, size = 10, most = size, failsAt, stopAt }: Exported) {
  const asked: Part[] = []
  const pieces: string[] = []
  const seen: number[] = []
  const columns = columnsOf(kinds, type, ['title']).map(column => ({ column, label: 'Title' }))
  const done = await exportEntries({
    ...{ selection, size, text: new ExportText(kinds, type, columns, 'csv') },
    read: part => {
      asked.push(part)
      if (part.size > most) return Promise.resolve('tooLarge')
      const { from } = part.place
      if (failsAt !== undefined && from >= failsAt) return Promise.resolve(undefined)
      const ids = part.ids ?? Array.from({ length: Math.min(part.size, count - from) }, (_, index) => from + index + 1)
      const isMore = from + ids.length < count
      const rows = ids.map(id => row(id, { title: `t${id}` }))
      const result: PageOfRows = { rows, ...(isMore && { next: { from: from + ids.length } }) }
      return Promise.resolve(result)
    },
    write: piece => pieces.push(piece),
    isStopped: () => stopAt !== undefined && seen.length >= stopAt,
    onProgress: number => seen.push(number),
  })
  return { done, asked, seen, titles: pieces.join('').replace('\ufeff', '').trimEnd().split('\r\n').slice(1) }
}

describe('the export of a list', () => {
  it('reads all that match part by part, without those that are not chosen', async () => {
    const { done, seen, titles } = await exported({ count: 23, selection: choose(allChosen, [2, 23], false) })
    assert.equal(done, 21)
    assert.deepEqual(seen, [9, 19, 21])
    assert.equal(titles.length, 21)
    assert.ok(!titles.includes('t2') && titles.includes('t22'))
  })

  it('reads chosen entries by their ids', async () => {
    const { done, asked } = await exported({ count: 99, selection: choose(nothingChosen, [5, 3, 40], true), size: 2 })
    assert.equal(done, 3)
    assert.deepEqual(
      asked.map(({ ids }) => ids),
      [[3, 5], [40]],
    )
  })

  it('reads fewer at once where the server refuses so many', async () => {
    const { done, asked } = await exported({ count: 5, size: 8, most: 2 })
    assert.equal(done, 5)
    assert.deepEqual(
      asked.map(({ size }) => size),
      [8, 4, 2, 2, 2],
    )
    assert.equal((await exported({ count: 5, size: 8, most: 0 })).done, undefined)
  })

  it('gives no file where it is stopped or fails', async () => {
    assert.equal((await exported({ count: 50, stopAt: 2 })).done, undefined)
    assert.equal((await exported({ count: 50, failsAt: 20 })).done, undefined)
  })

  it('ends after as many entries as a file may have', async () => {
    const { done, titles, asked } = await exported({ count: mostExported + 700, size: 1500 })
    assert.equal(done, mostExported)
    assert.equal(titles.length, mostExported)
    assert.equal(asked.length, Math.ceil(mostExported / 1500))
  })
})
