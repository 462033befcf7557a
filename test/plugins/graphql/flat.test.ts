import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Caller, definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { contract, type World } from '../../support/contract.js'
import { asking } from './asking.js'

/** Trusts the name in the request: the reader may find articles alone, and only those that are not hidden. */
const names = definePlugin({
  name: 'names',
  authenticate({ headers }): Caller {
    const name = String(headers['x-name'] ?? 'writer')
    const isWriter = name === 'writer'
    return {
      scope: `name ${name}`,
      id: name,
      can: (action, uid) => isWriter || (uid === 'api::article.article' && action !== 'delete'),
      ...(!isWriter && {
        rows: (_: string, uid: string) => (uid === 'api::article.article' ? { slug: { $ne: 'hidden' } } : undefined),
      }),
    }
  },
})

const localized = { pluginOptions: { i18n: { localized: true } } }

const blog = {
  types: {
    article: {
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { type: 'string', required: true, ...localized },
        slug: { type: 'string', ...localized },
        internal: { type: 'string', private: true, ...localized },
        secret: { type: 'password', ...localized },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', ...localized },
        cards: { type: 'component', component: 'shared.card', repeatable: true, ...localized },
        zone: { type: 'dynamiczone', components: ['shared.card', 'shared.note'], ...localized },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      },
    },
    tag: { attributes: { name: { type: 'string' } } },
    homepage: {
      kind: 'singleType',
      options: { draftAndPublish: true },
      attributes: { headline: { type: 'string', required: true } },
    },
  },
  components: {
    'shared.card': {
      attributes: {
        label: { type: 'string' },
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
      },
    },
    'shared.note': { attributes: { text: { type: 'string' } } },
  },
  plugins: [names, draftAndPublish, [i18n, { locales: ['en', 'fr'] }], [graphql, { shape: 'flat' }]],
} satisfies World

