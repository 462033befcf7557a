import assert from 'node:assert/strict'
import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, ForbiddenError, InvalidParameter } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { contract, type World } from '../../support/contract.js'
import { asking } from './asking.js'

const articleUid = 'api::article.article'
const statistics = new GraphQLObjectType({
  name: 'Statistics',
  fields: { articles: { type: new GraphQLNonNull(GraphQLInt) }, longest: { type: GraphQLString } },
})

/** Counts what there is, and renames articles: a query of its own, a mutation, and fields of entries. */
const statistic = definePlugin({
  name: 'statistic',
  uses: [graphql],
  register(host) {
    host.service(graphql).extend(made => ({
      query: {
        statistics: {
          type: statistics,
          async resolve(_, __, { call }) {
            if (!call.caller.can('find', articleUid)) throw new ForbiddenError()
            const titles = (await host.entries(articleUid).find({})).map(({ title }) => String(title))
            return { articles: titles.length, longest: () => titles.sort((a, b) => b.length - a.length)[0] }
          },
        },
        raw: { type: made.object('Article'), resolve: () => ({ title: 'raw', secret: 'a hash' }) },
        newest: {
          type: made.object('ArticleEntityResponse'),
          extensions: {
            stele: {
              is: 'entry',
              type: host.types.get(articleUid) as never,
              act: async () => Number((await host.entries(articleUid).first({ sort: ['id:desc'] }))?.id),
            },
          },
        },
      },
      mutation: {
        rename: {
          type: GraphQLString,
          args: { id: { type: new GraphQLNonNull(GraphQLInt) }, to: { type: new GraphQLNonNull(GraphQLString) } },
          async resolve(_, { id, to }, { call }) {
            await call.content.update(articleUid, id, { title: to })
            return `renamed to ${to}`
          },
        },
      },
      fields: {
        Article: {
          shout: {
            type: GraphQLString,
            args: { sign: { type: GraphQLString, defaultValue: '!' } },
            resolve: ({ title }, { sign }) => `${title.toUpperCase()}${sign}`,
          },
          words: { type: new GraphQLList(statistics), resolve: async ({ title }) => wordsOf(title) },
          broken: {
            type: GraphQLString,
            resolve: ({ id }) => {
              if (id === 1) throw new InvalidParameter(['broken'], 'is broken', 'broken')
              throw new Error('a secret of the server')
            },
          },
          sure: { type: new GraphQLNonNull(GraphQLString), resolve: ({ id }) => (id === 1 ? 'yes' : null) },
        },
      },
    }))
  },
})

const wordsOf = (title: string) => title.split(' ').map(word => ({ articles: word.length, longest: word }))

const world = {
  types: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true },
        body: { type: 'string' },
        secret: { type: 'password' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
      },
    },
  },
  plugins: [draftAndPublish, graphql, statistic],
  async rows(app) {
    const publishedAt = new Date().toISOString()
    const red = await app.entries('api::tag.tag').create({ name: 'red' })
    for (const title of ['one two', 'three'])
      await app.entries(articleUid).create({ title, publishedAt, tags: [red.id] })
  },
} satisfies World

