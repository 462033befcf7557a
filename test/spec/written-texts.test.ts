import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../support/contract.js'

const types = {
  note: {
    attributes: {
      title: { type: 'string' },
      about: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(name => [name, { type: 'string' }])),
      big: { type: 'float' },
    },
  },
}

/** Every character that has a meaning in JSON, each among letters, alone and twice, and what stands next to them in Unicode. */
const codes = [...Array(0x180).keys(), 0x2028, 0x2029, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff]
const texts = [
  '',
  ...codes.filter(code => code > 0).flatMap(code => [`a${String.fromCharCode(code)}b`]),
  '"',
  '\\',
  '\\"',
  '\u{1f600}',
  'x\u{10ffff}y\u{10000}',
  `${'long '.repeat(19)}"end"`,
  `${'long '.repeat(40)}\n`,
]
const numbers = [0, -0, 1.5, -2e-7, 1e21, 1.7976931348623157e308]

contract(
  'texts and numbers in responses',
  {
    types,
    rest: { maxLimit: 1000 },
    rows: async ({ entries }) => {
      const notes = entries('api::note.note')
      for (const [index, title] of texts.entries())
        await notes.create({ title, a: title, f: 'f', big: numbers[index] ?? null, about: index > 0 ? index : null })
    },
  },
  api => {
    const asked = [
      { says: 'of few fields', query: 'fields[0]=title&fields[1]=big' },
      { says: 'of all fields', query: 'fields=*' },
      { says: 'of populated entries', query: 'fields[0]=title&fields[1]=big&populate[about][fields][0]=title' },
    ]
    for (const { says, query } of asked)
      it(`are those that were written, ${says}`, async () => {
        const { status, body } = await api.get(`/notes?${query}&sort=id&pagination[limit]=1000`)
        assert.equal(status, 200)
        assert.deepEqual(
          body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title),
          texts,
        )
        for (const [index, number] of numbers.entries())
          assert.equal(body.data[index].attributes.big, number === 0 ? 0 : number)
        if (query.includes('populate'))
          for (const [index, title] of texts.slice(0, -1).entries())
            assert.equal(body.data[index + 1].attributes.about.data.attributes.title, title)
      })
  },
)