for (const dialect of ['spec', 'strapi4'] as const) {
  contract(`the flat shape in ${dialect}`, { ...blog, rest: { dialect } }, api => {
    const ask = asking(api)
    const askAsReader = asking(api, { 'x-name': 'reader' })
    const run = async (query: string, variables?: object) => {
      const { data, errors, text } = await ask(query, variables as Record<string, unknown>)
      assert.deepEqual(errors, [], text)
      return data
    }
    const codes = ({ errors }: { readonly errors: readonly (readonly [string, string])[] }) =>
      errors.map(([code]) => code)
    const tag = async (name: string): Promise<string> =>
      (await run('mutation ($name: String) { createTag(data: { name: $name }) { documentId } }', { name })).createTag
        .documentId
    const article = async (data: string, more = ''): Promise<string> =>
      (await run(`mutation { createArticle(data: { ${data} } ${more}) { documentId } }`)).createArticle.documentId

    describe('mutations', () => {
      it('answer the entry that they have written', async () => {
        const [red, blue] = [await tag('red'), await tag('blue')]
        const { createAuthor } = await run('mutation { createAuthor(data: { name: "Ann" }) { documentId name } }')
        assert.equal(createAuthor.name, 'Ann')
        const written = `title author { name } tags { documentId name } tags_connection { nodes { name } }
          cards { label tag { name } } zone { __typename ... on ComponentSharedNote { text } }`
        const data = {
          title: 'Bread',
          author: createAuthor.documentId,
          tags: [blue, red],
          cards: [{ label: 'one', tag: red }],
          zone: [{ __typename: 'ComponentSharedNote', text: 'a note' }],
        }
        const create = `mutation ($data: ArticleInput!) { createArticle(data: $data) { documentId ${written} } }`
        const { documentId, ...made } = (await run(create, { data })).createArticle
        const shown = {
          title: 'Bread',
          author: { name: 'Ann' },
          tags: [
            { documentId: blue, name: 'blue' },
            { documentId: red, name: 'red' },
          ],
          tags_connection: { nodes: [{ name: 'blue' }, { name: 'red' }] },
          cards: [{ label: 'one', tag: { name: 'red' } }],
          zone: [{ __typename: 'ComponentSharedNote', text: 'a note' }],
        }
        assert.deepEqual(made, shown)
        const read = `query ($id: ID!) { article(documentId: $id) { ${written} } }`
        assert.deepEqual((await run(read, { id: documentId })).article, shown)
        const update = `mutation ($id: ID!) { updateArticle(documentId: $id, data: { title: "Rye", tags: [] }) { title tags { name } author { name } } }`
        const changed = { title: 'Rye', tags: [], author: { name: 'Ann' } }
        assert.deepEqual((await run(update, { id: documentId })).updateArticle, changed)
        const remove = 'mutation ($id: ID!) { deleteArticle(documentId: $id) { __typename documentId } }'
        const gone = { __typename: 'DeleteMutationResponse', documentId }
        assert.deepEqual((await run(remove, { id: documentId })).deleteArticle, gone)
        assert.equal((await run(remove, { id: documentId })).deleteArticle, null)
        assert.equal((await run(read, { id: documentId })).article, null)
      })
      it('publish, unless a draft is asked for', async () => {
        const state = async (more: string, data = 'title: "a"') =>
          (await run(`mutation { createArticle(data: { ${data} } ${more}) { publishedAt } }`)).createArticle.publishedAt
        assert.ok(await state(''))
        assert.ok(await state('status: PUBLISHED'))
        assert.equal(await state('status: DRAFT', 'slug: "no title yet"'), null)
        const date = '2024-01-02T03:04:05.000Z'
        assert.equal(await state('status: DRAFT', `title: "a", publishedAt: "${date}"`), date)
        assert.deepEqual(codes(await ask('mutation { createArticle(data: { slug: "a" }) { documentId } }')), [
          'BAD_USER_INPUT',
        ])
      })
      it('write single types', async () => {
        const refused = await ask('mutation { updateHomepage(data: {}) { headline } }')
        assert.deepEqual([refused.data, codes(refused)], [{ updateHomepage: null }, ['BAD_USER_INPUT']])
        assert.match(refused.text, /"path":\["updateHomepage"\]/)
        const { updateHomepage } = await run('mutation { updateHomepage(data: { headline: "Hello" }) { headline } }')
        assert.deepEqual(updateHomepage, { headline: 'Hello' })
        assert.deepEqual((await run('{ homepage { headline } }')).homepage, { headline: 'Hello' })
        const { deleteHomepage } = await run('mutation { deleteHomepage { documentId } }')
        assert.match(deleteHomepage.documentId, /^\d+$/)
        assert.equal((await run('{ homepage { headline } }')).homepage, null)
      })
      it('make localizations', async () => {
        const id = await article('title: "Bread"')
        const { createArticleLocalization: made } = await run(
          `mutation { createArticleLocalization(documentId: ${id}, locale: "fr", data: { title: "Pain" }) {
            title locale localizations { title } localizations_connection { nodes { locale } } } }`,
        )
        const [english] = made.localizations ?? []
        assert.deepEqual([made.title, made.locale], ['Pain', 'fr'])
        assert.deepEqual(english, { title: 'Bread' })
      })
    })

    describe('queries', () => {
      it('list entries, and count them only where the page is asked for', async () => {
        for (const slug of ['p1', 'p2', 'p3']) await article(`title: "page", slug: "${slug}"`)
        const which = 'filters: { title: { eq: "page" } }, sort: "documentId:desc", pagination: { limit: 2 }'
        const { articles, list } = await run(`{ articles(${which}) { slug }
          list: articles_connection(${which}) { __typename nodes { slug } pageInfo { total page pageSize pageCount } } }`)
        assert.deepEqual(articles, [{ slug: 'p3' }, { slug: 'p2' }])
        assert.deepEqual(list, {
          __typename: 'ArticleEntityResponseCollection',
          nodes: articles,
          pageInfo: { total: 3, page: 1, pageSize: 2, pageCount: 2 },
        })
      })
      it('find entries by their ids, and by those of related ones', async () => {
        const red = await tag('filtered')
        const id = await article(`title: "filtered", tags: [${red}]`)
        const { articles } = await run(
          'query ($in: [ID], $tag: ID) { articles(filters: { documentId: { in: $in }, tags: { documentId: { eq: $tag } } }, sort: ["title", "tags.documentId"]) { documentId } }',
          { in: [id, '999999'], tag: red },
        )
        assert.deepEqual(articles, [{ documentId: id }])
      })
      it('show drafts to those who ask for them', async () => {
        const live = await article('title: "state"')
        const draft = await article('title: "state"', 'status: DRAFT')
        const listed = async (status: string) =>
          (await run(`{ articles(filters: { title: { eq: "state" } } ${status}) { documentId } }`)).articles.map(
            ({ documentId }: { documentId: string }) => documentId,
          )
        assert.deepEqual(await listed(''), [live])
        assert.deepEqual(await listed('status: PUBLISHED'), [live])
        assert.deepEqual((await listed('status: DRAFT')).sort(), [live, draft].sort())
        const one = async (status: string) =>
          (await run(`{ article(documentId: ${draft} ${status}) { title } }`)).article
        assert.deepEqual(await one('status: DRAFT'), { title: 'state' })
        // An entry by its id is shown in any state to clients of Strapi 4.
        assert.deepEqual(await one(''), dialect === 'strapi4' ? { title: 'state' } : null)
        const author = await run(`mutation { createAuthor(data: { name: "Bob", articles: [${live}, ${draft}] }) {
          live: articles { documentId } all: articles(status: DRAFT) { documentId } } }`)
        assert.deepEqual(author.createAuthor.live, [{ documentId: live }])
        assert.equal(author.createAuthor.all.length, 2)
      })
    })

    describe('permissions', () => {
      it('hide relations with an error, and leave the entry', async () => {
        const id = await article(`title: "forbidden", slug: "shown", tags: [${await tag('unseen')}]`)
        const { data, errors, text } = await askAsReader(
          `{ articles(filters: { documentId: { eq: ${id} } }) { title author { name } tags { name } tags_connection { nodes { name } } } }`,
        )
        assert.deepEqual(data.articles, [{ title: 'forbidden', author: null, tags: null, tags_connection: null }])
        assert.deepEqual(
          errors.map(([code]) => code),
          ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'],
        )
        assert.match(text, /"path":\["articles",0,"tags_connection"\]/)
      })
      it('refuse roots: without a list there is no data', async () => {
        const one = await askAsReader('{ tag(documentId: 1) { name } }')
        assert.deepEqual([one.data, codes(one)], [{ tag: null }, ['FORBIDDEN']])
        const many = await askAsReader('{ tags { name } }')
        assert.deepEqual([many.data, codes(many)], [null, ['FORBIDDEN']])
        const connected = await askAsReader('{ tags_connection { nodes { name } } }')
        assert.deepEqual([connected.data, codes(connected)], [{ tags_connection: null }, ['FORBIDDEN']])
        const removed = await askAsReader('mutation { deleteArticle(documentId: 1) { documentId } }')
        assert.deepEqual([removed.data, codes(removed)], [{ deleteArticle: null }, ['FORBIDDEN']])
      })
      it('hide rows', async () => {
        const id = await article('title: "hidden row", slug: "hidden"')
        const asked = `{ articles(filters: { title: { eq: "hidden row" } }) { title } article(documentId: ${id}) { title } }`
        assert.deepEqual((await askAsReader(asked)).data, { articles: [], article: null })
      })
      it('leave out private attributes, and never show passwords', async () => {
        const id = await article('title: "secrets", internal: "x", secret: "pass word"')
        assert.equal((await run(`{ article(documentId: ${id}) { secret } }`)).article.secret, null)
        for (const query of ['{ articles { internal } }', '{ articles { id } }', '{ articles { data { title } } }'])
          assert.deepEqual(codes(await ask(query)), ['GRAPHQL_VALIDATION_FAILED'])
        const filtered = await ask('{ articles(filters: { internal: { eq: "x" } }) { title } }')
        assert.deepEqual([filtered.data, codes(filtered)], [null, ['BAD_USER_INPUT']])
      })
    })
  })
}
