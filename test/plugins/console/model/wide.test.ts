import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { permissionsFor, wideType } from '../../../../plugins/console/model/form/wide.js'
import type { TypeMeta } from '../../../../plugins/console/model/meta.js'

const right = { fields: ['title'], more: ['text', 'note'] }
const read = { ...right, moreIn: [{ locales: ['de'], fields: ['text'] }, { fields: ['note'] }] }
const type = {
  attributes: [
    { name: 'title', readable: true, writable: true },
    { name: 'text', readable: false, writable: false, ofSome: { readable: true, writable: true } },
    { name: 'note', readable: true, writable: false, ofSome: { writable: true } },
  ],
  can: {
    ...{ read, update: right, delete: null, publish: null },
    create: { fields: ['title'], moreIn: [{ locales: ['de', 'fr'], fields: ['text'] }] },
  },
} as unknown as TypeMeta

describe('a type for the forms of entries', () => {
  it('has the fields that some entries have', () => {
    const { attributes, can } = wideType(type)
    assert.deepEqual(
      attributes.map(({ name, readable, writable }) => [name, readable, writable]),
      [
        ['title', true, true],
        ['text', true, true],
        ['note', true, true],
      ],
    )
    assert.deepEqual(can.read?.fields, ['title', 'text', 'note'])
    assert.deepEqual(can.update?.fields, ['title'], 'the server says which entry may have more')
  })

  it('is the same where all entries have the same fields', () => {
    const plain = { ...type, attributes: type.attributes.slice(0, 1) }
    assert.equal(wideType(plain), plain)
  })

  it('lets a new entry have what its language permits, and a stored one what the server tells', () => {
    const names = (locale: string | null, update: readonly string[] = []) => {
      const can = permissionsFor(type.can, { locale, update })
      return [can.read?.fields, can.create?.fields, can.update?.fields]
    }
    assert.deepEqual(names('de'), [['title', 'text', 'note'], ['title', 'text'], ['title']])
    assert.deepEqual(names('en', ['note']), [['title', 'note'], ['title'], ['title', 'note']])
    assert.deepEqual(names(null), [['title', 'note'], ['title'], ['title']])
  })

  it('leaves a right to all fields as it is', () => {
    const can = permissionsFor({ ...type.can, update: {} }, { locale: 'de', update: ['text'] })
    assert.deepEqual(can.update, {})
  })
})
