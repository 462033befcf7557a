import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { loadDefinitions } from '../../core/schema/load.js'
import { root } from './sample.js'

interface Attribute {
  readonly type: string
  readonly relation?: string
  readonly target?: string
  readonly repeatable?: boolean
  readonly [option: string]: unknown
}

const definitions = loadDefinitions(root)
const attributes = definitions.flatMap(({ uid, schema }) =>
  Object.values(schema.attributes as Record<string, Attribute>).map((attribute): Attribute => ({ ...attribute, uid })),
)
const occurring = (what: (attribute: (typeof attributes)[number]) => string | undefined) =>
  new Set(attributes.map(what))

describe('the schemas of the sample app', () => {
  const fields = 'string text richtext enumeration email password uid date time datetime timestamp'
  const more = 'integer biginteger float decimal boolean json array relation component dynamiczone'
  for (const type of `${fields} ${more}`.split(' '))
    it(`show the field type ${type}`, () => assert.ok(occurring(attribute => attribute.type).has(type)))

  const relations = 'oneToOne oneToMany manyToOne manyToMany morphToOne morphToMany morphOne morphMany'
  for (const relation of relations.split(' '))
    it(`show the relation ${relation}`, () => assert.ok(occurring(attribute => attribute.relation).has(relation)))

  for (const option of 'required unique private default min max minLength maxLength regex enum targetField'.split(' '))
    it(`show the option ${option}`, () => assert.ok(attributes.some(attribute => attribute[option] !== undefined)))

  it('show relations of a type to itself, in one direction and in both', () => {
    const own = attributes.filter(({ uid, target }) => uid === target)
    assert.ok(own.some(({ inversedBy, mappedBy }) => inversedBy === undefined && mappedBy === undefined))
    assert.ok(own.some(({ inversedBy }) => inversedBy !== undefined))
  })

  it('show components that are nested, alone and repeated', () => {
    const parts = attributes.filter(({ type }) => type === 'component')
    assert.ok(parts.some(({ uid }) => !String(uid).includes('::')))
    assert.deepEqual(new Set(parts.map(({ repeatable = false }) => repeatable)), new Set([true, false]))
  })

  it('show a single type, indexes and creators', () => {
    assert.ok(definitions.some(({ schema }) => schema.kind === 'singleType'))
    assert.ok(definitions.some(({ schema }) => schema.indexes !== undefined))
    assert.ok(
      definitions.some(({ schema }) => (schema.options as { populateCreatorFields?: boolean })?.populateCreatorFields),
    )
  })
})
