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

const listArgs = {
  filters: { name: 'filters', type: 'BlogPostFiltersInput' },
  pagination: { name: 'pagination', type: 'PaginationArg' },
  sort: { name: 'sort', type: '[String]' },
}

/** The filters of posts: the attributes by their names, and the id by that of the shape. */
const filteredBy = (id: string) => [
  ['id', id],
  ...['title', 'kind', 'secret', 'hidden', 'others', 'seo', 'createdAt', 'updatedAt', 'publishedAt'].map(name => [
    name,
    name,
  ]),
]

describe('the schema as another plugin is told of it', () => {
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
    assert.deepEqual([post?.id, post?.entity], [undefined, { id: 'id', attributes: 'attributes' }])
    const id = { name: 'id', type: 'ID' }
    assert.deepEqual(post?.one, { name: 'blogPost', type: 'BlogPostEntityResponse', args: { id }, held: 'data' })
    const words = { LIVE: 'LIVE', PREVIEW: 'PREVIEW' }
    const args = { ...listArgs, publicationState: { name: 'publicationState', type: 'PublicationState', words } }
    assert.deepEqual(post?.lists, [
      {
        ...{ name: 'blogPosts', type: 'BlogPostEntityResponseCollection', args },
        ...{ held: 'data', page: ['meta', 'pagination'] },
      },
    ])
    assert.deepEqual(post?.fields, {
      title: { type: 'String!' },
      kind: { type: 'ENUM_BLOGPOST_KIND' },
      others: { type: 'BlogPostRelationResponseCollection', args, held: 'data' },
      seo: { type: 'ComponentSharedSeo' },
      createdAt: { type: 'DateTime' },
      updatedAt: { type: 'DateTime' },
      publishedAt: { type: 'DateTime' },
    })
    assert.deepEqual(Object.entries(post?.filters ?? {}), filteredBy('id'))
    assert.deepEqual([front?.one, front?.lists], [{ name: 'front', type: 'FrontEntityResponse', held: 'data' }, []])
    assert.deepEqual(seo, {
      ...{ name: 'ComponentSharedSeo', id: 'id', lists: [], filters: { title: 'title' } },
      fields: { id: { type: 'ID!' }, title: { type: 'String' } },
    })
  })

  it('has the same facts by the names of the flat shape', async () => {
    const { types, ...rest } = (await descriptionWith({ shape: 'flat' })) as SchemaDescription
    const { types: _, ...others } = (await descriptionWith({})) as SchemaDescription
    assert.deepEqual(rest, others)
    const { 'api::blog-post.blog-post': post, 'api::front.front': front, 'shared.seo': seo } = types
    assert.deepEqual([post?.id, post?.entity], ['documentId', undefined])
    const words = { LIVE: 'PUBLISHED', PREVIEW: 'DRAFT' }
    const publicationState = { name: 'status', type: 'PublicationStatus', words }
    const id = { name: 'documentId', type: 'ID!' }
    assert.deepEqual(post?.one, { name: 'blogPost', type: 'BlogPost', args: { id, publicationState } })
    const args = { ...listArgs, publicationState }
    assert.deepEqual(post?.lists, [
      { name: 'blogPosts', type: '[BlogPost!]!', args },
      {
        ...{ name: 'blogPosts_connection', type: 'BlogPostEntityResponseCollection', args },
        ...{ held: 'nodes', page: ['pageInfo'] },
      },
    ])
    assert.deepEqual(post?.fields, {
      title: { type: 'String' },
      kind: { type: 'ENUM_BLOGPOST_KIND' },
      others: { type: '[BlogPost!]', args },
      seo: { type: 'ComponentSharedSeo' },
      createdAt: { type: 'DateTime' },
      updatedAt: { type: 'DateTime' },
      publishedAt: { type: 'DateTime' },
    })
    assert.deepEqual(Object.entries(post?.filters ?? {}), filteredBy('documentId'))
    assert.deepEqual([front?.id, front?.one, front?.lists], ['documentId', { name: 'front', type: 'Front' }, []])
    assert.deepEqual([seo?.id, seo?.entity], ['id', undefined])
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
      Object.values(described?.types ?? {}).filter(({ one, lists }) => one || lists.length > 0),
      [],
    )
  })
})
