import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphqlOf } from '../../../plugins/explorer/builder/graphql/request.js'
import type { GraphqlInfo } from '../../../plugins/explorer/builder/graphql/schema.js'
import { tokensIn } from '../../../plugins/explorer/builder/graphql/text.js'
import { Model } from '../../../plugins/explorer/builder/metadata.js'
import { planOf } from '../../../plugins/explorer/builder/query.js'
import { type BuilderState, emptyNode, type NodeState, startState } from '../../../plugins/explorer/builder/state.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { graphql, type SchemaDescription } from '../../../plugins/graphql/index.js'
import { type ConditionState, emptyGroup } from '../../../plugins/pages/values/filters.js'
import { modelFrom } from './app.js'
import { everyType } from './every-field.js'

const thing = 'api::thing.thing'
const fields = (...names: string[]): NodeState => ({ ...emptyNode, fields: names })
const condition = (path: string, operator: string, ...values: string[]): ConditionState => ({
  ...{ kind: 'condition', path: path.split('.'), operator, values },
})
const filtered = (...rows: ConditionState[]): NodeState => ({
  ...fields('string'),
  filters: { ...emptyGroup, rows },
})

/** The type `true` for two types that are the same in all their parts. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

/** The page has types of its own for what the server describes: the type check fails where they differ. */
true satisfies Same<GraphqlInfo, SchemaDescription>

