import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { generated } from '../../strapi4/project.js'
import type { RunningProject } from '../strapi-code/support/project.js'
import { schemaOf, start } from '../strapi-code/support/written.js'

const packageJson = JSON.stringify({
  name: 'written',
  dependencies: {
    '@strapi/strapi': '4.26.2',
    '@strapi/plugin-graphql': '4.26.2',
    '@strapi/plugin-users-permissions': '4.26.2',
  },
})

const typeDefs = `
  type Query {
    articleBySlug(slug: String!): ArticleEntityResponse
    articlesLike(text: String!): ArticleEntityResponseCollection
    shelf(text: String!, start: Int, limit: Int): ArticleEntityResponseCollection
    hello(name: String): Greeting
    whoami: String
    nobody: String
    kept: String
    refused(with: String!): String
    later: String
  }
  type Greeting { text: String! length: Int secret: String }
  type Mutation { double(n: Int!): Int! }
  extend type Article { fullTitle(sign: String = "!"): String, extra: JSON }
`

const index = `
const { ApplicationError, ValidationError } = require('@strapi/utils').errors
module.exports = {
  register({ strapi }) {
    const extension = strapi.plugin('graphql').service('extension')
    extension.shadowCRUD('api::hidden.hidden').disable()
    extension.shadowCRUD('api::tag.tag').disableMutations().disableAction('findOne')
    extension.shadowCRUD('api::article.article').field('internal').disable()
    extension.shadowCRUD('api::article.article').field('slug').disableFilters()
    extension.use(({ strapi }) => ({
      typeDefs: ${JSON.stringify(typeDefs)},
      resolvers: {
        Query: {
          articleBySlug: {
            resolve: async (parent, args, context) => {
              const { toEntityResponse } = strapi.plugin('graphql').service('format').returnTypes
              const [found] = await strapi.entityService.findMany('api::article.article', { filters: { slug: args.slug } })
              return toEntityResponse(found ?? null, { args, resourceUID: 'api::article.article' })
            },
          },
          articlesLike: async (parent, { text }) => {
            const { toEntityResponseCollection } = strapi.service('plugin::graphql.format').returnTypes
            const nodes = await strapi.entityService.findMany('api::article.article', { filters: { title: { $contains: text } }, sort: 'title:desc' })
            return toEntityResponseCollection(nodes, { args: { filters: { title: { $contains: text } }, start: 0, limit: 10 }, resourceUID: 'api::article.article' })
          },
          shelf: async (parent, { text, start, limit }) => {
            const { toEntityResponseCollection } = strapi.plugin('graphql').service('format').returnTypes
            const asked = { filters: { title: { $contains: text } }, sort: 'title:asc', start, limit }
            const nodes = await strapi.entityService.findMany('api::article.article', asked)
            return toEntityResponseCollection(nodes, { args: asked, resourceUID: 'api::article.article' })
          },
          hello: (parent, { name = 'you' }) => ({ text: 'hello ' + name }),
          whoami: (parent, args, context) => String(context.state.user?.username) + ' ' + context.koaContext.request.header['x-probe'],
          nobody: () => 'nobody',
          kept: () => strapi.requestContext.get().request.url,
          refused: (parent, args) => {
            if (args.with === 'app') throw new ApplicationError('not now', { why: 1 })
            if (args.with === 'value') throw new ValidationError('wrong')
            throw new Error('a secret of the code')
          },
          later: async () => { await new Promise(resolve => setTimeout(resolve, 5)); return 'later' },
        },
        Greeting: { length: parent => parent.text.length },
        Mutation: { double: (parent, { n }) => n * 2 },
        Article: {
          fullTitle: (parent, { sign }) => parent.title + ' (' + parent.slug + ')' + sign,
          extra: async parent => ({ id: parent.id, keys: Object.keys(parent).includes('title') }),
        },
        Nothing: { at: () => 1 },
      },
      resolversConfig: {
        'Query.articleBySlug': { auth: false },
        'Query.articlesLike': { auth: { scope: ['api::article.article.find'] } },
        'Query.shelf': { auth: false },
        'Query.hello': { auth: false, policies: [({ args, context, http }, config) => args.name !== 'nobody' && http === context.koaContext] },
        'Query.whoami': { auth: false },
        'Query.kept': { auth: false, middlewares: [async (next, parent, args, context, info) => 'kept ' + await next(parent, args, context, info) + ' ' + info.fieldName, 'global::loud'] },
        'Query.refused': { auth: false },
        'Query.later': { auth: false },
        'Mutation.double': { auth: false },
        'Query.articles': { auth: false, middlewares: [(next, parent, args, context, info) => next(parent, { ...args, sort: ['title:desc'] }, context, info)] },
        'Query.tags': { policies: ['open'], auth: false },
      },
    }))
    extension.use(({ nexus }) => ({ types: [nexus.objectType({ name: 'Made' })] }))
    extension.use({ plugins: [{}] })
  },
  async bootstrap({ strapi }) {
    for (const [title, slug] of [['one', 'a'], ['two', 'b'], ['three', 'c']])
      await strapi.entityService.create('api::article.article', { data: { title, slug, internal: 'x', tags: [] } })
    const tag = await strapi.entityService.create('api::tag.tag', { data: { name: 'red', articles: [1, 2] } })
    await strapi.query('plugin::users-permissions.user').create({ data: { username: 'ann', email: 'ann@example.com', confirmed: true, blocked: false, provider: 'local', role: 1 } })
  },
}
`

