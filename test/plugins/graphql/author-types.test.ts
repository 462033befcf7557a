import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { GraphQLString } from 'graphql'
import { it } from 'vitest'
import { type ContentType, definePlugin, type Host } from '../../../core/index.js'
import {
  type Addition,
  type Extension,
  type FieldMeaning,
  graphql,
  type ListedEntries,
  type MadeTypes,
  type OwnFields,
  type Resolver,
  type SdlParts,
} from '../../../plugins/graphql/index.js'
import { type Body, contractOnce } from '../../support/contract.js'
import { asking } from './asking.js'

const uid = 'api::article.article'

/** Parts that an author writes apart from the call of `extend`: each has a type that the plugin exports. */
const shouts: OwnFields = { shout: { type: GraphQLString, resolve: ({ title }) => `${title}!` } }
const chosen: ListedEntries = { ids: [3, 1], pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } }
const listing = (type: ContentType): FieldMeaning => ({ is: 'listed', type, act: async () => chosen })

function additionOf(made: MadeTypes, type: ContentType): Addition {
  const best = { type: made.object('ArticleEntityResponseCollection'), extensions: { stele: listing(type) } }
  return { query: { best }, fields: { Article: shouts } }
}

const extending = definePlugin({
  name: 'extending',
  uses: [graphql],
  register(host) {
    const extension: Extension = made => additionOf(made, host.types.get(uid) as ContentType)
    host.service(graphql).extend(extension)
  },
})

contractOnce(
  'the types for authors of additions',
  {
    types: { article: { attributes: { title: { type: 'string' } } } },
    plugins: [graphql, extending],
    async rows(app) {
      for (const title of ['one', 'two', 'three']) await app.entries(uid).create({ title })
    },
  },
  api => {
    it('fit what the plugin does with them', async () => {
      const { data, text } = await asking(api)(
        '{ best { data { id attributes { shout } } meta { pagination { page pageCount total } } } }',
      )
      assert.deepEqual(
        data?.best,
        {
          data: [
            { id: '3', attributes: { shout: 'three!' } },
            { id: '1', attributes: { shout: 'one!' } },
          ],
          meta: { pagination: { page: 1, pageCount: 2, total: 3 } },
        },
        text,
      )
    })
  },
)

/** Pages of entries by a text: `{ nodes, pagination }` names what a page shows, and the content reads it. */
const paged =
  (host: Pick<Host, 'entries'>): Resolver =>
  async (_source, { page, pageSize }) => {
    const [number, size] = [Number(page), Number(pageSize)]
    const start = (number - 1) * size
    const nodes = await host.entries(uid).find({ sort: 'title', start, limit: size })
    const total = await host.entries(uid).count()
    return { nodes, pagination: { page: number, pageSize: size, pageCount: Math.ceil(total / size), total } }
  }

const byText = (host: Pick<Host, 'entries'>): SdlParts => ({
  typeDefs: [
    'extend type Query { shelf(page: Int = 1, pageSize: Int = 2): ArticleEntityResponseCollection }',
    'extend type Article { shout: String! }',
  ],
  resolvers: {
    Query: { shelf: paged(host) },
    Article: { shout: source => `${(source as { title: string }).title}!` },
  },
})

const extendingByText = definePlugin({
  name: 'extending-by-text',
  uses: [graphql],
  register: host => host.service(graphql).extend(byText(host)),
})

for (const [shape, selected, entry] of [
  [
    'v4',
    'data { attributes { title shout } } meta { pagination { page pageSize pageCount total } }',
    ({ data, meta }: Body) => [data.map(({ attributes }: Body) => attributes), meta.pagination],
  ],
  [
    'flat',
    'nodes { title shout } pageInfo { page pageSize pageCount total }',
    ({ nodes, pageInfo }: Body) => [nodes, pageInfo],
  ],
] as const)
  contractOnce(
    `pages of entries that a text adds, in the shape ${shape}`,
    {
      types: { article: { attributes: { title: { type: 'string' } } } },
      plugins: [[graphql, { shape }], extendingByText],
      async rows(app) {
        for (const title of ['e', 'b', 'd', 'a', 'c']) await app.entries(uid).create({ title })
      },
    },
    api => {
      it('show each entry once, in order, with the total', async () => {
        const ask = asking(api)
        const titles = ['ab', 'cd', 'e', '']
        for (const [index, expected] of titles.entries()) {
          const page = index + 1
          const { data, text } = await ask(`query ($page: Int) { shelf(page: $page) { ${selected} } }`, { page })
          const shown = [...expected].map(title => ({ title, shout: `${title}!` }))
          assert.deepEqual(entry(data?.shelf), [shown, { page, pageSize: 2, pageCount: 3, total: 5 }], text)
        }
        const { data } = await ask(`{ all: shelf(pageSize: 9) { ${selected} } }`)
        assert.deepEqual(entry(data?.all)[1], { page: 1, pageSize: 9, pageCount: 1, total: 5 })
      })
    },
  )

it('the page of the plugin lists the types that it exports', () => {
  const textOf = (file: string) => readFileSync(new URL(`../../../plugins/graphql/${file}`, import.meta.url), 'utf8')
  const exported = [...textOf('index.ts').matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  )
  const [, listed = ''] = /\n\| Type \| .*?\n\|---\|---\|\n(.*?)\n\n/s.exec(textOf('README.md')) ?? []
  const names = [...listed.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? [])
  assert.deepEqual(names.sort(), exported.sort())
})
