import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { GraphQLString } from 'graphql'
import { it } from 'vitest'
import { type ContentType, definePlugin } from '../../../core/index.js'
import {
  type Addition,
  type Extension,
  type FieldMeaning,
  graphql,
  type ListedEntries,
  type MadeTypes,
  type OwnFields,
} from '../../../plugins/graphql/index.js'
import { contractOnce } from '../../support/contract.js'
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
