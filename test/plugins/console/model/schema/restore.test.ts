import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import {
  addAttribute,
  removeAttribute,
  removedFrom,
  renameAttribute,
  setAttribute,
} from '../../../../../plugins/console/model/schema/attributes.js'
import { attributeOf, attributesOf, type Drawing, listIn } from '../../../../../plugins/console/model/schema/drawing.js'
import { renameType } from '../../../../../plugins/console/model/schema/rename.js'
import { restoreAttribute, restoreProblem } from '../../../../../plugins/console/model/schema/restore.js'
import { removeType } from '../../../../../plugins/console/model/schema/types.js'
import { drawn } from './app.js'

const [note, author] = ['api::note.note', 'api::author.author']
const files = {
  'content-types/note.json': `{
  "collectionName": "notes",
  "info": { "singularName": "note", "pluralName": "notes" },
  "search": ["title^10"],
  "attributes": {
    "slug": { "type": "uid", "targetField": "title", "x-kept": 1 },
    "title": { "type": "string", "x-mine": { "any": true } },
    "parent": { "type": "relation", "relation": "manyToOne", "target": "${note}", "inversedBy": "children" },
    "writer": { "type": "relation", "relation": "manyToOne", "target": "${author}", "inversedBy": "notes" },
    "seo": { "type": "component", "component": "shared.seo" },
    "children": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "parent" },
    "stars": { "type": "integer" }
  },
  "indexes": [{ "attributes": ["stars", "title"] }, { "attributes": ["slug"] }],
  "x-own": true
}
`,
  'content-types/author.json': `{
  "collectionName": "authors",
  "info": { "singularName": "author", "pluralName": "authors" },
  "attributes": {
    "notes": { "type": "relation", "relation": "oneToMany", "target": "${note}", "mappedBy": "writer" },
    "name": { "type": "string" }
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
const problemOf = (drawing: Drawing, uid: string, name: string) => {
  const type = drawing.type(uid)
  assert.ok(type)
  return restoreProblem(drawing, type, name)
}

describe('a removed attribute', () => {
  it('comes back to its place, with all that named it, so that nothing is left of the removal', () => {
    const { drawing } = open()
    for (const { uid, schema } of drawing.types)
      for (const [name] of attributesOf(schema)) {
        const removed = removeAttribute(drawing, uid, name)
        assert.notDeepEqual(removed.drafts, {})
        assert.deepEqual(restoreAttribute(removed, uid, name).drafts, {}, `${uid} ${name}`)
      }
  })

  it('comes back alone, between those that were renamed meanwhile', () => {
    const { drawing, accepted } = open()
    const several = ['title', 'stars', 'seo'].reduce((all, name) => removeAttribute(all, note, name), drawing)
    const renamed = renameAttribute(several, note, 'slug', 'path')
    const restored = restoreAttribute(restoreAttribute(renamed, note, 'title'), note, 'stars')
    accepted(restored)
    const type = restored.type(note)
    assert.ok(type?.schema)
    assert.deepEqual(
      [Object.keys(Object(type.schema.attributes)), removedFrom(type)],
      [['path', 'title', 'parent', 'writer', 'children', 'stars'], ['seo']],
    )
    assert.equal(attributeOf(type, 'path')?.targetField, 'title')
    assert.deepEqual(
      [listIn(type.schema, 'search'), listIn(type.schema, 'indexes')],
      [['title^10'], [{ attributes: ['stars', 'title'] }, { attributes: ['path'] }]],
    )
  })

  it('leads to a type by the name that this has by now', () => {
    const { drawing, accepted } = open()
    const removed = removeAttribute(drawing, note, 'writer')
    const type = removed.type(author)
    assert.ok(type)
    const { drawing: renamed, uid } = renameType(removed, type, {
      ...{ displayName: 'Writer', singular: 'writer', plural: 'writers' },
    })
    const restored = restoreAttribute(renamed, uid, 'notes')
    accepted(restored)
    assert.equal(attributeOf(restored.type(note), 'writer')?.target, uid)
    assert.equal(attributeOf(restored.type(uid), 'notes')?.mappedBy, 'writer')
  })

  it('stays away where its name, the other side or what it leads to is not there for it', () => {
    const { drawing } = open()
    const untitled = removeAttribute(drawing, note, 'title')
    const taken = renameAttribute(untitled, note, 'stars', 'title')
    const alone = removeAttribute(drawing, note, 'writer')
    const other = addAttribute(alone, author, 'notes', { type: 'string' })
    const gone = removeType(drawing, author)
    assert.deepEqual(
      [
        problemOf(untitled, note, 'title'),
        problemOf(taken, note, 'title'),
        problemOf(alone, note, 'writer'),
        problemOf(other, note, 'writer'),
        problemOf(setAttribute(alone, author, 'name', { type: 'text' }), note, 'writer'),
        problemOf(gone, note, 'writer'),
        problemOf(removeType(drawing, 'shared.seo'), note, 'seo'),
      ],
      [undefined, 'taken', undefined, 'other', undefined, 'target', 'target'],
    )
    for (const [now, name] of [
      [taken, 'title'],
      [other, 'writer'],
      [gone, 'writer'],
    ] as const)
      assert.equal(restoreAttribute(now, note, name), now)
  })
})
