import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import {
  addAttribute,
  moveAttribute,
  originOf,
  otherSideOf,
  removeAttribute,
  removedFrom,
  renameAttribute,
  setAttribute,
} from '../../../../../plugins/console/model/schema/attributes.js'
import { attributeOf, type Drawing } from '../../../../../plugins/console/model/schema/drawing.js'
import {
  attributeProblem,
  componentNamesProblem,
  typeNamesProblem,
} from '../../../../../plugins/console/model/schema/names.js'
import { morphsOf, relate, relationIn } from '../../../../../plugins/console/model/schema/relate.js'
import type { JsonObject } from '../../../../../plugins/console/model/schema/text.js'
import {
  addComponent,
  addType,
  leadingTo,
  removeType,
  setList,
  setWord,
} from '../../../../../plugins/console/model/schema/types.js'
import { drawn } from './app.js'

const note = 'api::note.note'
const author = 'api::author.author'
const files = {
  'content-types/note.json': `{
  "x-own": { "kept": [1, 2] },
  "collectionName": "notes",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note", "icon": "pen" },
  "options": { "draftAndPublish": true },
  "attributes": {
    "title": { "type": "string", "x-mine": { "any": true }, "required": true },
    "slug": { "type": "uid", "targetField": "title" },
    "body": { "type": "text", "renamedFrom": "text" },
    "writer": { "type": "relation", "relation": "manyToOne", "target": "${author}", "inversedBy": "notes", "x-side": 1 },
    "seo": { "type": "component", "component": "shared.seo" },
    "about": { "type": "relation", "relation": "morphToMany" }
  },
  "search": ["title^10", "body"],
  "indexes": [{ "attributes": ["title", "body"] }, { "attributes": ["slug"] }]
}
`,
  'content-types/author.json': `{
  "collectionName": "authors",
  "info": { "singularName": "author", "pluralName": "authors" },
  "attributes": {
    "name": { "type": "string" },
    "notes": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "writer" }
  }
}
`,
  'content-types/components/shared/seo.json': `{
  "collectionName": "seos",
  "attributes": { "text": { "type": "text" } }
}
`,
}
const open = () => drawn(files)
const schemaOf = (drawing: Drawing, uid: string) => JSON.parse(drawing.type(uid)?.text ?? '')
const namesOf = (drawing: Drawing, uid: string) => Object.keys(schemaOf(drawing, uid).attributes)

