import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import {
  type ChangeWay,
  changeable,
  changesBody,
  changingKinds,
  filesAdded,
  lackingIn,
  waysOf,
} from '../../../../plugins/console/model/form/change-many.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import type { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import type { Meta, Right, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { component, field, files, page, pureKinds, relation, tag } from './pure.js'

const attributes = [
  field('title', 'string', { required: true, default: 'New' }),
  field('code', 'string', { unique: true }),
  field('slug', 'uid'),
  field('secret', 'password'),
  field('publishedAt', 'datetime', { added: true }),
  field('note', 'text'),
  field('fixed', 'text', { writable: false }),
  relation('tags', 'manyToMany'),
  relation('owner', 'manyToOne'),
  relation('children', 'oneToMany', { exclusive: true }),
  relation('twin', 'oneToOne', { exclusive: true, required: true }),
  files('cover', false),
  files('pictures', true),
  component('seo', 'shared.seo'),
  component('lines', 'shared.seo', { many: true }),
]
const components = { 'shared.seo': [field('text', 'string'), field('more', 'string')] }
const kinds = pureKinds(attributes, components)
const typeWith = (update: Right | null): TypeMeta => {
  const type = kinds.type(page) as TypeMeta
  return { ...type, can: { ...type.can, update, create: null } }
}
const names = (update: Right | null) => changeable(kinds, typeWith(update)).map(({ name }) => name)
const waysFor = (name: string) => waysOf(attributes.find(one => one.name === name) ?? field('none', 'string'))

function formWith(): Form {
  const type = typeWith({})
  const meta = { types: [type, kinds.type('api::tag.tag')], components: [], dialect: kinds.dialect, limits: {} }
  const { 'shared.seo': inner } = components
  const seo = { ...kinds.of('shared.seo'), attributes: inner }
  const changing: Kinds = changingKinds({ ...meta, components: [seo] } as unknown as Meta, type)
  return new Form(changing, changing.type(page) as TypeMeta, undefined)
}

const ways = (all: Readonly<Record<string, ChangeWay>>) => new Map(Object.entries(all))

describe('a change of many entries', () => {
  it('has the fields that the account may update, and none that each entry has for itself', () => {
    const all = ['title', 'note', 'tags', 'owner', 'children', 'cover', 'pictures', 'seo', 'lines']
    assert.deepEqual(names({}), all)
    assert.deepEqual(names(null), [])
    assert.deepEqual(names({ fields: ['note', 'publishedAt', 'seo.text'] }), ['note'])
    assert.deepEqual(names({ fields: ['seo.text', 'seo.more'] }), ['seo'])
  })

  it('sets, clears, adds to lists and takes from them, as far as an attribute allows it', () => {
    assert.deepEqual(waysFor('title'), ['set'])
    assert.deepEqual(waysFor('note'), ['set', 'clear'])
    assert.deepEqual(waysFor('tags'), ['set', 'clear', 'add', 'remove'])
    assert.deepEqual(waysFor('owner'), ['set', 'clear'])
    assert.deepEqual(waysFor('children'), ['clear', 'remove'])
    assert.deepEqual(waysFor('twin'), [])
    assert.deepEqual(waysFor('pictures'), ['set', 'clear', 'add', 'remove'])
    assert.deepEqual(waysFor('lines'), ['set', 'clear'])
  })

  it('fills nothing in, and sends what is chosen alone', () => {
    const { root } = formWith()
    assert.equal(root.cell('title')?.value.value, '')
    const note = root.cell('note')
    const tags = root.relation('tags')
    assert.ok(note?.canWrite && tags)
    note.value.value = 'Rye'
    tags.add(tag(1), 'one')
    tags.add(tag(2), 'two')
    assert.deepEqual(changesBody(root, ways({})), {})
    assert.deepEqual(changesBody(root, ways({ note: 'set', tags: 'add' })), {
      note: 'Rye',
      tags: { connect: [{ id: 1 }, { id: 2 }] },
    })
    assert.deepEqual(changesBody(root, ways({ note: 'clear', tags: 'remove' })), {
      note: null,
      tags: { disconnect: [{ id: 1 }, { id: 2 }] },
    })
    assert.deepEqual(changesBody(root, ways({ tags: 'set' })), { tags: { set: [{ id: 1 }, { id: 2 }] } })
    assert.deepEqual(
      changesBody(
        root,
        ways({ tags: 'clear', owner: 'clear', cover: 'clear', pictures: 'clear', seo: 'clear', lines: 'clear' }),
      ),
      { tags: { set: [] }, owner: null, cover: null, pictures: [], seo: null, lines: [] },
    )
  })

  it('adds files beside the body, as a list of them is sent whole', () => {
    const { root } = formWith()
    root.relation('pictures')?.add({ id: 7, uid: 'plugin::upload.file', values: {} }, 'seven')
    const added = ways({ pictures: 'add', note: 'clear' })
    assert.deepEqual([changesBody(root, added), filesAdded(root, added)], [{ note: null }, { pictures: [7] }])
    assert.deepEqual(filesAdded(root, ways({ pictures: 'set' })), {})
  })

  it('lacks a value where one shall be set', () => {
    const { root } = formWith()
    assert.deepEqual(lackingIn(root, ways({ title: 'set', tags: 'add', note: 'clear', seo: 'set' })), [
      'title',
      'tags',
      'seo',
    ])
    root.relation('tags')?.add(tag(1), 'one')
    assert.deepEqual(lackingIn(root, ways({ tags: 'add' })), [])
  })
})
