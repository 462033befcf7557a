import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { baseOf } from '../../../plugins/console/description/base.js'
import { readChange } from '../../../plugins/console/layouts/change.js'
import type { LaidOutType } from '../../../plugins/console/layouts/defaults.js'
import { fieldsIn, givenBy, nothingGiven, type StoredLayout } from '../../../plugins/console/layouts/given.js'
import { applied, layoutOf } from '../../../plugins/console/layouts/layout.js'
import { changedLayout, readStored } from '../../../plugins/console/layouts/stored.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'

const types = {
  article: {
    options: { draftAndPublish: true },
    attributes: {
      contact: { type: 'email' },
      secret: { type: 'password' },
      note: { type: 'string', private: true },
      title: { type: 'string' },
      body: { type: 'richtext' },
      rating: { type: 'decimal' },
      views: { type: 'integer' },
      featured: { type: 'boolean' },
      day: { type: 'date' },
      starts: { type: 'datetime' },
      extra: { type: 'json' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      readers: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
      seo: { type: 'component', component: 'shared.seo' },
    },
  },
  author: { attributes: { age: { type: 'integer' }, name: { type: 'string' } } },
}
const components = { 'shared.seo': { attributes: { metaTitle: { type: 'string' }, image: { type: 'string' } } } }

const app = await createTestApp({ types, components, plugins: [draftAndPublish] })
const base = baseOf(app.outline)
await app.close()

const article = base.all.get('api::article.article') as LaidOutType & { readonly isComponent: boolean }
const fieldsOf = (uid: string) => fieldsIn(base.all.get(uid)?.attributes)
const targets = { title: (uid: string) => (uid === 'api::author.author' ? 'name' : 'id'), fields: fieldsOf }
const layout = (stored?: StoredLayout) => layoutOf(article, stored ? givenBy(stored) : nothingGiven, targets)
const names = (edit: ReturnType<typeof layout>['edit']) =>
  edit.map(row => row.map(({ name, size }) => `${name} ${size}`))

describe('the layout of a type without one', () => {
  const usual = layout()
  it('shows the id and three simple fields, and no secret', () =>
    assert.deepEqual(usual.list, ['id', 'contact', 'title', 'rating']))
  it('has a form of all attributes in the order of the schema, in rows of twelve columns', () =>
    assert.deepEqual(names(usual.edit), [
      ['contact 6', 'secret 6'],
      ['note 6', 'title 6'],
      ['body 12'],
      ['rating 4', 'views 4', 'featured 4'],
      ['day 4', 'starts 6'],
      ['extra 12'],
      ['author 6', 'readers 6'],
      ['seo 12'],
    ]))
  it('names entries by the first text that can be read', () => {
    const { mainField, defaultSortBy, defaultSortOrder } = usual.settings
    assert.deepEqual([mainField, defaultSortBy, defaultSortOrder], ['title', 'title', 'ASC'])
    const numbers = { uid: 'number', attributes: article.attributes.filter(({ type }) => type === 'integer') }
    assert.equal(layoutOf(numbers, nothingGiven, targets).settings.mainField, 'id')
  })
  it('names the entries behind a relation by the field of their type, and those of components not', () => {
    assert.deepEqual(
      ['author', 'readers', 'seo', 'title'].map(name => usual.fields[name]?.mainField),
      ['name', 'name', undefined, undefined],
    )
  })
  it('sorts by what a column can be sorted by', () =>
    assert.deepEqual(
      Object.entries(usual.fields).flatMap(([name, { sortable }]) => (sortable ? [] : [name])),
      ['secret', 'body', 'extra', 'readers', 'seo'],
    ))
  it('has attributes of the server and of plugins for columns alone', () => {
    assert.equal(usual.fields.publishedAt?.visible, false)
    assert.equal(usual.fields.createdAt?.visible, false)
    assert.equal(usual.fields.title?.visible, true)
  })
  it('is stored nowhere', () => assert.deepEqual([usual.isStored, usual.isDeclared], [false, false]))
})

/** As Strapi 4 stores it, with attributes that are not here, and words that nothing here understands. */
const stored = {
  settings: { pageSize: 20, mainField: 'contact', defaultSortBy: 'gone', defaultSortOrder: 'DESC', strange: 'kept' },
  metadatas: {
    id: { edit: {}, list: { label: 'id', searchable: true, sortable: true } },
    title: {
      edit: { label: 'Headline', description: 'Ten words', placeholder: '', visible: true, editable: false, own: 1 },
      list: { label: 'Head', searchable: false, sortable: false },
      more: true,
    },
    note: { edit: { label: 'note' }, list: { label: 'note' } },
    author: { edit: { mainField: 'age' }, list: {} },
    gone: { edit: { label: 'Gone' }, list: { label: 'gone' } },
  },
  layouts: {
    list: ['id', 'title', 'gone', 'title', 7],
    edit: [
      [
        { name: 'title', size: 8 },
        { name: 'gone', size: 4 },
      ],
      [{ name: 'body', size: 60 }, { name: 'author', size: 6 }, { name: 'title', size: 6 }, null],
      'nothing',
    ],
    editRelations: ['gone'],
  },
  uid: 'api::article.article',
  apiID: 'article',
}

describe('a stored layout', () => {
  const read = layout(stored)
  it('is read with the words of Strapi 4', () => {
    assert.equal(read.isStored, true)
    assert.deepEqual(read.settings, {
      ...{ bulkable: true, filterable: true, searchable: true, pageSize: 20 },
      ...{ mainField: 'contact', defaultSortBy: 'contact', defaultSortOrder: 'DESC' },
    })
    assert.deepEqual(read.fields.title, {
      ...{ label: 'Headline', description: 'Ten words', visible: true, editable: false },
      ...{ listLabel: 'Head', searchable: false, sortable: false },
    })
    assert.equal(read.fields.author?.mainField, 'age')
  })
  it('has no columns of attributes that are gone, and none twice', () => assert.deepEqual(read.list, ['id', 'title']))
  it('leaves out what is gone, and appends what it does not know yet; what it left out stays out', () => {
    const [first, second, third, ...added] = names(read.edit)
    assert.deepEqual([first, second, third], [['title 8'], ['body 12'], ['author 6']])
    const all = added.flat().map(cell => cell.split(' ')[0])
    assert.deepEqual(
      all,
      ['contact', 'secret', 'rating', 'views', 'featured', 'day', 'starts', 'extra', 'readers', 'seo'],
      'note is known to the layout, and left out',
    )
  })
  for (const text of ['', 'null', '[]', '"text"', '{"a":', undefined, null])
    it(`that is no layout is none: ${text}`, () => assert.equal(readStored(text), undefined))
  for (const broken of [
    { settings: 5, metadatas: 'x', layouts: null },
    { settings: { pageSize: '20', mainField: {}, bulkable: 'yes' }, layouts: { list: {}, edit: {} } },
    { metadatas: { title: 7, author: { edit: [], list: 'x' } } },
  ])
    it(`that is broken in parts is as by default there: ${JSON.stringify(broken)}`, () =>
      assert.deepEqual({ ...layout(broken as never), isStored: false }, layout()))
})

describe('any stored layout', () => {
  const name = fc.constantFrom('id', 'title', 'body', 'author', 'readers', 'seo', 'gone', 'constructor', '__proto__')
  const value = fc.oneof(fc.anything(), name, fc.integer(), fc.boolean())
  const table = fc.dictionary(
    name,
    fc.oneof(
      value,
      fc.dictionary(
        fc.constantFrom('edit', 'list'),
        fc.dictionary(fc.constantFrom('label', 'description', 'visible', 'editable', 'mainField', 'searchable'), value),
      ),
    ),
  )
  const cell = fc.oneof(name, fc.record({ name, size: fc.oneof(fc.integer({ min: -2, max: 14 }), value) }), value)
  const any = fc.record({
    settings: fc.oneof(
      value,
      fc.dictionary(fc.constantFrom('pageSize', 'mainField', 'defaultSortBy', 'bulkable'), value),
    ),
    metadatas: fc.oneof(value, table),
    layouts: fc.oneof(
      value,
      fc.record({
        list: fc.oneof(value, fc.array(value)),
        edit: fc.oneof(value, fc.array(fc.oneof(value, fc.array(cell)))),
      }),
    ),
  })
  it('is read as one that could be sent back, which changes nothing', () =>
    fc.assert(
      fc.property(any, stored => {
        const { isStored: _, isDeclared: __, ...read } = layout(stored)
        const sent = JSON.parse(JSON.stringify(read))
        const changed = readChange(sent, article, fieldsOf)
        assert.deepEqual(changed, sent)
        const again = layout(readStored(JSON.stringify(changedLayout(article, stored, layout(stored), changed))))
        assert.deepEqual({ ...again, isStored: false }, { ...read, isStored: false, isDeclared: false })
      }),
      { numRuns: 200 },
    ))
})

describe('a change of a layout', () => {
  const change = (body: unknown) => readChange(body, article, fieldsOf)
  const store = (before: StoredLayout | undefined, body: unknown) => {
    const asked = change(body)
    return changedLayout(article, before, applied(layout(before), asked), asked) as typeof stored
  }

  it('of nothing leaves all that is stored as it is, but for attributes that are not there yet', () => {
    const { metadatas, ...others } = store(stored, {})
    const { metadatas: before, ...rest } = stored
    assert.deepEqual(others, rest)
    for (const [name, of] of Object.entries(before)) assert.deepEqual(metadatas[name as keyof typeof before], of)
  })
  it('changes what it names, and keeps what nothing here understands', () => {
    const after = store(stored, {
      settings: { pageSize: 50 },
      list: ['title', 'author'],
      edit: [[{ name: 'title', size: 12 }], ['author']],
      fields: { title: { label: 'Name', editable: true } },
    })
    assert.deepEqual(after.settings, { ...stored.settings, pageSize: 50 })
    assert.deepEqual(after.layouts, {
      list: ['title', 'author', 'gone', 7],
      edit: [[{ name: 'title', size: 12 }], [{ name: 'author', size: 6 }], [{ name: 'gone', size: 4 }], [null]],
      editRelations: ['gone'],
    })
    const { title } = after.metadatas
    assert.deepEqual([title.edit.label, title.edit.editable, title.edit.own, title.more], ['Name', true, 1, true])
    assert.deepEqual(title.list, { label: 'Head', searchable: false, sortable: false })
    assert.deepEqual(after.metadatas.gone, stored.metadatas.gone)
    assert.deepEqual(names(layout(after).edit).slice(0, 2), [['title 12'], ['author 6']])
  })
  it('where there is none stores a whole one, as Strapi 4 makes it', () => {
    const after = store(undefined, { settings: { pageSize: 50 } }) as StoredLayout & typeof stored
    assert.deepEqual(Object.keys(after), ['settings', 'metadatas', 'layouts', 'uid'])
    assert.deepEqual(after.settings, { ...layout().settings, pageSize: 50 })
    assert.deepEqual(Object.keys(after.metadatas).sort(), [
      ...['author', 'body', 'contact', 'createdAt', 'createdBy', 'day', 'extra', 'featured', 'id', 'note', 'rating'],
      ...['readers', 'secret', 'seo', 'starts', 'title', 'updatedAt', 'updatedBy', 'views'],
    ])
    assert.deepEqual(after.metadatas.author, {
      edit: { label: 'author', description: '', placeholder: '', visible: true, editable: true, mainField: 'name' },
      list: { label: 'author', searchable: true, sortable: true },
    })
    assert.deepEqual(after.metadatas.id.edit, {})
    assert.deepEqual({ ...layout(after), isStored: false }, { ...layout(), settings: after.settings })
  })

  const mistakes: readonly (readonly [unknown, string])[] = [
    [[], 'the body must be an object'],
    [{ lists: [] }, 'lists is unknown here; there are settings, list, edit, fields'],
    [{ settings: { pageSize: 0 } }, 'settings.pageSize must be a number from 1 to 100'],
    [{ settings: { mainField: 'author' } }, 'settings.mainField must be one of id, contact, '],
    [{ settings: { defaultSortOrder: 'asc' } }, 'settings.defaultSortOrder must be one of ASC, DESC'],
    [{ list: ['titel'] }, 'list.0 must be an attribute of api::article.article; did you mean "title"?'],
    [{ list: ['title', 'title'] }, 'list.1 names "title" a second time'],
    [{ list: 'title' }, 'list must be a list'],
    [{ edit: [['id']] }, 'edit.0.0 must be an attribute of api::article.article'],
    [{ edit: [[{ name: 'title', size: 13 }]] }, 'edit.0.0.size must be a number from 1 to 12'],
    [{ edit: [[{ name: 'title', width: 3 }]] }, 'edit.0.0.width is unknown here; there are name, size'],
    [{ edit: [['title', 'body']] }, 'edit.0 is 18 columns wide; a row has 12'],
    [{ edit: [['title'], [{ name: 'title', size: 6 }]] }, 'edit.1.0.name names "title" a second time'],
    [{ fields: { __proto__x: {} } }, 'fields.__proto__x must be an attribute of api::article.article'],
    [{ fields: { title: { label: 5 } } }, 'fields.title.label must be a text of at most 1000 characters'],
    [{ fields: { title: { mainField: 'name' } } }, 'fields.title.mainField is unknown here'],
    [{ fields: { author: { mainField: 'nam' } } }, 'fields.author.mainField must be one of id, age, name'],
    [{ fields: { title: { visible: 'no' } } }, 'fields.title.visible must be true or false'],
  ]
  for (const [body, message] of mistakes)
    it(`is refused: ${JSON.stringify(body)}`, () =>
      assert.throws(
        () => change(body),
        (error: Error & { details?: { errors: { message: string }[] } }) => {
          assert.equal(error.name, 'ValidationError')
          assert.ok(
            error.details?.errors.some(one => one.message.startsWith(message)),
            JSON.stringify(error.details),
          )
          return true
        },
      ))
})