describe('attributes that are drawn', () => {
  it('are renamed with what names them, and keep keys of others, their order and the form of the file', () => {
    const { drawing, accepted } = open()
    const renamed = renameAttribute(drawing, note, 'title', 'headline')
    accepted(renamed)
    assert.deepEqual(Object.keys(renamed.drafts), ['content-types/note.json'])
    const before = files['content-types/note.json']
    assert.equal(
      renamed.type(note)?.text,
      before
        .replace(
          '"title": { "type": "string", "x-mine": { "any": true }, "required": true }',
          '"headline": { "type": "string", "x-mine": { "any": true }, "required": true, "renamedFrom": "title" }',
        )
        .replace('"targetField": "title"', '"targetField": "headline"')
        .replace('"title^10"', '"headline^10"')
        .replace('"attributes": ["title", "body"]', '"attributes": ["headline", "body"]'),
    )
    assert.equal(originOf(renamed.type(note) as never, 'headline'), 'title')
    assert.deepEqual(renameAttribute(renamed, note, 'headline', 'title').drafts, {})
  })

  it('have the stored name as their former one, however often they are renamed', () => {
    const { drawing, accepted } = open()
    const once = renameAttribute(drawing, note, 'title', 'a')
    const twice = renameAttribute(renameAttribute(once, note, 'a', 'b'), note, 'b', 'c')
    accepted(twice)
    assert.equal(attributeOf(twice.type(note), 'c')?.renamedFrom, 'title')
    const fresh = renameAttribute(addAttribute(drawing, note, 'one', { type: 'date' }), note, 'one', 'two')
    assert.deepEqual(attributeOf(fresh.type(note), 'two'), { type: 'date' })
  })

  it('replace a former name that is spent, and let it go when another gets it', () => {
    const { drawing, accepted } = open()
    const renamed = renameAttribute(drawing, note, 'body', 'content')
    assert.deepEqual(attributeOf(renamed.type(note), 'content'), { type: 'text', renamedFrom: 'body' })
    assert.deepEqual(renameAttribute(renamed, note, 'content', 'body').drafts, {})
    const named = addAttribute(drawing, note, 'text', { type: 'richtext' })
    accepted(named)
    assert.deepEqual(attributeOf(named.type(note), 'body'), { type: 'text' })
    accepted(renameAttribute(drawing, note, 'title', 'text'))
  })

  it('have names that the server accepts, and none that it needs for a rename', () => {
    const { drawing } = open()
    const renamed = renameAttribute(drawing, note, 'title', 'headline')
    const type = renamed.type(note) as never
    const of = (name: string, current?: string) => attributeProblem(renamed, type, name, current)
    assert.deepEqual(
      [
        of(''),
        of('1st'),
        of('createdAt'),
        of('Body'),
        of('title'),
        of('title', 'headline'),
        of('fine'),
        of('body', 'body'),
      ],
      ['missing', 'form', 'reserved', 'taken', 'former', undefined, undefined, undefined],
    )
  })

  it('are moved, changed in their place, and taken away with what names them', () => {
    const { drawing, accepted } = open()
    const moved = moveAttribute(drawing, note, 'body', 0)
    assert.deepEqual(namesOf(moved, note).slice(0, 3), ['body', 'title', 'slug'])
    const set = setAttribute(moved, note, 'title', { type: 'text' })
    assert.deepEqual(namesOf(set, note), namesOf(moved, note))
    const removed = removeAttribute(set, note, 'title')
    accepted(removed)
    const { search, indexes, attributes } = schemaOf(removed, note)
    assert.deepEqual([search, indexes, attributes.slug], [['body'], [{ attributes: ['slug'] }], { type: 'uid' }])
    assert.deepEqual(removedFrom(removed.type(note) as never), ['title'])
  })
})

describe('relations that are drawn', () => {
  it('are in both types, and go from both', () => {
    const { drawing, accepted } = open()
    assert.deepEqual(otherSideOf(drawing, author, 'notes'), { uid: note, name: 'writer' })
    const made = relate(
      drawing,
      { uid: author, name: 'favourites' },
      { private: true },
      {
        relation: 'manyToMany',
        target: note,
        other: 'fans',
      },
    )
    accepted(made)
    assert.deepEqual(attributeOf(made.type(author), 'favourites'), {
      private: true,
      type: 'relation',
      relation: 'manyToMany',
      target: note,
      inversedBy: 'fans',
    })
    const { mappedBy, target } = attributeOf(made.type(note), 'fans') ?? {}
    assert.deepEqual([mappedBy, target], ['favourites', author])
    assert.deepEqual(removeAttribute(made, note, 'fans').drafts, {})
  })

  it('are renamed at either end', () => {
    const { drawing, accepted } = open()
    const here = renameAttribute(drawing, note, 'writer', 'by')
    accepted(here)
    assert.equal(attributeOf(here.type(author), 'notes')?.mappedBy, 'by')
    const there = relate(here, { uid: note, name: 'by' }, attributeOf(here.type(note), 'by') ?? {}, {
      ...relationIn(attributeOf(here.type(note), 'by') ?? {}),
      other: 'texts',
    })
    accepted(there)
    assert.deepEqual(attributeOf(there.type(author), 'texts'), {
      ...(attributeOf(drawing.type(author), 'notes') ?? {}),
      mappedBy: 'by',
      renamedFrom: 'notes',
    })
    assert.deepEqual(Object.keys(attributeOf(there.type(note), 'by') ?? {}).slice(0, 6), [
      ...['type', 'relation', 'target', 'inversedBy', 'x-side', 'renamedFrom'],
    ])
  })

  it('keep their owner, lose an end, get one, and lead elsewhere', () => {
    const { drawing, accepted } = open()
    const redrawn = (of: Drawing, uid: string, name: string, change: Partial<ReturnType<typeof relationIn>>) => {
      const attribute = attributeOf(of.type(uid), name) ?? {}
      const next = relate(of, { uid, name }, attribute, { ...relationIn(attribute), ...change })
      accepted(next)
      return next
    }
    assert.deepEqual(redrawn(drawing, author, 'notes', {}).drafts, {}, 'nothing changes')
    const many = redrawn(drawing, author, 'notes', { relation: 'manyToMany' })
    assert.equal(attributeOf(many.type(note), 'writer')?.relation, 'manyToMany')
    const alone = redrawn(drawing, note, 'writer', { other: '' })
    assert.deepEqual(
      [namesOf(alone, author), attributeOf(alone.type(note), 'writer')?.inversedBy],
      [['name'], undefined],
    )
    const again = redrawn(alone, note, 'writer', { other: 'notes' })
    assert.equal(attributeOf(again.type(author), 'notes')?.mappedBy, 'writer')
    const itself = redrawn(drawing, note, 'writer', { target: note, other: 'written' })
    assert.deepEqual(namesOf(itself, author), ['name'])
    assert.equal(attributeOf(itself.type(note), 'written')?.target, note)
    assert.deepEqual(morphsOf(drawing, note), ['about'])
    const morph = relate(
      drawing,
      { uid: author, name: 'mentions' },
      {},
      { relation: 'morphMany', target: note, other: 'about' },
    )
    accepted(morph)
    const anywhere = redrawn(drawing, note, 'writer', { relation: 'morphToOne', target: undefined, other: '' })
    assert.deepEqual(namesOf(anywhere, author), ['name'])
  })
})

