import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { instantOf, localOf } from '../../../../plugins/console/model/local-time.js'
import { type Mark, marked } from '../../../../plugins/console/model/markdown/marks.js'

/** A text with its selection between brackets. */
function edited(text: string, mark: Mark): string {
  const [start, end] = [text.indexOf('<'), text.indexOf('>') - 1]
  const plain = text.replace(/[<>]/g, '')
  const { from, to, text: by, select } = marked(plain, start, end, mark)
  const result = plain.slice(0, from) + by + plain.slice(to)
  return `${result.slice(0, select[0])}<${result.slice(...select)}>${result.slice(select[1])}`
}

describe('the marks of Markdown', () => {
  const cases: { text: string; mark: Mark; is: string }[] = [
    { text: 'a <word> b', mark: 'bold', is: 'a **<word>** b' },
    { text: 'a **<word>** b', mark: 'bold', is: 'a <word> b' },
    { text: 'a <> b', mark: 'italic', is: 'a _<>_ b' },
    { text: '<site>', mark: 'link', is: '[<site>](https://)' },
    { text: 'one\nt<w>o\nthree', mark: 'heading', is: 'one\n<## two>\nthree' },
    { text: '## t<w>o', mark: 'heading', is: '<two>' },
    { text: 'o<ne\ntw>o', mark: 'numbers', is: '<1. one\n2. two>' },
    { text: '<1. one\n2. two>', mark: 'numbers', is: '<one\ntwo>' },
  ]
  for (const { text, mark, is } of cases)
    it(`make ${JSON.stringify(is)} of ${JSON.stringify(text)}`, () => assert.equal(edited(text, mark), is))
})

describe('times in the zone of the browser', () => {
  it('are shown and read to the millisecond, and only as far as they have some', () => {
    const local = (text: string) => new Date(text).toISOString()
    assert.equal(instantOf(localOf(local('2026-05-10T12:30:15.250'))), local('2026-05-10T12:30:15.250'))
    assert.equal(localOf(local('2026-05-10T12:30:15.250')), '2026-05-10T12:30:15.250')
    assert.equal(localOf(local('2026-05-10T12:30:15')), '2026-05-10T12:30:15')
    assert.equal(localOf(local('2026-05-10T12:30')), '2026-05-10T12:30')
  })

  it('stay as they are where they are none', () => {
    assert.deepEqual([localOf(''), localOf('soon'), instantOf(''), instantOf('soon')], ['', '', '', 'soon'])
  })
})
