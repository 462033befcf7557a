import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphqlOf } from '../../../plugins/explorer/builder/graphql/request.js'
import type { GraphqlType } from '../../../plugins/explorer/builder/graphql/schema.js'
import { type AttributeInfo, Model, type TypeInfo } from '../../../plugins/explorer/builder/metadata.js'
import { planOf } from '../../../plugins/explorer/builder/query.js'
import { type BuilderState, emptyNode, type NodeState, startState } from '../../../plugins/explorer/builder/state.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { type ConditionState, emptyGroup } from '../../../plugins/pages/values/filters.js'
import { modelFrom } from './app.js'
import { everyType } from './every-field.js'

const thing = 'api::thing.thing'
const fields = (...names: string[]): NodeState => ({ ...emptyNode, fields: names })
const condition = (path: string, operator: string, ...values: string[]): ConditionState => ({
  ...{ kind: 'condition', path: path.split('.'), operator, values },
})
const sorted = (path: string) => [{ path: path.split('.'), descending: false }]
const uncounted = { form: 'default', number: '', size: '', withCount: false } as const

/** Attributes with names that are fields of the shape, as the schema leaves them out. */
const named = ({ attributes }: TypeInfo): AttributeInfo[] => {
  const text = attributes.find(({ name }) => name === 'string')
  return text ? ['documentId', 'things_connection'].map(name => ({ ...text, name })) : []
}

