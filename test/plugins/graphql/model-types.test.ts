import assert from 'node:assert/strict'
import { type GraphQLSchema, GraphQLString, isScalarType, parseValue, printSchema, validateSchema } from 'graphql'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestAppOptions } from '../../../core/index.js'
import { type ModelParts, modelOf } from '../../../plugins/graphql/model/index.js'
import { printedType } from './printed-type.js'

type Parts = Partial<Omit<ModelParts, 'types'>>

async function schemaOf(options: TestAppOptions, parts: Parts = {}): Promise<GraphQLSchema> {
  const app = await createTestApp(options)
  onTestFinished(() => app.close())
  const { types, plugins } = app.outline
  return modelOf({ types: types.types.values(), plugins, settings: { shadowCRUD: true }, ...parts })
}

const text = { type: 'string' }
const names = (singularName: string, pluralName: string) => ({ singularName, pluralName, displayName: singularName })
const printed = (schema: GraphQLSchema, name: string): string => printedType(schema.getType(name))

describe('attributes', () => {
  const types = {
    thing: {
      attributes: {
        name: { type: 'string', required: true },
        state: { type: 'enumeration', enum: ['two words', 'Ünï'], required: true },
        secret: { type: 'password', required: true },
        hidden: { type: 'string', private: true },
        body: { type: 'blocks' },
        parts: { type: 'component', component: 'ui.part', repeatable: true, required: true },
        zone: { type: 'dynamiczone', components: ['ui.part', 'ui.other'] },
        any: { type: 'relation', relation: 'morphToOne' },
        owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner', required: true },
        page: { type: 'relation', relation: 'oneToOne', target: 'api::page.page' },
      },
    },
    owner: {
      attributes: {
        name: text,
        any: { type: 'relation', relation: 'morphMany', target: 'api::thing.thing', morphBy: 'any' },
      },
    },
    page: { kind: 'singleType', attributes: { title: text } },
  }
  const components = { 'ui.part': { attributes: { label: text } }, 'ui.other': { attributes: { label: text } } }
  const made = () => schemaOf({ types, components })

  it('are answered as their types say', async () => {
    assert.equal(
      printed(await made(), 'Thing'),
      `type Thing {
  name: String!
  state: ENUM_THING_STATE!
  secret: String
  body: JSON
  parts(filters: ComponentUiPartFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): [ComponentUiPart]!
  zone: [ThingZoneDynamicZone]
  any: GenericMorph
  owner: OwnerEntityResponse!
  page: PageEntityResponse
  createdAt: DateTime
  updatedAt: DateTime
}`,
    )
  })

  it('are written where clients may', async () => {
    assert.equal(
      printed(await made(), 'ThingInput'),
      `input ThingInput {
  name: String
  state: ENUM_THING_STATE
  secret: String
  hidden: String
  body: JSON
  parts: [ComponentUiPartInput]
  zone: [ThingZoneDynamicZoneInput!]
  owner: ID
  page: ID
}`,
    )
  })

  it('are conditions, but for zones and polymorphic relations', async () => {
    const schema = await made()
    assert.equal(
      printed(schema, 'ThingFiltersInput'),
      `input ThingFiltersInput {
  id: IDFilterInput
  name: StringFilterInput
  state: StringFilterInput
  secret: StringFilterInput
  hidden: StringFilterInput
  body: JSONFilterInput
  parts: ComponentUiPartFiltersInput
  owner: OwnerFiltersInput
  page: PageFiltersInput
  createdAt: DateTimeFilterInput
  updatedAt: DateTimeFilterInput
  and: [ThingFiltersInput]
  or: [ThingFiltersInput]
  not: ThingFiltersInput
}`,
    )
    assert.doesNotMatch(printed(schema, 'PageFiltersInput'), /\bid\b/)
    assert.doesNotMatch(printed(schema, 'Owner'), /any/)
  })

  it('say what they mean', async () => {
    const schema = await made()
    const fields = (schema.getType('Thing') as ReturnType<GraphQLSchema['getQueryType']>)?.getFields() ?? {}
    assert.deepEqual(fields.name?.extensions.stele, { is: 'field', name: 'name' })
    assert.deepEqual(fields.secret?.extensions.stele, { is: 'field', name: 'secret', hidden: true })
    assert.deepEqual(fields.zone?.extensions.stele, { is: 'link', name: 'zone' })
    const roots = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
    const meaningOf = (name: string) => {
      const { type, ...meaning } = { type: undefined, ...roots[name]?.extensions.stele }
      return meaning
    }
    const permission = (action: string) => ({ uid: 'api::thing.thing', action })
    assert.deepEqual(meaningOf('things'), { is: 'list', permission: permission('find') })
    assert.deepEqual(meaningOf('thing'), { is: 'one', permission: permission('findOne') })
    assert.deepEqual(meaningOf('createThing'), { is: 'create', permission: permission('create') })
  })

  it('components of zones are told apart by __typename', async () => {
    const scalar = (await made()).getType('ThingZoneDynamicZoneInput')
    assert.ok(isScalarType(scalar))
    const part = { __component: 'ui.part', label: 'x' }
    assert.deepEqual(scalar.parseValue({ __typename: 'ComponentUiPart', label: 'x' }), part)
    const literal = (of: string, variables?: Record<string, unknown>) => scalar.parseLiteral(parseValue(of), variables)
    assert.deepEqual(literal('{ __typename: "ComponentUiPart", label: $l }', { l: 'x' }), part)
    assert.deepEqual(literal('{ __typename: $t, label: "x" }', { t: 'ComponentUiPart' }), part)
    assert.ok(literal('{ __typename: $t }'))
    const message = /Component not found.*expected one of: ComponentUiPart, ComponentUiOther/
    for (const wrong of [{ label: 'x' }, { __typename: 'Thing' }, { __typename: 'toString' }, 'x', null, []])
      assert.throws(() => scalar.parseValue(wrong), message)
    for (const wrong of ['{ label: "x" }', '"x"', '{ __typename: $t }'])
      assert.throws(() => literal(wrong, { t: 'Nope' }), message)
  })
})

