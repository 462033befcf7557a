import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type Raw } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { trash } from '../../plugins/trash/index.js'

const types = {
  page: {
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      size: { type: 'integer', pluginOptions: { i18n: { localized: true } } },
    },
  },
} as const

/** An app with the plugins whose hooks shape queries, and how many queries it has read as a whole. */
async function appThat(readsAll: boolean) {
  const read = { times: 0 }
  const counting = definePlugin({
    name: 'counting',
    hooks: {
      beforeFind: {
        readsValues: false,
        run(query) {
          if (query.use === 'root') read.times += 1
          return query
        },
      },
      ...(readsAll && { parseQuery: (raw: Raw) => raw }),
    },
  })
  const app = await createTestApp({
    types,
    time: () => Date.parse('2031-05-01T12:00:00.000Z'),
    plugins: [draftAndPublish, [trash, { all: true }], [i18n, { locales: ['fr'] }], counting],
  })
  onTestFinished(() => app.close())
  for (let size = 0; size < 12; size += 1) {
    const publishedAt = size % 3 === 0 ? null : '2030-01-01T00:00:00.000Z'
    const data = { title: `t${size}`, size, publishedAt, ...(size % 2 === 0 && { locale: 'fr' }) }
    const { id } = await app.entries('api::page.page').create(data)
    if (size % 5 === 0) await app.entries('api::page.page').delete(Number(id))
  }
  return { app, read }
}

it('lists have with the plans of others what they have with plans of their own', async () => {
  const [sharing, whole] = [await appThat(false), await appThat(true)]
  const ask = async (text: string): Promise<void> => {
    const [one, other] = [await sharing.app.inject(text), await whole.app.inject(text)]
    assert.deepEqual([one.statusCode, one.payload], [other.statusCode, other.payload], text)
  }
  for (const which of ['', '&publicationState=preview', '&locale=fr', '&locale=all', '&trash=with'])
    for (let value = 0; value < 12; value += 1) {
      await ask(`/api/pages?filters[title]=t${value}${which}`)
      await ask(
        `/api/pages?filters[size][$gte]=${value}&pagination[page]=${(value % 3) + 1}&pagination[pageSize]=2${which}`,
      )
    }
  assert.ok(sharing.read.times < whole.read.times - 40, `${sharing.read.times} of ${whole.read.times}`)
})
