import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { Highlighter } from '../../core/query/search/highlight.js'
import { readSearchTerms } from '../../core/query/search/terms.js'

/** The text with what is marked in brackets, which no text here has. */
const shownOf = (parts: readonly string[] | undefined) =>
  parts?.map((part, place) => (place % 2 === 1 ? `[${part}]` : part)).join('')
const marked = (asked: string, text: string) => shownOf(new Highlighter(readSearchTerms(asked, ['_q'])).mark(text))

const cases: readonly (readonly [says: string, asked: string, text: string, gives: string | undefined])[] = [
  ['a word', 'bread', 'Sour bread waits', 'Sour [bread] waits'],
  ['each time it is there', 'bread', 'bread, bread', '[bread], [bread]'],
  ['whatever the letter case and accents', 'creme', 'Crème, CRE\u0300ME', '[Crème], [CRE\u0300ME]'],
  ['Greek at the end of a word', 'οδός', 'ΟΔΟΣ', '[ΟΔΟΣ]'],
  ['no part of a word', 'read', 'bread', undefined],
  ['a beginning', 'brea* 4*', 'breadth 42 abread', '[breadth] [42] abread'],
  ['words of a phrase that stand so', '"sour bread"', 'bread sour bread sour', 'bread [sour] [bread] sour'],
  ['across signs', '"e mail"', 'an e-mail', 'an [e]-[mail]'],
  ['no phrase that breaks off', '"a b c"', 'a b a b', undefined],
  ['a phrase that begins within another one', '"a b c" "b d"', 'a b d', 'a [b] [d]'],
  ['a phrase around a shorter one', '"b c" "a b c d"', 'a b c d', '[a] [b] [c] [d]'],
  ['a phrase of one word again and again', '"a a"', 'a b a a a', 'a b [a] [a] [a]'],
  ['nothing of what is left out', 'bread -rye', 'rye bread', 'rye [bread]'],
  ['markup stays text', 'bread b', '<b>bread</b>&amp;', '<[b]>[bread]</[b]>&amp;'],
  ['no word that engines do not index', 'a*', `a ${'a'.repeat(81)}`, `[a] ${'a'.repeat(81)}`],
]

const filler = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ')

describe('the marks in a text', () => {
  for (const [says, asked, text, gives] of cases) it(says, () => assert.equal(marked(asked, text), gives))

  it('of a long text are shown where most of the words are', () => {
    const text = `${filler(80)} sour ${filler(80)} sour and bread ${filler(80)}`
    const shown = marked('sour bread', text) as string
    assert.match(shown, /^… w\d+ .* \[sour\] and \[bread\] .* w\d+ …$/)
    assert.ok(shown.length < 260, shown)
  })

  it('of a long text stand at its beginning and at its end', () => {
    assert.match(marked('bread', `bread ${filler(100)}`) as string, /^\[bread\] w0 .* …$/)
    assert.match(marked('bread', `${filler(100)} bread`) as string, /^… w\d+ .* w99 \[bread\]$/)
  })

  it('do not cut characters', () => {
    for (let length = 300; length < 304; length += 1) {
      const text = `${'😀'.repeat(length)}${' '.repeat(length % 2)}bread${'😀'.repeat(length)}`
      assert.doesNotThrow(() => encodeURIComponent(marked('bread', text) as string))
    }
  })

  it('are the text again where it is short, and a part of it where it is long', () => {
    const word = fc.constantFrom('a', 'b', 'Bread', 'bréad', '<b>', '"', '-', '\n', '😀', 'x'.repeat(100))
    const terms = fc.array(fc.constantFrom('a', 'bread', 'brea*', '"a b"', '"b a b"', '-x'), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 120 }), terms, (words, [first, ...more]) => {
        const text = words.join(' ')
        const asked = [first?.startsWith('-') ? 'a' : first, ...more].join(' ')
        const parts = new Highlighter(readSearchTerms(asked, ['_q'])).mark(text)
        if (!parts) return
        assert.equal(parts.length % 2, 1)
        assert.ok(parts.length > 1)
        const whole = parts.join('')
        assert.ok(text.includes(whole.replace(/^… /, '').replace(/ …$/, '')), whole)
        if (text.length <= 240) assert.equal(whole, text)
        assert.ok(whole.length <= 250, whole)
      }),
    )
  })

  it('are found in a text of any length, however many terms there are', () => {
    const phrase = `"${'a '.repeat(400)}b"`
    assert.equal(marked(phrase, 'a '.repeat(200_000)), undefined)
    const terms = Array.from({ length: 300 }, (_, n) => `${n}*`).join(' ')
    assert.match(marked(terms, `${'x '.repeat(40_000)} 17`) as string, /\[17\]$/)
    assert.equal(marked('bread', `${'x '.repeat(60_000)} bread`), undefined)
  })
})