describe('types that are drawn', () => {
  it('are files that the server accepts, and can be led to', () => {
    const { drawing, accepted } = open()
    const names = { singular: 'photo-album', plural: 'photo-albums' }
    const made = addType(drawing, {
      ...{ ...names, kind: 'collectionType', displayName: 'Album' },
      switches: [
        ['options', 'draftAndPublish'],
        ['pluginOptions', 'i18n', 'localized'],
      ],
    })
    const uid = 'api::photo-album.photo-album'
    const related = relate(
      addAttribute(made, uid, 'title', { type: 'string' }),
      { uid, name: 'notes' },
      {},
      { relation: 'oneToMany', target: note, other: 'album' },
    )
    const { types } = accepted(related)
    assert.equal(types.get(uid)?.table, 'photo_albums')
    assert.deepEqual(schemaOf(related, uid).pluginOptions, { i18n: { localized: true } })
    const zone = addAttribute(
      addComponent(related, { category: 'shared', name: 'card', displayName: 'Card' }),
      uid,
      'parts',
      {
        type: 'dynamiczone',
        components: ['shared.card', 'shared.seo'],
      },
    )
    accepted(zone)
    assert.deepEqual(
      leadingTo(zone, 'shared.seo').map(({ type, name }) => [type.uid, name]),
      [
        [note, 'seo'],
        [uid, 'parts'],
      ],
    )
    const without = removeType(zone, 'shared.seo')
    accepted(without)
    assert.deepEqual(attributeOf(without.type(uid), 'parts')?.components, ['shared.card'])
    assert.equal(without.drafts['content-types/components/shared/seo.json'], null)
    assert.deepEqual(removeType(related, uid).drafts, {})
  })

  it('have names of their own', () => {
    const { drawing } = open()
    const of = (singular: string, plural: string) =>
      typeNamesProblem(drawing, { kind: 'collectionType', singular, plural })
    assert.deepEqual(
      [
        of('note', 'others'),
        of('other', 'notes'),
        of('Other', 'others'),
        of('other', ''),
        of('other', 'seos'),
        of('other', 'others'),
      ],
      [
        { at: 'singular', reason: 'taken' },
        { at: 'plural', reason: 'taken' },
        { at: 'singular', reason: 'form' },
        { at: 'plural', reason: 'missing' },
        { at: 'plural', reason: 'table' },
        undefined,
      ],
    )
    assert.deepEqual(componentNamesProblem(drawing, { category: 'shared', name: 'seo' }), {
      at: 'name',
      reason: 'taken',
    })
    assert.equal(componentNamesProblem(drawing, { category: 'shared', name: 'link' }), undefined)
  })

  it('have their words switched on and off without a trace', () => {
    const { drawing, accepted } = open()
    const on = setWord(drawing, note, ['pluginOptions', 'i18n', 'localized'], true)
    accepted(on)
    const keys = Object.keys(schemaOf(on, note))
    assert.ok(keys.indexOf('pluginOptions') < keys.indexOf('attributes'))
    assert.deepEqual(setWord(on, note, ['pluginOptions', 'i18n', 'localized'], undefined).drafts, {})
    const off = setWord(drawing, note, ['options', 'draftAndPublish'], false)
    assert.deepEqual(setWord(off, note, ['options', 'draftAndPublish'], true).drafts, {})
    const bare = setList(setList(drawing, note, 'search', []), note, 'indexes', [])
    accepted(bare)
    assert.deepEqual(Object.keys(schemaOf(bare, note)), ['x-own', 'collectionName', 'info', 'options', 'attributes'])
  })
})