const files = {
  'package.json': packageJson,
  'config/plugins.js': 'module.exports = { graphql: { config: { apolloServer: { introspection: true } } } }',
  'src/index.js': index,
  'src/policies/open.js':
    "module.exports = ({ type, state, args }) => type === 'graphql' && state !== undefined && args.sort?.[0] !== 'no'",
  'src/middlewares/loud.js':
    'module.exports = (options, { strapi }) => async (next, ...given) => (await next(...given)).toUpperCase()',
  'src/api/article/content-types/article/schema.json': schemaOf('article', {
    title: { type: 'string' },
    slug: { type: 'string' },
    internal: { type: 'string' },
    hidden: { type: 'relation', relation: 'oneToOne', target: 'api::hidden.hidden' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
  }),
  'src/api/tag/content-types/tag/schema.json': schemaOf('tag', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
  }),
  'src/api/hidden/content-types/hidden/schema.json': schemaOf('hidden'),
  ...generated('api::article.article'),
  ...generated('api::tag.tag'),
  ...generated('api::hidden.hidden'),
}

describe('code of a project that extends the schema of GraphQL', () => {
  let project: RunningProject
  const ask = async (query: string, auth = 'none') => {
    const { text } = await project.send({
      ...{ auth, method: 'POST', path: '/graphql', body: { query } },
      headers: { 'x-probe': 'probed' },
    })
    return JSON.parse(text)
  }
  const codesOf = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
    errors.map(({ extensions }) => extensions.code)

  it('works', async () => {
    project = await start(files)
    await all()
  })

  async function all() {
    const one = await ask(
      '{ articleBySlug(slug: "b") { data { id attributes { title fullTitle } } } none: articleBySlug(slug: "z") { data { id } } }',
    )
    assert.deepEqual(one, {
      data: {
        articleBySlug: { data: { id: '2', attributes: { title: 'two', fullTitle: 'two (b)!' } } },
        none: { data: null },
      },
    })
    const hello = await ask('{ hello { text length } later kept whoami }')
    assert.deepEqual(hello, {
      data: {
        hello: { text: 'hello you', length: 9 },
        later: 'later',
        kept: 'kept /GRAPHQL kept',
        whoami: 'undefined probed',
      },
    })
    assert.equal((await ask('{ whoami }', 'user1')).data.whoami, 'ann probed')
    const refusedByPolicy = await ask('{ hello(name: "nobody") { text } }')
    assert.deepEqual(codesOf(refusedByPolicy), ['FORBIDDEN'])
    assert.equal(refusedByPolicy.errors[0].message, 'Policy Failed')
    // Without a word about it, a root asks for an account.
    assert.deepEqual(codesOf(await ask('{ nobody }')), ['FORBIDDEN'])
    assert.equal((await ask('{ nobody }', 'user1')).data.nobody, 'nobody')
    assert.deepEqual(codesOf(await ask('{ articlesLike(text: "t") { data { id } } }')), ['FORBIDDEN'])
    // Pages: two of the three titles have an "o", whatever part of them is shown.
    const shelf = async (page: string) => {
      const { data, errors = [] } = await ask(
        `{ shelf(text: "o"${page}) { data { attributes { title fullTitle } } meta { pagination { page pageSize pageCount total } } } }`,
      )
      assert.deepEqual(errors, [])
      const titles = data.shelf.data.map(
        ({ attributes }: { attributes: Record<string, string> }) => attributes.fullTitle,
      )
      return [titles, data.shelf.meta.pagination]
    }
    const pages = { pageSize: 1, pageCount: 2, total: 2 }
    assert.deepEqual(await shelf(', start: 0, limit: 1'), [['one (a)!'], { page: 1, ...pages }])
    assert.deepEqual(await shelf(', start: 1, limit: 1'), [['two (b)!'], { page: 2, ...pages }])
    assert.deepEqual(await shelf(', start: 2, limit: 1'), [[], { page: 3, ...pages }])
    const all = [['one (a)!', 'two (b)!'], { page: 1, pageSize: 2, pageCount: 1, total: 2 }]
    assert.deepEqual([await shelf(', limit: -1'), await shelf('')], [all, all])
    const errors = await ask('{ a: refused(with: "app") b: refused(with: "value") c: refused(with: "x") }')
    assert.deepEqual(codesOf(errors), ['STRAPI_APPLICATION_ERROR', 'BAD_USER_INPUT', 'INTERNAL_SERVER_ERROR'])
    assert.deepEqual(errors.errors[0].extensions.error, {
      name: 'ApplicationError',
      message: 'not now',
      details: { why: 1 },
    })
    assert.doesNotMatch(JSON.stringify(errors), /a secret/)
    assert.deepEqual((await ask('mutation { double(n: 4) }')).data, { double: 8 })
    // Roots of the content: who may ask, and arguments that a middleware changes.
    const articles = await ask('{ articles { data { attributes { title extra } } meta { pagination { total } } } }')
    assert.deepEqual(
      articles.data?.articles,
      {
        data: [
          { attributes: { title: 'two', extra: { id: 2, keys: true } } },
          { attributes: { title: 'three', extra: { id: 3, keys: true } } },
          { attributes: { title: 'one', extra: { id: 1, keys: true } } },
        ],
        meta: { pagination: { total: 3 } },
      },
      JSON.stringify(articles),
    )
    assert.deepEqual(codesOf(await ask('{ tags(sort: "no") { data { id } } }')), ['FORBIDDEN'])
    assert.equal((await ask('{ tags { data { attributes { name } } } }')).data.tags.data[0].attributes.name, 'red')
    assert.deepEqual(codesOf(await ask('{ article(id: 1) { data { id } } }')), ['FORBIDDEN'])
    // Parts of the content that are taken out.
    const { data } = await ask(`{
      query: __type(name: "Query") { fields { name } } mutation: __type(name: "Mutation") { fields { name } }
      article: __type(name: "Article") { fields { name } } input: __type(name: "ArticleInput") { inputFields { name } }
      filters: __type(name: "ArticleFiltersInput") { inputFields { name } } hidden: __type(name: "Hidden") { name } }`)
    const names = (of: { name: string }[]) => of.map(({ name }) => name)
    const roots = [...names(data.query.fields), ...names(data.mutation.fields)]
    for (const gone of ['hiddens', 'hidden', 'createHidden', 'tag', 'createTag', 'updateTag', 'deleteTag'])
      assert.ok(!roots.includes(gone), gone)
    for (const there of ['tags', 'articles', 'createArticle', 'articleBySlug', 'double'])
      assert.ok(roots.includes(there), there)
    assert.deepEqual(names(data.article.fields), [
      'title',
      'slug',
      'tags',
      'createdAt',
      'updatedAt',
      'fullTitle',
      'extra',
    ])
    assert.deepEqual(names(data.input.inputFields), ['title', 'slug', 'tags'])
    assert.ok(!names(data.filters.inputFields).some(name => ['slug', 'internal', 'hidden'].includes(name)))
    assert.equal(data.hidden, null)
    const said = project.lines.map(({ msg }) => msg).filter(msg => /GraphQL schema|graphql:/.test(msg))
    assert.deepEqual(said.sort(), [
      'an extension of the GraphQL schema: it is left out: nexus.objectType is not carried: declare types in typeDefs, with their functions in resolvers',
      'an extension of the GraphQL schema: its plugins are not used: declare types in typeDefs, with their functions in resolvers',
      'graphql: the resolver of Nothing.at is not used: the schema has no such field',
    ])
  }
})

