import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { attributeOf } from '../../../../../plugins/console/model/schema/drawing.js'
import {
  controlOf,
  controlOfDefault,
  drawAttribute,
  lacking,
  withKind,
  wordsOfKind,
} from '../../../../../plugins/console/model/schema/options.js'
import { shownTypes, stateOf } from '../../../../../plugins/console/model/schema/shown.js'
import type { KindWords } from '../../../../../plugins/console/model/schema.js'
import { drawn } from './app.js'

const note = 'api::note.note'
const author = 'api::author.author'
const files = {
  'content-types/note.json': `{
  "info": { "singularName": "note", "pluralName": "notes" },
  "attributes": {
    "title": { "type": "string", "x-mine": 1, "maxLength": 5, "default": "a" },
    "writer": { "type": "relation", "relation": "manyToOne", "target": "${author}", "inversedBy": "notes" }
  }
}
`,
  'content-types/author.json': `{
  "info": { "singularName": "author", "pluralName": "authors" },
  "attributes": { "notes": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "writer" } }
}
`,
}

describe('the form of an attribute', () => {
  it('has a control for each word that the server accepts', () => {
    const { words } = drawn(files).drawing.app
    const controls = words.kinds.map(kind => {
      const { usual, rare } = wordsOfKind(words, kind)
      return [kind.name, Object.entries({ ...usual, ...rare }).map(([word, schema]) => controlOf(word, schema).is)]
    })
    const of = Object.fromEntries(controls) as Record<string, string[]>
    assert.equal(Object.keys(of).length, words.kinds.length)
    assert.deepEqual(
      ['enumeration', 'uid', 'dynamiczone', 'component'].map(kind => of[kind]?.slice(0, 3)),
      [
        ['lines', 'text', 'switch'],
        ['number', 'number', 'text'],
        ['components', 'number', 'number'],
        ['component', 'switch', 'number'],
      ],
    )
    const kind = (name: string) => words.kinds.find(one => one.name === name) as KindWords
    assert.deepEqual(
      [
        controlOfDefault(kind('password'), {}),
        controlOfDefault(kind('component'), {}),
        controlOfDefault(kind('boolean'), {}),
        controlOfDefault(kind('enumeration'), { enum: ['a'] }),
        controlOfDefault(kind('biginteger'), {}),
        controlOfDefault(kind('json'), {}),
      ],
      [
        undefined,
        undefined,
        { is: 'choice', values: [true, false] },
        { is: 'choice', values: ['a'] },
        { is: 'text' },
        { is: 'json' },
      ],
    )
    const rare = Object.keys(wordsOfKind(words, kind('relation')).rare)
    assert.ok(!rare.includes('collation') && !rare.includes('column') && !rare.includes('renamedFrom'))
  })

  it('keeps what both types know, and keys of others, when the type changes', () => {
    const { words } = drawn(files).drawing.app
    const attribute = { type: 'string', maxLength: 5, required: true, 'x-mine': 1, default: 'a' }
    assert.deepEqual(withKind(words, attribute, 'text'), { type: 'text', maxLength: 5, required: true, 'x-mine': 1 })
    assert.deepEqual(withKind(words, attribute, 'integer'), { type: 'integer', required: true, 'x-mine': 1 })
    assert.deepEqual(lacking(words, { type: 'enumeration' }), ['enum'])
    assert.deepEqual(lacking(words, { type: 'dynamiczone', components: [] }), ['components'])
    assert.deepEqual(lacking(words, { type: 'string' }), [])
  })

  it('draws another name, type and options at once, and takes the other side of a relation that is none any more', () => {
    const { drawing, accepted } = drawn(files)
    const changed = drawAttribute(drawing, note, 'title', {
      name: 'headline',
      attribute: { type: 'text', 'x-mine': 1 },
    })
    accepted(changed)
    assert.deepEqual(attributeOf(changed.type(note), 'headline'), { type: 'text', 'x-mine': 1, renamedFrom: 'title' })
    const again = drawAttribute(changed, note, 'headline', {
      name: 'title',
      attribute: attributeOf(drawing.type(note), 'title') ?? {},
    })
    assert.deepEqual(again.drafts, {})
    const plain = drawAttribute(drawing, note, 'writer', { name: 'writer', attribute: { type: 'string' } })
    accepted(plain)
    assert.equal(attributeOf(plain.type(author), 'notes'), undefined)
    const type = changed.type(note)
    assert.ok(type)
    assert.deepEqual(stateOf(type, 'headline'), { is: 'renamed', origin: 'title' })
    assert.deepEqual(
      shownTypes(changed).map(one => [one.uid, one.attributes.map(({ name }) => name)]),
      [
        [author, ['notes']],
        [note, ['headline', 'writer']],
      ],
    )
  })
})
