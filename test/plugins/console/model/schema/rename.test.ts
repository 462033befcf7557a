import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { originOf, renameAttribute } from '../../../../../plugins/console/model/schema/attributes.js'
import {
  attributeOf,
  type Drawing,
  type DrawnType,
  formerUid,
} from '../../../../../plugins/console/model/schema/drawing.js'
import { componentNamesProblem, typeNamesProblem } from '../../../../../plugins/console/model/schema/names.js'
import {
  type ComponentNames,
  fixedNames,
  renameComponent,
  renameType,
  type TypeNames,
} from '../../../../../plugins/console/model/schema/rename.js'
import { shownTypes } from '../../../../../plugins/console/model/schema/shown.js'
import { addComponent, addType, removeType } from '../../../../../plugins/console/model/schema/types.js'
import { drawn } from './app.js'

const [note, memo, author, seo] = ['api::note.note', 'api::memo.memo', 'api::author.author', 'shared.seo']
const noteFile = 'content-types/note.json'
const files = {
  [noteFile]: `{
  "x-own": { "kept": [1, 2] },
  "collectionName": "notes",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },
  "attributes": {
    "title": { "type": "string" },
    "parent": { "type": "relation", "relation": "manyToOne", "target": "${note}", "inversedBy": "children" },
    "children": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "parent" },
    "writer": { "type": "relation", "relation": "manyToOne", "target": "${author}", "inversedBy": "notes" },
    "seo": { "type": "component", "component": "${seo}" },
    "parts": { "type": "dynamiczone", "components": ["shared.card", "${seo}"] }
  }
}
`,
  'content-types/author.json': `{
  "collectionName": "people",
  "info": { "singularName": "author", "pluralName": "authors" },
  "renamedFrom": "memo",
  "attributes": {
    "notes": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "writer", "x-kept": 1 }
  }
}
`,
  'content-types/components/shared/seo.json': `{
  "collectionName": "components_shared_seo",
  "attributes": { "best": { "type": "relation", "relation": "oneToOne", "target": "${note}" } }
}
`,
  'content-types/components/shared/card.json': `{
  "collectionName": "cards",
  "attributes": { "seo": { "type": "component", "component": "${seo}" } }
}
`,
}
const open = () => drawn(files)
const typeIn = (drawing: Drawing, uid: string): DrawnType => {
  const type = drawing.type(uid)
  assert.ok(type, uid)
  return type
}
const named = (drawing: Drawing, uid: string, names: Partial<TypeNames>) => {
  const type = typeIn(drawing, uid)
  return renameType(drawing, type, { displayName: type.name, singular: type.singular, plural: type.plural, ...names })
}
const memos = { singular: 'memo', plural: 'memos', displayName: 'Memo' }
const component = (drawing: Drawing, uid: string, names: Omit<ComponentNames, 'displayName'>) =>
  renameComponent(drawing, typeIn(drawing, uid), { ...names, displayName: typeIn(drawing, uid).name })