contract('plugins add to the schema of GraphQL', world, api => {
  const ask = asking(api)

  it('a query of their own, with a permission of their choice', async () => {
    const { data, errors, text } = await ask(
      '{ s: statistics { articles longest __typename } articles { meta { pagination { total } } } }',
    )
    assert.deepEqual(errors, [], text)
    assert.deepEqual(data.s, { articles: 2, longest: 'one two', __typename: 'Statistics' })
  })

  it('a query that answers an entry of the content', async () => {
    const { data, text } = await ask(
      '{ newest { data { id attributes { title tags { data { attributes { name } } } } } } }',
    )
    assert.equal(data.newest.data?.attributes.title, 'three', text)
    assert.equal(data.newest.data.attributes.tags.data[0].attributes.name, 'red')
  })

  it('a query that answers an object as it has it, but for passwords', async () => {
    const { data, text } = await ask('{ raw { title secret } }')
    assert.deepEqual(data?.raw, { title: 'raw', secret: null }, text)
  })

  it('a mutation', async () => {
    const { data, text } = await ask('mutation { rename(id: 2, to: "four") }')
    assert.equal(data?.rename, 'renamed to four', text)
    const { data: after } = await ask('{ article(id: 2) { data { attributes { title } } } }')
    assert.equal(after.article.data.attributes.title, 'four')
    await ask('mutation { rename(id: 2, to: "three") }')
  })

  describe('fields of entries', () => {
    it('which are given the columns of their entry', async () => {
      const { data, text } = await ask(
        '{ articles(sort: "id") { data { id attributes { shout more: shout(sign: "?") words { longest } } } meta { pagination { total } } } }',
      )
      assert.deepEqual(
        data?.articles.data[0],
        {
          id: '1',
          attributes: { shout: 'ONE TWO!', more: 'ONE TWO?', words: [{ longest: 'one' }, { longest: 'two' }] },
        },
        text,
      )
      assert.equal(data.articles.meta.pagination.total, 2)
    })

    it('in one entry, below relations, and in what a mutation answers', async () => {
      const one = await ask('{ article(id: 1) { data { attributes { shout title } } } }')
      assert.deepEqual(one.data?.article.data.attributes, { shout: 'ONE TWO!', title: 'one two' }, one.text)
      const below = await ask(
        '{ tags { data { attributes { articles(sort: "id") { data { attributes { shout } } } } } } }',
      )
      const { data } = below.data?.tags.data[0].attributes.articles ?? assert.fail(below.text)
      assert.deepEqual(data[1], { attributes: { shout: 'THREE!' } })
      const made = await ask('mutation { updateArticle(id: 2, data: { body: "b" }) { data { attributes { shout } } } }')
      assert.equal(made.data?.updateArticle.data.attributes.shout, 'THREE!', made.text)
    })

    it('whose errors have their place, and say nothing of the server', async () => {
      const { data, errors, text } = await ask('{ articles(sort: "id") { data { attributes { broken title } } } }')
      assert.deepEqual(data?.articles.data[1], { attributes: { broken: null, title: 'three' } }, text)
      assert.deepEqual(
        errors.map(([code]) => code),
        ['BAD_USER_INPUT', 'INTERNAL_SERVER_ERROR'],
      )
      assert.deepEqual(JSON.parse(text).errors[1].path, ['articles', 'data', 1, 'attributes', 'broken'])
      assert.doesNotMatch(text, /a secret/)
    })

    it('which are null with what holds them, where they may not be null', async () => {
      const { data, errors } = await ask('{ articles(sort: "id") { data { id attributes { sure } } } }')
      assert.deepEqual(data.articles.data, [
        { id: '1', attributes: { sure: 'yes' } },
        { id: '2', attributes: null },
      ])
      assert.equal(errors.length, 1)
    })

    it('each time anew, although the rest of the response may be cached', async () => {
      const query = '{ article(id: 1) { data { attributes { shout } } } }'
      await ask(query)
      const { data } = await ask(query)
      assert.equal(data.article.data.attributes.shout, 'ONE TWO!')
    })
  })
})

describe('additions that cannot be made', () => {
  const app = (extension: (service: { extend: (made: never) => void }) => void) => {
    const adding = definePlugin({
      name: 'adding',
      uses: [graphql],
      register: host => extension(host.service(graphql) as never),
    })
    return createTestApp({ types: world.types, plugins: [graphql, adding] })
  }

  it('stop the start: fields of a type that is none', async () => {
    const fields = { Nothing: { one: { type: GraphQLString } } }
    const add = () => ({ fields })
    await assert.rejects(
      app(({ extend }) => extend(add as never)),
      /adds fields to Nothing, which is no object type/,
    )
  })

  it('stop the start: a field of a type that is not there', async () => {
    const add = (made: { object: (name: string) => unknown }) => ({ query: { x: { type: made.object('Nothing') } } })
    await assert.rejects(
      app(({ extend }) => extend(add as never)),
      /needs the type Nothing/,
    )
  })

  it('stop the start: wrong texts', async () => {
    await assert.rejects(
      app(({ extend }) => extend({ typeDefs: ['type {'] } as never)),
      /type definitions of an extension are wrong/,
    )
    await assert.rejects(
      app(({ extend }) => extend({ typeDefs: ['extend type Query { x: Nothing }'] } as never)),
      /Unknown type "Nothing"/,
    )
  })
})