/** Numbers that look random and are the same in each run. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const kinds: readonly JsonObject[] = [
  { type: 'string', maxLength: 9 },
  { type: 'enumeration', enum: ['a', 'b'], default: 'a' },
  { type: 'decimal', min: 0 },
  { type: 'component', component: 'shared.seo', repeatable: true },
]
const relations = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany']

describe('random drawings', () => {
  it('are accepted by the server, and rename what is stored from its stored name', () => {
    const { drawing, accepted } = open()
    for (let seed = 1; seed <= 12; seed += 1) {
      const below = chance(seed)
      const of = <T>(list: readonly T[]): T => list[below(list.length)] as T
      let now = drawing
      for (let step = 0; step < 20; step += 1) {
        const uid = of([note, author])
        const type = now.type(uid)
        assert.ok(type)
        const name = of(namesOf(now, uid))
        const next = `${of(['a', 'b', 'title', 'text', 'notes'])}${below(3) === 0 ? '' : step}`
        const isFree = attributeProblem(now, type, next) === undefined
        const other = of([note, author])
        const there = now.type(other)
        const back = `back${step}`
        const work: (() => Drawing)[] = [
          () => (isFree ? addAttribute(now, uid, next, of(kinds)) : now),
          () => (name !== undefined && isFree ? renameAttribute(now, uid, name, next) : now),
          () => (name === undefined ? now : moveAttribute(now, uid, name, below(4))),
          () => (name === undefined || below(3) > 0 ? now : removeAttribute(now, uid, name)),
          () =>
            isFree && there
              ? relate(now, { uid, name: next }, {}, { relation: of(relations), target: other, other: of(['', back]) })
              : now,
          () => {
            const attribute = attributeOf(type, name ?? '')
            if (attribute?.type !== 'relation' || attribute.relation === 'morphToMany') return now
            return relate(now, { uid, name: name as string }, attribute, {
              ...relationIn(attribute),
              ...of([{ other: back }, { other: '' }, { relation: of(relations) }, { target: other, other: back }]),
            })
          },
        ]
        now = of(work)()
        accepted(now)
      }
      for (const uid of [note, author]) {
        const schema = schemaOf(now, uid)
        const stored = JSON.parse(now.type(uid)?.running?.text ?? '').attributes
        for (const [name, attribute] of Object.entries(schema.attributes as Record<string, JsonObject>))
          if (typeof attribute.renamedFrom === 'string' && name !== 'body')
            assert.ok(Object.hasOwn(stored, attribute.renamedFrom), `${seed}: ${name}`)
        if (uid === note) assert.deepEqual(schema['x-own'], { kept: [1, 2] })
      }
    }
  })
})