describe('types that get other names', () => {
  it('are called so wherever they are named, keep the form of their file, and have their former name in it', () => {
    const { drawing, accepted } = open()
    const { drawing: renamed, uid } = named(drawing, note, memos)
    assert.equal(uid, memo)
    const { types } = accepted(renamed)
    assert.deepEqual([types.get(memo)?.renamedFrom, types.get(memo)?.table, types.has(note)], [note, 'memos', false])
    assert.equal(renamed.drafts[noteFile], null)
    assert.equal(
      renamed.drafts['content-types/memo.json'],
      files[noteFile]
        .replaceAll(note, memo)
        .replace('"collectionName": "notes"', '"collectionName": "memos"')
        .replace(/"info": .*,\n/, line =>
          line
            .replace('"note"', '"memo"')
            .replace('"notes"', '"memos"')
            .replace('"Note"', '"Memo"')
            .concat('  "renamedFrom": "note",\n'),
        ),
    )
    const spent = files['content-types/author.json'].replace('  "renamedFrom": "memo",\n', '')
    assert.equal(renamed.drafts['content-types/author.json'], spent.replaceAll(note, memo))
    assert.equal(
      renamed.drafts['content-types/components/shared/seo.json'],
      files['content-types/components/shared/seo.json'].replace(note, memo),
    )
    assert.deepEqual(
      shownTypes(renamed).map(one => one.uid),
      shownTypes(drawing).map(one => (one.uid === note ? memo : one.uid)),
      'in their place',
    )
  })

  it('are what is stored under the former name, however often they and their attributes are renamed', () => {
    const { drawing, accepted } = open()
    const once = renameAttribute(named(drawing, note, memos).drawing, memo, 'title', 'headline')
    const { drawing: twice } = named(once, memo, { singular: 'letter' })
    accepted(twice)
    const letter = typeIn(twice, 'api::letter.letter')
    assert.deepEqual(
      [formerUid(letter), originOf(letter, 'headline'), originOf(letter, 'seo'), letter.schema?.renamedFrom],
      [note, 'title', 'seo', 'note'],
    )
    assert.deepEqual(Object.keys(twice.drafts).includes('content-types/memo.json'), false)
    assert.equal(twice.drafts[noteFile], null)
  })

  it('leave no trace once they have their names again', () => {
    const { drawing } = drawn({
      ...files,
      'content-types/author.json': files['content-types/author.json'].replace('memo', 'person'),
    })
    const { drawing: renamed } = named(drawing, note, memos)
    const back = named(renamed, memo, { singular: 'note', plural: 'notes', displayName: 'Note' })
    assert.deepEqual([back.uid, back.drawing.drafts], [note, {}])
    const { drawing: person } = named(drawing, author, { singular: 'human', plural: 'humans' })
    assert.equal(person.type('api::human.human')?.schema?.renamedFrom, 'author')
    assert.deepEqual(
      named(person, 'api::human.human', { singular: 'author', plural: 'authors' }).drawing.drafts,
      {},
      'with the former name that they had before',
    )
  })

  it('keep a table whose name is their own, and a file that the server calls the same', () => {
    const { drawing, accepted } = open()
    const { drawing: renamed } = named(drawing, author, { singular: 'writer', plural: 'writers' })
    assert.equal(accepted(renamed).types.get('api::writer.writer')?.table, 'people')
    const { drawing: listed, uid } = named(drawing, note, { plural: 'papers', displayName: 'Paper' })
    assert.deepEqual([uid, Object.keys(listed.drafts)], [note, [noteFile]])
    assert.deepEqual(accepted(listed).types.get(note)?.table, 'papers')
    assert.equal(typeIn(listed, note).schema?.renamedFrom, undefined)
  })

  it('have no names of others, neither present nor former ones', () => {
    const { drawing } = open()
    const { drawing: renamed } = named(drawing, note, memos)
    const of = (now: Drawing, uid: string, singular: string, plural: string) =>
      typeNamesProblem(now, { kind: 'collectionType', singular, plural }, typeIn(now, uid))
    assert.deepEqual(
      [
        of(drawing, note, 'note', 'notes'),
        of(drawing, note, 'author', 'others'),
        of(drawing, note, 'other', 'authors'),
        of(drawing, note, 'other', 'cards'),
        of(drawing, note, 'Other', 'others'),
        of(renamed, author, 'note', 'others'),
        of(renamed, memo, 'note', 'notes'),
      ],
      [
        undefined,
        { at: 'singular', reason: 'taken' },
        { at: 'plural', reason: 'taken' },
        { at: 'plural', reason: 'table' },
        { at: 'singular', reason: 'form' },
        { at: 'singular', reason: 'taken' },
        undefined,
      ],
    )
  })

  it('are removed and renamed while they are new', () => {
    const { drawing, accepted } = open()
    const added = addType(drawing, { ...memos, singular: 'page', plural: 'pages', kind: 'singleType', switches: [] })
    const { drawing: other, uid } = named(added, 'api::page.page', { singular: 'leaf', plural: 'leaves' })
    accepted(other)
    assert.deepEqual([uid, Object.keys(other.drafts)], ['api::leaf.leaf', ['content-types/leaf.json']])
    assert.equal(typeIn(other, uid).schema?.renamedFrom, undefined)
    const { drawing: renamed } = named(drawing, note, memos)
    const removed = removeType(renamed, memo)
    accepted(removed)
    assert.deepEqual([removed.drafts[noteFile], removed.drafts['content-types/memo.json']], [null, undefined])
  })
})