describe('a schema', () => {
  it('has no inputs without fields', async () => {
    const schema = await schemaOf({ types: { empty: { attributes: {} } } })
    assert.equal(
      printedType(schema.getMutationType()),
      `type Mutation {
  createEmpty: EmptyEntityResponse
  updateEmpty(id: ID!): EmptyEntityResponse
  deleteEmpty(id: ID!): EmptyEntityResponse
}`,
    )
    assert.equal(schema.getType('EmptyInput'), undefined)
  })

  it('has only what others add, if content has no roots', async () => {
    const types = { thing: { attributes: { name: text } } }
    const settings = { shadowCRUD: false }
    assert.equal(printSchema(await schemaOf({ types }, { settings })), 'type Query {\n  ok: Boolean!\n}')
    const more: ModelParts['more'] = made => ({
      query: { own: { type: GraphQLString }, thing: { type: made.object('ThingEntityResponse') } },
      mutation: { change: { type: GraphQLString, args: { data: { type: made.input('ThingInput') } } } },
    })
    const schema = await schemaOf({ types }, { settings, more })
    assert.deepEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}), ['own', 'thing'])
    assert.ok(schema.getType('ThingInput') && schema.getType('Thing'))
    const missing: ModelParts['more'] = made => ({ types: [made.object('NoSuch')] })
    await assert.rejects(schemaOf({ types }, { more: missing }), /needs the type NoSuch/)
  })

  it('lets others replace a field of content', async () => {
    const more = { query: { thing: { type: GraphQLString } } }
    const schema = await schemaOf({ types: { thing: { attributes: { name: text } } } }, { more })
    assert.equal(schema.getQueryType()?.getFields().thing?.type, GraphQLString)
  })

  it('has types of plugins of a project, and none that plugins of this server keep for themselves', async () => {
    const schema = { kind: 'collectionType', collectionName: 'likes', info: names('like', 'likes'), attributes: {} }
    const likes = definePlugin({
      name: 'likes',
      contentTypes: [{ uid: 'plugin::likes.like', source: 'likes', schema }],
    })
    const options = { types: { thing: { attributes: { name: text } } }, plugins: [likes] }
    assert.doesNotMatch(printSchema(await schemaOf(options)), /like/i)
    assert.match(
      printSchema(await schemaOf(options, { plugins: [] })),
      /likesLikes\(.*: LikesLikeEntityResponseCollection/,
    )
  })

  it('leaves out attributes whose names GraphQL does not take, and says so', async () => {
    const notes: string[] = []
    const types = { thing: { attributes: { __mark: text, name: text } } }
    const schema = await schemaOf({ types }, { note: sentence => notes.push(sentence) })
    assert.deepEqual(notes, [
      'graphql: the schema leaves out "__mark" of api::thing.thing, as that is no name in GraphQL',
    ])
    assert.doesNotMatch(printSchema(schema), /__mark/)
  })

  const clashes: Readonly<Record<string, readonly [TestAppOptions['types'], RegExp]>> = {
    'a type named query': [{ query: { attributes: { name: text } } }, /both be called "Query"/],
    'a type of a scalar': [{ date: { attributes: { name: text } } }, /both be called "Date"/],
    'types of one name': [
      { faq2: { attributes: { name: text } }, 'faq-2': { attributes: { name: text } } },
      /api::faq-2.faq-2 and .* of api::faq2.faq2 would both be called "Faq2/,
    ],
    'a plural that is the singular': [
      { sheep: { info: names('sheep', 'sheep'), attributes: { name: text } } },
      /one entry of api::sheep.sheep and a list of them would both be the field "sheep"/,
    ],
    'a plural that is the singular of another': [
      {
        staff: { info: names('staff', 'people'), attributes: {} },
        people: { info: names('people', 'peoples'), attributes: {} },
      },
      /api::people.people and api::staff.staff would both have the field "people"/,
    ],
    'an enum whose name is none': [
      { thing: { attributes: { kind: { type: 'enumeration', enum: ['a'], enumName: 'my kind' } } } },
      /would be called "my kind" in the schema, which is no name in GraphQL/,
    ],
  }
  for (const [what, [types, message]] of Object.entries(clashes))
    it(`is refused for ${what}`, async () => {
      await assert.rejects(schemaOf({ types: types ?? {} }), { name: 'BootError', message })
      const notes: string[] = []
      const schema = await schemaOf({ types: types ?? {} }, { isLenient: true, note: sentence => notes.push(sentence) })
      assert.deepEqual(validateSchema(schema), [])
      assert.match(notes.join('\n'), message)
      for (const note of notes) assert.match(note, /is called "\w+"$|leaves that of \S+ out$/)
    })
})