describe('the document of GraphQL for what is built', () => {
  let app: TestApp
  let model: Model
  beforeAll(async () => {
    app = await createTestApp({
      plugins: [draftAndPublish, explorer, graphql],
      config: { api: { rest: { maxLimit: 100 } } },
      ...everyType,
      types: typesWithoutFiles,
    })
    model = await modelFrom(request => app.inject(request))
  })
  afterAll(() => app.close())

  const requestOf = (part: Partial<BuilderState>, uid = thing, seen = model) => {
    const state = { ...startState(uid), ...part }
    return graphqlOf(seen, state, planOf(seen, state).query)
  }
  const withSettings = (part: Partial<GraphqlInfo>) =>
    new Model({ ...model.meta, graphql: { ...(model.meta.graphql as GraphqlInfo), ...part } }, model.caller)

  it('has its filters as variables, and the page that REST has', () => {
    const made = requestOf({
      node: { ...filtered(condition('string', '$in', 'a', 'b')), sort: [{ path: ['id'], descending: true }] },
      page: { form: 'page', number: '2', size: '', withCount: false },
    })
    assert.deepEqual(made, {
      endpoint: '/graphql',
      document: `query Things($filters: ThingFiltersInput) {
  things(
    filters: $filters
    sort: ["id:desc"]
    pagination: { page: 2, pageSize: 25 }
  ) {
    data { id attributes { string } }
  }
}`,
      variables: { filters: { string: { in: ['a', 'b'] } } },
      missing: [],
      notes: [],
      list: { entries: ['data', 'things', 'data'], total: ['data', 'things', 'meta', 'pagination', 'total'] },
    })
  })

  const pages = [
    { says: 'the first one', page: { form: 'default', number: '', size: '' }, gives: '{ limit: 25 }' },
    { says: 'a size', page: { form: 'page', number: '', size: '7' }, gives: '{ pageSize: 7 }' },
    { says: 'a start', page: { form: 'offset', number: '3', size: '' }, gives: '{ start: 3, limit: 25 }' },
    { says: 'more than REST gives', page: { form: 'offset', number: '', size: '5000' }, gives: '{ limit: 100 }' },
  ] as const
  for (const { says, page, gives } of pages)
    it(`has the page of REST: ${says}`, () => {
      assert.match(requestOf({ page })?.document ?? '', new RegExp(`pagination: ${gives.replaceAll(/[{}]/g, '\\$&')}`))
    })

  it('reads one entry by its id, and a single type without', () => {
    const one = requestOf({ action: 'findOne', id: ' 7 ', node: fields('string') })
    assert.equal(one?.document, 'query Thing($id: ID) {\n  thing(id: $id) { data { id attributes { string } } }\n}')
    assert.deepEqual(one?.variables, { id: '7' })
    const single = requestOf({ node: fields('string') }, 'api::settings.settings')
    assert.equal(single?.document, 'query Settings {\n  settings { data { id attributes { string } } }\n}')
  })

  it('lists all entries of relations, with the filters and the order of each, and shows drafts everywhere', () => {
    const inner = filtered(condition('things.string', '$startsWith', 'a'))
    const node = {
      ...fields('string'),
      populate: {
        things: { node: { ...inner, sort: [{ path: ['string'], descending: false }] } },
        parts: { node: { ...fields('choice'), populate: { others: { node: fields('id') } } } },
      },
    }
    const made = requestOf({ node, params: { publicationState: 'preview' } })
    assert.equal(
      made?.document,
      `query Things($thingsFilters: ThingFiltersInput) {
  things(pagination: { limit: 25 }, publicationState: PREVIEW) {
    data {
      id
      attributes {
        string
        things(
          filters: $thingsFilters
          sort: ["string:asc"]
          pagination: { limit: -1 }
          publicationState: PREVIEW
        ) {
          data { id attributes { string } }
        }
        parts(pagination: { limit: -1 }) {
          id
          choice
          others(pagination: { limit: -1 }, publicationState: PREVIEW) {
            data { id }
          }
        }
      }
    }
    meta { pagination { total page pageSize pageCount } }
  }
}`,
    )
    assert.deepEqual(made?.variables, { thingsFilters: { things: { string: { startsWith: 'a' } } } })
  })

  it('reads components of a zone by fragments, and fields of one name and several types under several names', () => {
    const on = {
      'shared.part': fields('string', 'integer', 'date'),
      'shared.other': fields('string', 'integer', 'choice'),
    }
    const made = requestOf({ node: { ...fields('string'), populate: { zone: { on } } } })
    const fragments = [
      '... on ComponentSharedPart { id string date integer }',
      '... on ComponentSharedOther {\n            id\n            string_2: string\n            integer_2: integer\n            choice\n          }',
    ]
    for (const fragment of fragments) assert.ok(made?.document.includes(fragment), made?.document)
    assert.deepEqual(made?.notes, ['The other components of "zone" of thing keep their places, with their names only.'])
  })

  const sentences: readonly {
    says: string
    state: Partial<BuilderState>
    settings?: Partial<GraphqlInfo>
    missing?: string
    notes?: string
  }[] = [
    { says: 'a search', state: { search: 'x' }, missing: 'GraphQL has no search.' },
    {
      says: 'pages beside an entry',
      state: { page: { form: 'cursor', number: '', size: '' } },
      missing: 'GraphQL has no pages beside an entry.',
    },
    {
      says: 'operators that GraphQL lacks',
      state: { node: filtered(condition('string', '$endsWithi', 'x')) },
      missing: 'GraphQL has no operator for $endsWithi.',
    },
    {
      says: 'numbers that are too large',
      state: { node: filtered(condition('integer', '$gt', '2147483648')) },
      missing: 'A whole number of GraphQL is at most 2147483647: the condition on "integer" has a larger one.',
    },
    {
      says: 'attributes without filters',
      state: { node: filtered(condition('whole.id', '$eq', '1')) },
      missing: 'Filters of GraphQL cannot use "id" of whole.',
    },
    {
      says: 'attributes that are not in the schema',
      state: { node: fields('__odd') },
      missing: 'The schema of GraphQL does not have "__odd" of thing.',
    },
    {
      says: 'attributes that are left out of all',
      state: {},
      notes: 'The schema of GraphQL does not have "__odd" of thing: the response does not contain it.',
    },
    {
      says: 'relations that are not in the schema',
      state: { node: { ...fields('string'), populate: { createdBy: { node: emptyNode } } } },
      missing: 'The schema of GraphQL does not have "createdBy" of thing.',
    },
    {
      says: 'an order in a zone',
      state: {
        node: {
          ...fields('string'),
          populate: {
            zone: { on: { 'shared.part': { ...emptyNode, sort: [{ path: ['id'], descending: false }] } } },
          },
        },
      },
      missing: 'GraphQL can neither filter nor sort "zone" of thing.',
    },
    {
      says: 'ids behind relations to any type',
      state: { node: { ...fields('string'), populate: { anything: { on: { [thing]: fields('id') } } } } },
      notes: 'GraphQL has no ids for the entries of "anything" of thing.',
    },
    {
      says: 'components that are not in the union of a zone',
      state: { node: { ...fields('string'), populate: { zone: { on: { 'shared.whole': fields('id') } } } } },
      settings: { unions: { ThingZoneDynamicZone: ['ComponentSharedPart'] } },
      missing: 'The schema of GraphQL has no whole in "zone" of thing.',
    },
    { says: 'an entry that is not chosen', state: { action: 'findOne' }, missing: 'No entry is chosen.' },
    {
      says: 'a draft by its id',
      state: { action: 'findOne', id: '1', node: fields('string'), params: { publicationState: 'preview' } },
      missing: 'GraphQL reads an entry by its id only if it is published.',
    },
    {
      says: 'shorter lists',
      state: { node: fields('string') },
      settings: { maxLimit: 20 },
      notes: 'GraphQL lists at most 20 entries here (graphql.config.maxLimit).',
    },
    {
      says: 'deep documents',
      state: { node: fields('string') },
      settings: { depthLimit: 2 },
      missing: 'A document has at most 2 levels here (graphql.config.depthLimit).',
    },
    {
      says: 'long documents',
      state: {},
      settings: { tokenLimit: 30 },
      missing: 'A document has at most 30 tokens here (graphql.config.tokenLimit).',
    },
    {
      says: 'documents that are none of a file',
      state: { node: fields('string') },
      settings: { onlyPersisted: true },
      missing: 'The server takes only the documents of a file (graphql.config.persisted).',
    },
    {
      says: 'a schema without the content',
      state: { node: fields('string') },
      settings: { types: {} },
      missing: 'The schema of GraphQL has no query for thing.',
    },
  ]
  describe('has a sentence for', () => {
    for (const { says, state, settings = {}, missing, notes } of sentences)
      it(says, () => {
        const made = requestOf(state, thing, withSettings(settings))
        if (missing !== undefined) assert.deepEqual(made?.missing, [missing])
        if (notes !== undefined) assert.ok(made?.notes.includes(notes), JSON.stringify(made?.notes))
        if (missing === undefined) assert.deepEqual(made?.missing, [])
      })
  })

  it('is valid up to the limits that it is measured by', async () => {
    const { document = '' } = requestOf({ node: fields('string') }) ?? {}
    const tokenLimit = tokensIn(document)
    for (const [settings, isTaken] of [
      [{ depthLimit: 3, tokenLimit }, true],
      [{ depthLimit: 2, tokenLimit }, false],
      [{ depthLimit: 3, tokenLimit: tokenLimit - 1 }, false],
    ] as const) {
      const limited = await createTestApp({
        plugins: [draftAndPublish, explorer, [graphql, settings]],
        ...everyType,
        types: typesWithoutFiles,
      })
      try {
        const seen = await modelFrom(request => limited.inject(request))
        const made = requestOf({ node: fields('string') }, thing, seen)
        const response = await limited.inject({ method: 'POST', url: '/graphql', payload: { query: document } })
        assert.deepEqual([made?.missing.length === 0, response.statusCode === 200], [isTaken, isTaken], response.body)
      } finally {
        await limited.close()
      }
    }
  })

  it('is there for requests that read, where the plugin is enabled', async () => {
    assert.equal(requestOf({ action: 'create' }), undefined)
    const without = await createTestApp({ plugins: [explorer], types: { book: { attributes: {} } } })
    try {
      const other = await modelFrom(request => without.inject(request))
      assert.equal(other.meta.graphql, undefined)
      assert.equal(requestOf({}, 'api::book.book', other), undefined)
    } finally {
      await without.close()
    }
  })
})

const { picture: _, pictures: __, ...attributes } = everyType.types.thing.attributes
const typesWithoutFiles = {
  ...everyType.types,
  thing: { ...everyType.types.thing, attributes: { ...attributes, __odd: { type: 'string' } } },
}
