import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, optional } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphql, type SchemaDescription } from '../../../plugins/graphql/index.js'

/** The description that another plugin gets. */
async function descriptionWith(settings: Readonly<Record<string, unknown>>): Promise<SchemaDescription | undefined> {
  let describe = (): SchemaDescription | undefined => undefined
  const reader = definePlugin({
    name: 'reader',
    uses: [optional(graphql)],
    register: host => {
      describe = () => host.service(optional(graphql))?.describe()
    },
  })
  const app = await createTestApp({
    plugins: [draftAndPublish, [graphql, settings], reader],
    types: {
      'blog-post': {
        options: { draftAndPublish: true },
        attributes: {
          title: { type: 'string', required: true },
          kind: { type: 'enumeration', enum: ['a b'] },
          secret: { type: 'password' },
          hidden: { type: 'string', private: true },
          __odd: { type: 'string' },
          others: { type: 'relation', relation: 'manyToMany', target: 'api::blog-post.blog-post' },
          seo: { type: 'component', component: 'shared.seo' },
        },
      },
      front: { kind: 'singleType', pluralName: 'fronts', attributes: { title: { type: 'string' } } },
    },
    components: { 'shared.seo': { attributes: { title: { type: 'string' } } } },
  })
  const description = describe()
  await app.close()
  return description
}

describe('the schema as another plugin is told of it', () => {
  it('is not there in the flat shape, for which no documents are written', async () =>
    assert.equal(await descriptionWith({ shape: 'flat' }), undefined))

  it('has roots, attributes and filters with their types', async () => {
    const { types, ...rest } = (await descriptionWith({})) as SchemaDescription
    const { operators, unions, ...settings } = rest
    assert.deepEqual(settings, {
      endpoint: '/graphql',
      tokenLimit: 5000,
      onlyPersisted: false,
      statesPerRelation: false,
    })
    assert.deepEqual(unions, {})
    assert.ok(operators.includes('containsi') && operators.includes('between') && !operators.includes('not'))
    const { 'api::blog-post.blog-post': post, 'api::front.front': front, 'shared.seo': seo } = types
    assert.deepEqual(post?.one, { name: 'blogPost', type: 'BlogPostEntityResponse', args: { id: 'ID' } })
    const list = { filters: 'BlogPostFiltersInput', pagination: 'PaginationArg', sort: '[String]' }
    const args = { ...list, publicationState: 'PublicationState' }
    assert.deepEqual(post?.list, { name: 'blogPosts', type: 'BlogPostEntityResponseCollection', args })
    assert.deepEqual(post?.fields, {
      title: { type: 'String!' },
      kind: { type: 'ENUM_BLOGPOST_KIND' },
      others: { type: 'BlogPostRelationResponseCollection', args },
      seo: { type: 'ComponentSharedSeo' },
      createdAt: { type: 'DateTime' },
      updatedAt: { type: 'DateTime' },
      publishedAt: { type: 'DateTime' },
    })
    assert.ok(post?.filters?.includes('seo') && !post.filters.includes('__odd'))
    assert.deepEqual(front?.one, { name: 'front', type: 'FrontEntityResponse' })
    assert.equal(front?.list, undefined)
    assert.deepEqual(
      [seo?.name, seo?.fields],
      ['ComponentSharedSeo', { id: { type: 'ID!' }, title: { type: 'String' } }],
    )
  })

  it('has the limits of documents', async () => {
    const settings = { endpoint: 'api/graph/', maxLimit: 50, depthLimit: 7, tokenLimit: 90 }
    const described = await descriptionWith(settings)
    assert.deepEqual(
      { ...described, types: 0, operators: 0, unions: 0 },
      {
        ...settings,
        endpoint: '/api/graph',
        onlyPersisted: false,
        statesPerRelation: false,
        types: 0,
        operators: 0,
        unions: 0,
      },
    )
  })

  it('has no roots where the content has none', async () => {
    const described = await descriptionWith({ shadowCRUD: false })
    assert.deepEqual(
      Object.values(described?.types ?? {}).filter(({ one, list }) => one || list),
      [],
    )
  })
})
