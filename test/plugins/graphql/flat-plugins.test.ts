import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { generated } from '../../strapi4/project.js'
import { contractOnce, type World } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { schemaOf, start } from '../strapi-code/support/written.js'
import { encode, type Part, serveUploads } from '../upload/world.js'
import { asUser, world } from '../users-permissions/people.js'
import { asking } from './asking.js'

const flat = [graphql, { shape: 'flat' }] as const

contractOnce(
  'accounts in the flat shape',
  {
    ...world({
      accounts: { alice: {} },
      roles: {
        authenticated: ['create', 'update', 'destroy', 'find', 'findOne'].map(
          action => `plugin::users-permissions.user.${action}`,
        ),
      },
    }),
    plugins: [...(world({}).plugins ?? []), flat],
  } as World,
  api => {
    const ask = asking(api, asUser(1))

    it('have their ids as documentId, and are written as in Strapi 5', async () => {
      const { data } = await ask('{ me { id documentId username } usersPermissionsUsers { documentId username } }')
      assert.deepEqual(data.me, { id: '1', documentId: '1', username: 'alice' })
      assert.deepEqual(data.usersPermissionsUsers, [{ documentId: '1', username: 'alice' }])
      const created = await ask(
        'mutation { createUsersPermissionsUser(data: { username: "ben", email: "ben@example.test", password: "ben-pass-1" }) { data { documentId username } } }',
      )
      const { documentId } = created.data?.createUsersPermissionsUser?.data ?? assert.fail(created.text)
      const deleted = await ask(
        `mutation { deleteUsersPermissionsUser(id: ${documentId}) { data { documentId username } } }`,
      )
      assert.deepEqual(deleted.data.deleteUsersPermissionsUser, { data: { documentId, username: 'ben' } })
    })
  },
)

onSqlite('files in the flat shape', engine => {
  const files = serveUploads(engine, { plugins: [flat] } as never)

  it('are taken, and answered without anything around them', async () => {
    const query =
      'mutation ($file: Upload!, $files: [Upload]!) { upload(file: $file) { documentId name } multipleUpload(files: $files) { documentId name } }'
    const { body, type } = encode([
      ['operations', JSON.stringify({ query, variables: { file: null, files: [null] } })],
      ['map', JSON.stringify({ 0: ['variables.file'], 1: ['variables.files.0'] })],
      ...['a', 'b'].map((name, index): Part => [String(index), `${name}.txt`, 'text/plain', name]),
    ])
    const headers = { 'content-type': type }
    const response = await files.app.inject({ method: 'POST', url: '/graphql', headers, payload: body })
    const { data } = JSON.parse(response.body)
    assert.deepEqual([data?.upload?.name, data?.multipleUpload?.[0]?.name], ['a.txt', 'b.txt'], response.body)
    const ask = asking(files)
    const { documentId } = data.upload
    const changed = await ask(
      `mutation { updateFileInfo(id: ${documentId}, info: { caption: "one" }) { documentId caption } }`,
    )
    assert.deepEqual(changed.data.updateFileInfo, { documentId, caption: 'one' }, changed.text)
    const removed = await ask(`mutation { removeFile(id: ${documentId}) { documentId name } }`)
    assert.deepEqual(removed.data.removeFile, { documentId, name: 'a.txt' })
    assert.equal((await ask(`mutation { removeFile(id: ${documentId}) { name } }`)).data.removeFile, null)
  })
})

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
} satisfies World['types']

/** Adds a root that answers an entry, one that answers it as it is stored, and a field. */
const adding = definePlugin({
  name: 'adding',
  uses: [graphql],
  register(host) {
    host.service(graphql).extend(made => ({
      query: {
        first: {
          type: made.one('Article'),
          extensions: { stele: { is: 'entry', type: host.types.get('api::article.article'), act: async () => 1 } },
        },
        stored: { type: made.one('Article'), resolve: () => host.entries('api::article.article').first({}) },
      },
      fields: { Article: { shout: { type: made.scalar('String'), resolve: ({ title }) => title.toUpperCase() } } },
    }))
  },
})

contractOnce(
  'additions of plugins in the flat shape',
  {
    types,
    plugins: [flat, adding],
    async rows(app) {
      const tag = await app.entries('api::tag.tag').create({ name: 'red' })
      await app.entries('api::article.article').create({ title: 'one', tags: [tag.id] })
    },
  } as World,
  api => {
    it('answer entries, with fields of their own', async () => {
      const asked = '{ documentId title shout tags { name articles_connection { nodes { shout } } } }'
      const { data, text } = await asking(api)(`{ first ${asked} articles ${asked} stored { documentId title } }`)
      const tags = [{ name: 'red', articles_connection: { nodes: [{ shout: 'ONE' }] } }]
      const one = { documentId: '1', title: 'one', shout: 'ONE', tags }
      assert.deepEqual(data, { first: one, articles: [one], stored: { documentId: '1', title: 'one' } }, text)
    })
  },
)