describe('components that get other names', () => {
  it('are called so in types, zones and other components', () => {
    const { drawing, accepted } = open()
    const { drawing: renamed, uid } = component(drawing, seo, { category: 'site', name: 'meta-data' })
    const { types } = accepted(renamed)
    assert.deepEqual(
      [uid, types.get(uid)?.renamedFrom, types.get(uid)?.table],
      ['site.meta-data', seo, 'components_site_meta_data'],
    )
    assert.equal(renamed.type(note)?.text, files[noteFile].replaceAll(seo, uid))
    assert.equal(attributeOf(renamed.type('shared.card'), 'seo')?.component, uid)
    assert.deepEqual(component(renamed, uid, { category: 'shared', name: 'seo' }).drawing.drafts, {})
    const { drawing: card } = component(drawing, 'shared.card', { category: 'shared', name: 'tile' })
    assert.equal(accepted(card).types.get('shared.tile')?.table, 'cards')
  })

  it('have no names of others, neither present nor former ones', () => {
    const { drawing } = open()
    const { drawing: renamed } = component(drawing, seo, { category: 'site', name: 'meta' })
    const of = (now: Drawing, uid: string | undefined, category: string, name: string) =>
      componentNamesProblem(now, { category, name }, uid === undefined ? undefined : typeIn(now, uid))
    assert.deepEqual(
      [
        of(drawing, seo, 'shared', 'seo'),
        of(drawing, seo, 'shared', 'card'),
        of(drawing, seo, '', 'seo'),
        of(renamed, undefined, 'shared', 'seo'),
        of(renamed, 'site.meta', 'shared', 'seo'),
      ],
      [
        undefined,
        { at: 'name', reason: 'taken' },
        { at: 'category', reason: 'missing' },
        { at: 'name', reason: 'taken' },
        undefined,
      ],
    )
  })
})

describe('names in a Strapi project', () => {
  const type = 'src/api/note/content-types/note/schema.json'
  const own = 'src/components/shared/seo.json'
  const strapi = {
    [type]: files[noteFile].replace(/\n.*"(writer|parts)".*/g, '').replace('"shared.seo" },', '"shared.seo" }'),
    [own]: files['content-types/components/shared/seo.json'],
  }

  it('keep their tables, which Strapi reads, too, and the uids that its code has', () => {
    const { drawing, accepted } = drawn(strapi)
    assert.deepEqual([fixedNames(typeIn(drawing, note)), fixedNames(typeIn(drawing, seo))], ['code', undefined])
    const { drawing: listed } = named(drawing, note, { plural: 'papers' })
    assert.equal(accepted(listed).types.get(note)?.table, 'notes')
    const { drawing: renamed, uid } = component(drawing, seo, { category: 'site', name: 'meta' })
    assert.equal(accepted(renamed).types.get(uid)?.table, 'components_shared_seo')
    assert.deepEqual(Object.keys(renamed.drafts).sort(), [type, own, 'src/components/site/meta.json'])
  })

  it('are free while a type is new', () => {
    const { drawing } = drawn(strapi)
    const added = addType(drawing, { ...memos, kind: 'collectionType', switches: [] })
    assert.equal(fixedNames(typeIn(added, memo)), undefined)
    const { drawing: renamed, uid } = named(added, memo, { singular: 'leaf', plural: 'leaves' })
    assert.deepEqual(
      [uid, Object.keys(renamed.drafts)],
      ['api::leaf.leaf', ['src/api/leaf/content-types/leaf/schema.json']],
    )
    const card = addComponent(drawing, { category: 'shared', name: 'card', displayName: 'Card' })
    assert.deepEqual(component(card, 'shared.card', { category: 'shared', name: 'tile' }).uid, 'shared.tile')
  })
})
