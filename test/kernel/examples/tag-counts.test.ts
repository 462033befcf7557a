import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { contract } from '../../support/contract.js'
import { tagCounts } from './tag-counts.js'

const open = definePlugin({ name: 'open', authenticate: () => ({ scope: 'any', can: () => true }) })
const relation = (target: string, more: object) => ({
  ...{ type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}` },
  ...more,
})
const types = {
  article: { attributes: { tags: relation('tag', { inversedBy: 'articles' }) } },
  tag: { attributes: { name: { type: 'string' }, articles: relation('article', { mappedBy: 'tags' }) } },
}

contract(
  'tag-counts, which queries a relation',
  {
    types,
    plugins: [open, tagCounts],
    rows: async ({ entries }) => {
      for (const name of ['bread', 'radio', 'unused']) await entries('api::tag.tag').create({ name })
      for (const tags of [[1, 2], [2], []]) await entries('api::article.article').create({ tags })
    },
  },
  api => {
    it('counts the articles of each tag, also of those that have none', async () => {
      const { body } = await api.get('/tag-counts')
      assert.deepEqual(body, {
        data: [
          { name: 'radio', total: 2 },
          { name: 'bread', total: 1 },
          { name: 'unused', total: 0 },
        ],
      })
    })
  },
)
