import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { relationsOf, relationsTo, typeOfKey } from '../../../../plugins/console/model/relations.js'
import { keyOf, type SchemaAttribute, type SchemaType } from '../../../../plugins/console/model/schema.js'

const type = (uid: string, attributes: readonly Partial<SchemaAttribute>[] = []): SchemaType => ({
  ...{ uid, kind: 'collectionType', name: uid, singular: uid.split('.').at(-1) ?? '', plural: '', table: '' },
  ...{ file: null, text: null, settings: {} },
  attributes: attributes.map(one => ({ name: 'to', type: 'relation', options: {}, added: false, ...one })),
})

const author = type('api::author.author', [
  { name: 'books', options: { relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' } },
])
const book = type('api::book.book', [
  { name: 'title', type: 'string' },
  { name: 'author', options: { relation: 'manyToOne', target: 'api::author.author', inversedBy: 'books' } },
  { name: 'about', options: { relation: 'morphToOne' } },
  { name: 'lost', options: { relation: 'oneToOne', target: 'api::gone.gone' } },
  { name: 'createdBy', added: true, options: { relation: 'manyToOne', target: 'api::author.author' } },
])
const all = [author, book]

describe('relations of the schema', () => {
  it('are told with the type that they lead to and the attribute of the other side, without added ones', () =>
    assert.deepEqual(
      relationsOf(all, all).map(({ from, attribute, kind, to, other }) => [
        from.singular,
        attribute,
        kind,
        to?.singular,
        other,
      ]),
      [
        ['author', 'books', 'oneToMany', 'book', 'author'],
        ['book', 'author', 'manyToOne', 'author', 'books'],
        ['book', 'about', 'morphToOne', undefined, undefined],
        ['book', 'lost', 'oneToOne', undefined, undefined],
      ],
    ))

  it('are found from the type to which they lead', () =>
    assert.deepEqual(
      relationsTo(author, all).map(({ attribute }) => attribute),
      ['author'],
    ))
})

describe('the address of a type', () => {
  it('has its singular name, or its uid where another type may have the name', () =>
    assert.deepEqual([book, type('api::shop.book'), type('shared.seo'), type('plugin::upload.file')].map(keyOf), [
      'book',
      'api::shop.book',
      'shared.seo',
      'plugin::upload.file',
    ]))

  it('is found by either', () => {
    assert.equal(typeOfKey('book', all), book)
    assert.equal(typeOfKey('api::book.book', all), book)
    assert.equal(typeOfKey('none', all), undefined)
  })
})