describe('the document of GraphQL in the flat shape', () => {
  let app: TestApp
  let model: Model
  beforeAll(async () => {
    const { picture: _, pictures: __, ...attributes } = everyType.types.thing.attributes
    app = await createTestApp({
      plugins: [draftAndPublish, explorer, [graphql, { shape: 'flat' }]],
      ...everyType,
      types: { ...everyType.types, thing: { ...everyType.types.thing, attributes } },
    })
    model = await modelFrom(request => app.inject(request))
  })
  afterAll(() => app.close())

  const requestOf = (part: Partial<BuilderState>, uid = thing, seen = model) => {
    const state = { ...startState(uid), ...part }
    return graphqlOf(seen, state, planOf(seen, state).query)
  }

  it('lists entries with nothing around them', () => {
    assert.deepEqual(requestOf({ node: fields('string'), page: uncounted }), {
      endpoint: '/graphql',
      document: 'query Things {\n  things(pagination: { limit: 25 }) { documentId string }\n}',
      variables: {},
      missing: [],
      notes: [],
      list: { entries: ['data', 'things'], total: ['data', 'things', 'total'] },
    })
  })

  it('counts them in a connection', () => {
    const made = requestOf({ node: fields('string') })
    assert.equal(
      made?.document,
      `query ThingsConnection {
  things_connection(pagination: { limit: 25 }) {
    nodes { documentId string }
    pageInfo { total page pageSize pageCount }
  }
}`,
    )
    assert.deepEqual(made?.list, {
      entries: ['data', 'things_connection', 'nodes'],
      total: ['data', 'things_connection', 'pageInfo', 'total'],
    })
  })

  it('names ids as the shape does, but for components', () => {
    const rows = [condition('id', '$eq', '3'), condition('things.id', '$in', '4', '5')]
    const sort = [...sorted('things.id'), ...sorted('parts.id'), ...sorted('id')]
    const made = requestOf({
      node: {
        ...fields('string'),
        filters: { ...emptyGroup, rows },
        sort,
        populate: { things: { node: { ...fields('id'), sort: sorted('id') } }, parts: { node: fields('choice') } },
      },
      page: uncounted,
    })
    assert.equal(
      made?.document,
      `query Things($filters: ThingFiltersInput) {
  things(
    filters: $filters
    sort: ["things.documentId:asc","parts.id:asc","documentId:asc"]
    pagination: { limit: 25 }
  ) {
    documentId
    string
    things(sort: ["documentId:asc"], pagination: { limit: -1 }) {
      documentId
    }
    parts(pagination: { limit: -1 }) { id choice }
  }
}`,
    )
    assert.deepEqual(made?.variables, {
      filters: { documentId: { eq: 3 }, things: { documentId: { in: [4, 5] } } },
    })
  })

  it('reads one entry by its id, a draft too, and a single type without', () => {
    const one = requestOf({
      ...{ action: 'findOne', id: '7', node: fields('string') },
      params: { publicationState: 'preview' },
    })
    assert.equal(
      one?.document,
      `query Thing($documentId: ID!) {
  thing(documentId: $documentId, status: DRAFT) {
    documentId
    string
  }
}`,
    )
    assert.deepEqual([one?.variables, one?.missing], [{ documentId: '7' }, []])
    assert.equal(one?.list, undefined)
    const single = requestOf({ node: fields('string') }, 'api::settings.settings')
    assert.equal(single?.document, 'query Settings { settings { documentId string } }')
  })

  it('shows drafts of relations', () => {
    const node = { ...fields('string'), populate: { things: { node: fields('string') } } }
    const made = requestOf({ node, params: { publicationState: 'preview' }, page: uncounted })
    assert.equal(
      made?.document,
      `query Things {
  things(pagination: { limit: 25 }, status: DRAFT) {
    documentId
    string
    things(pagination: { limit: -1 }, status: DRAFT) {
      documentId
      string
    }
  }
}`,
    )
  })

  it('has ids in fragments', () => {
    const anything = { on: { [thing]: fields('string'), 'api::settings.settings': fields('id') } }
    const zone = { on: { 'shared.part': fields('string') } }
    const made = requestOf({ node: { ...fields('string'), populate: { anything, zone } }, page: uncounted })
    for (const fragment of [
      '... on Thing { documentId string }',
      '... on Settings { documentId }',
      '... on ComponentSharedPart { id string }',
    ])
      assert.ok(made?.document.includes(fragment), made?.document)
    assert.deepEqual(
      [made?.missing, made?.notes],
      [[], ['The other components of "zone" of thing keep their places, with their names only.']],
    )
  })

  it('says that entries of other types keep their places', () => {
    const anything = { on: { [thing]: fields('string') } }
    assert.deepEqual(requestOf({ node: { ...fields('string'), populate: { anything } } })?.notes, [
      'The other entries of "anything" of thing keep their places, with their names only.',
    ])
  })

  const taken: readonly { says: string; node: NodeState; missing: string }[] = [
    {
      says: 'read',
      node: fields('documentId'),
      missing: 'The schema of GraphQL does not have "documentId" of thing.',
    },
    {
      says: 'filtered by',
      node: {
        ...fields('string'),
        filters: { ...emptyGroup, rows: [condition('documentId', '$eq', 'x')] },
      },
      missing: 'Filters of GraphQL cannot use "documentId" of thing.',
    },
    {
      says: 'sorted by',
      node: { ...fields('string'), sort: sorted('documentId') },
      missing: 'GraphQL sorts by the id in place of "documentId" of thing.',
    },
    {
      says: 'read in the name of a connection',
      node: fields('things_connection'),
      missing: 'The schema of GraphQL does not have "things_connection" of thing.',
    },
  ]
  for (const { says, node, missing } of taken)
    it(`has a sentence for attributes of a Strapi project whose names the shape takes: ${says}`, () => {
      const types = model.meta.types.map(type => ({ ...type, attributes: [...type.attributes, ...named(type)] }))
      const seen = new Model({ ...model.meta, types }, model.caller)
      assert.deepEqual(requestOf({ node }, thing, seen)?.missing, [missing])
    })

  it('has a sentence for lists whose total is hidden', () => {
    const { graphql } = model.meta
    assert.ok(graphql)
    const described = graphql.types[thing] as GraphqlType
    const lists = described.lists.filter(({ page }) => page === undefined)
    const seen = new Model(
      { ...model.meta, graphql: { ...graphql, types: { ...graphql.types, [thing]: { ...described, lists } } } },
      model.caller,
    )
    const made = requestOf({ node: fields('string') }, thing, seen)
    assert.deepEqual(made?.missing, ['The schema of GraphQL has no total of things.'])
    assert.match(made?.document ?? '', /\{ documentId string \}/)
  })
})
