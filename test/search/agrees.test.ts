import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { type Body, contract, q, sorted } from './support.js'

/** Words that differ by letter case and accents alone, that begin alike, and that are short or common. */
const forms = [
  'a',
  'A',
  'the',
  'bread',
  'Bread',
  'BRÉAD',
  'bre\u0301ad',
  'brea',
  'breadth',
  'é',
  'Zoë',
  'zoe',
  'x1',
  'x',
  'ΟΔΟΣ',
  'οδός',
  'ёлка',
  '42',
]
const between = [' ', ', ', ' — ', '-', "'", '. ', '\n', ' „', '“ ', '_', ' * ', '/', '\u00a0']

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')

const word = fc.constantFrom(...forms)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(...between)), { maxLength: 8 })
  .map(parts => ({ text: parts.flat().join(''), words: parts.map(([one]) => fold(one)) }))
const row = fc.record({ title: fc.option(text), body: fc.option(text) })

const term = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
  isPrefix: fc.boolean(),
  isExcluded: fc.boolean(),
})
type Term = { words: string[]; isPrefix: boolean; isExcluded: boolean }
const asked = fc.array(term, { minLength: 1, maxLength: 4 }).map(terms =>
  terms.map((one, place): Term => {
    const words = one.isPrefix ? one.words.slice(0, 1) : one.words
    return { ...one, words, isExcluded: place > 0 && one.isExcluded }
  }),
)

const sent = ({ words, isPrefix, isExcluded }: Term) =>
  `${isExcluded ? '-' : ''}${isPrefix ? `${words[0]}*` : words.length > 1 ? `"${words.join(' ')}"` : words[0]}`

type Row = { title: { words: string[] } | null; body: { words: string[] } | null }
function has({ title, body }: Row, { words, isPrefix }: Term): boolean {
  const wanted = words.map(fold)
  return [title?.words ?? [], body?.words ?? []].some(list =>
    list.some((_, at) =>
      wanted.every((one, step) => (isPrefix ? list[at + step]?.startsWith(one) : list[at + step] === one)),
    ),
  )
}

/** The words that a look at every text marks, folded, by entry and attribute. */
function markedBy(terms: readonly Term[], ids: readonly number[]): unknown {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  return Object.fromEntries(
    ids.map(id => {
      const marked = (['title', 'body'] as const).flatMap(name => {
        const list = rows[id - 1]?.[name]?.words ?? []
        const at = new Set(wanted.flatMap(one => placesOf(list, one)))
        return at.size > 0 ? [[name, list.filter((_, place) => at.has(place))]] : []
      })
      return [id, Object.fromEntries(marked)]
    }),
  )
}

const placesOf = (list: readonly string[], { words, isPrefix }: Term): number[] =>
  list.flatMap((_, at) =>
    words.every((one, step) => (isPrefix ? list[at + step]?.startsWith(fold(one)) : list[at + step] === fold(one)))
      ? words.map((_, step) => at + step)
      : [],
  )

/** The same of a response. Short texts are shown as a whole. */
const markedIn = ({ meta }: Body): unknown =>
  Object.fromEntries(
    Object.entries(meta.search.highlights as Record<string, Record<string, string[]>>).map(([id, fields]) => {
      const folded = ([name, parts]: [string, string[]]) => [name, parts.filter((_, at) => at % 2 === 1).map(fold)]
      return [id, Object.fromEntries(Object.entries(fields).map(folded))]
    }),
  )

const rows = fc.sample(row, { seed: 7, numRuns: 60 })
const questions = fc.sample(asked, { seed: 8, numRuns: 150 })

contract(
  'an indexed search of generated texts',
  {
    types: { note: { attributes: { title: { type: 'string' }, body: { type: 'text' } }, search: ['title^3', 'body'] } },
    rows: async ({ entries }) => {
      for (const { title, body } of rows)
        await entries('api::note.note').create({ title: title?.text ?? null, body: body?.text ?? null })
    },
  },
  api => {
    it('finds what a look at every text finds', async () => {
      let found = 0
      for (const terms of questions) {
        const sentText = terms.map(sent).join(' ')
        const expected = rows.flatMap((one, index) =>
          terms.every(each => has(one, each) !== each.isExcluded) ? [index + 1] : [],
        )
        const { body } = await api.get(`/notes${q(sentText)}&pagination[limit]=100&fields[0]=id&highlight=*`)
        assert.equal(sorted(body), expected.map(String).sort().join(), sentText)
        assert.deepEqual(markedIn(body), markedBy(terms, expected), sentText)
        found += expected.length
      }
      assert.ok(found > 300, String(found))
    })
  },
)