describe('a project of which no schema can be made', () => {
  const answer = async (more: Readonly<Record<string, string>>, environment = 'development') => {
    const { send } = await start({ 'package.json': packageJson, ...more }, { variables: { NODE_ENV: environment } })
    const { status, text } = await send({
      auth: 'none',
      method: 'POST',
      path: '/graphql',
      body: { query: '{ __typename }' },
    })
    return { status, body: JSON.parse(text) }
  }
  const extension = (parts: string) => ({
    'src/index.js': `module.exports = { register({ strapi }) { strapi.plugin('graphql').service('extension').use(${parts}) } }`,
  })

  it('starts all the same, and says so at the endpoint', async () => {
    for (const [parts, message] of [
      ["{ typeDefs: 'type Query { broken' }", /the type definitions of an extension are wrong: Syntax Error/],
      ["{ typeDefs: 'type Query { a: Missing }' }", /Unknown type "Missing"/],
      ["{ typeDefs: 'type Empty type Query { a: Empty }' }", /Type Empty must define one or more fields/],
    ] as const) {
      const { status, body } = await answer(extension(parts))
      assert.equal(status, 501)
      assert.match(body.errors[0].message, message)
    }
  })

  it('keeps the reason to itself in production', async () => {
    const { status, body } = await answer(extension("{ typeDefs: 'type Query { secret: Missing }' }"), 'production')
    assert.deepEqual([status, body.errors[0].message], [501, 'No schema can be made: the log of the server says why'])
  })

  it('serves the rest where names clash', async () => {
    const clashing = ['date', 'faq2', 'faq-2'].flatMap(name => [
      [`src/api/${name}/content-types/${name}/schema.json`, schemaOf(name)] as const,
      ...Object.entries(generated(`api::${name}.${name}`)),
    ])
    const { status, body } = await answer(Object.fromEntries(clashing))
    assert.deepEqual({ status, body }, { status: 200, body: { data: { __typename: 'Query' } } })
  })
})