contractOnce(
  'cached responses in the flat shape',
  { types, plugins: [[graphql, { shape: 'flat', endpoint: '/api/graphql' }]] } as World,
  api => {
    it('are sent again until something is written', async () => {
      const ask = () => api.send('POST', '/graphql', { query: '{ articles { title tags { name } } }' })
      const tag = await api.make('/tags', { name: 'red' })
      await api.make('/articles', { title: 'one', tags: [tag] })
      const first = await ask()
      // A response is cached when it is asked for a second time.
      await ask()
      const again = await ask()
      assert.deepEqual([again.statements, again.text], [[], first.text])
      await api.put(`/tags/${tag}`, { name: 'blue' })
      assert.deepEqual((await ask()).body.data.articles, [{ title: 'one', tags: [{ name: 'blue' }] }])
    })
  },
)

for (const [shape, one, deep] of [
  ['v4', 'articles { data { id } }', 'articles { data { attributes { tags { data { id } } } } }'],
  ['flat', 'articles { title }', 'articles { tags { articles { tags { articles { title } } } } }'],
] as const)
  contractOnce(
    `the limits of the shape ${shape}`,
    { types, plugins: [[graphql, { shape, depthLimit: 4 }]], rest: { limits: { statements: 4 } } } as World,
    api => {
      it('are about the price of what is read, and the depth of the document', async () => {
        const ask = asking(api)
        const many = ['a', 'b', 'c', 'd', 'e'].map(key => `${key}: ${one}`)
        assert.match((await ask(`{ ${many.join(' ')} }`)).text, /needs 5 statements, and more than 4 are refused/)
        assert.match((await ask(`{ ${deep} }`)).text, /exceeds maximum operation depth of 4/)
      })
    },
  )

describe('code of a project in the flat shape', () => {
  const index = `module.exports = {
    register({ strapi }) {
      const extension = strapi.plugin('graphql').service('extension')
      extension.shadowCRUD('api::article.article').field('tags').disableOutput()
      extension.shadowCRUD('api::tag.tag').disableAction('find')
      extension.use(({ strapi }) => ({
        typeDefs: \`
          extend type Query { bySlug(slug: String!): Article all: [Article!]! wrapped: ArticleEntityResponse listed: ArticleEntityResponseCollection }
          extend type Article { loud: String twin: Article }
        \`,
        resolvers: {
          Query: {
            bySlug: (parent, { slug }) => strapi.db.query('api::article.article').findOne({ where: { slug } }),
            all: () => strapi.entityService.findMany('api::article.article', { sort: 'id:desc' }),
            wrapped: () => strapi.service('plugin::graphql.format').returnTypes.toEntityResponse({ id: 2 }),
            listed: () => strapi.service('plugin::graphql.format').returnTypes.toEntityResponseCollection([{ id: 2 }], {}),
          },
          Article: { loud: ({ title }) => title.toUpperCase(), twin: article => article },
        },
        resolversConfig: {
          'Query.bySlug': { auth: false }, 'Query.all': { auth: false }, 'Query.wrapped': { auth: false }, 'Query.listed': { auth: false },
          'Query.articles': { auth: false, policies: [({ args }) => args.filters !== undefined] },
        },
      }))
    },
    async bootstrap({ strapi }) {
      for (const slug of ['a', 'b']) await strapi.entityService.create('api::article.article', { data: { title: slug + ' title', slug } })
    },
  }`

  it('answers entries, and guards both lists', async () => {
    const project = await start({
      'package.json': JSON.stringify({
        name: 'written',
        dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-graphql': '4.26.2' },
      }),
      'config/plugins.js': "module.exports = { graphql: { config: { shape: 'flat' } } }",
      'src/index.js': index,
      'src/api/article/content-types/article/schema.json': schemaOf('article', {
        title: { type: 'string' },
        slug: { type: 'string' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      }),
      'src/api/tag/content-types/tag/schema.json': schemaOf('tag'),
      ...generated('api::article.article'),
      ...generated('api::tag.tag'),
    })
    const ask = async (query: string) => {
      const { text } = await project.send({ auth: 'none', method: 'POST', path: '/graphql', body: { query } })
      return JSON.parse(text)
    }
    const [a, b] = [
      { documentId: '1', title: 'a title' },
      { documentId: '2', title: 'b title' },
    ]
    assert.deepEqual(
      await ask(
        '{ bySlug(slug: "b") { documentId title loud } none: bySlug(slug: "c") { title } all { documentId title } wrapped { data { title } } listed { nodes { title } pageInfo { total } } }',
      ),
      {
        data: {
          ...{ bySlug: { ...b, loud: 'B TITLE' }, none: null, all: [b, a], wrapped: { data: { title: 'b title' } } },
          listed: { nodes: [{ title: 'b title' }], pageInfo: { total: 1 } },
        },
      },
    )
    assert.deepEqual((await ask('{ articles(filters: {}) { title } }')).data.articles.length, 2)
    for (const query of ['{ articles { title } }', '{ articles_connection { nodes { title } } }'])
      assert.equal((await ask(query)).errors[0].extensions.code, 'FORBIDDEN', query)
    for (const query of ['{ tags { documentId } }', '{ tags_connection { nodes { documentId } } }'])
      assert.match((await ask(query)).errors[0].message, /Cannot query field "tags/)
    for (const field of ['tags { documentId }', 'tags_connection { nodes { documentId } }'])
      assert.match((await ask(`{ all { ${field} } }`)).errors[0].message, /Cannot query field "tags/)
    const said = project.lines.map(({ msg }) => msg).filter(msg => /resolver of/.test(msg))
    assert.deepEqual(said, ['graphql: the resolver of Article.twin is not used: it answers entries below the root'])
  })
})
