import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inject } from 'light-my-request'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { App } from '../../../core/kernel.js'
import { bootSample } from '../../sample/sample.js'
import { onSqlite } from '../../support/engines.js'

const page = readFileSync(new URL('../../../plugins/graphql/README.md', import.meta.url), 'utf8')

/** The operations of a part of the page, the variables that it gives them, and the responses that it shows. */
const examplesOf = (text: string) =>
  [...text.matchAll(/```graphql\n(.*?)```\n(.*?)```json\n(.*?)```/gs)].map(
    ([, query = '', between = '', shown = '']) => ({
      query,
      variables: JSON.parse(/variables `(\{.*?\})`/.exec(between)?.[1] ?? '{}') as object,
      shown: JSON.parse(shown) as unknown,
    }),
  )

const flatPart = /^## The shape of Strapi 5$.*?(?=^## )/ms.exec(page)?.[0] ?? ''
const parts = [
  { shape: 'v4', examples: examplesOf(page.replace(flatPart, '')), least: 5 },
  { shape: 'flat', examples: examplesOf(flatPart), least: 1 },
]

for (const { shape, examples, least } of parts)
  onSqlite(`the page of the plugin graphql, in the shape ${shape}`, engine => {
    let app: App
    let drop = async () => {}
    beforeAll(async () => {
      const fresh = await engine.fresh()
      drop = fresh.drop
      app = await bootSample(fresh, { plugins: { graphql: { enabled: true, config: { shape } } } })
    })
    afterAll(async () => {
      await app?.close()
      await drop()
    })

    describe('shows what the sample app answers', () => {
      it('with examples', () => assert.ok(examples.length >= least))
      for (const { query, variables, shown } of examples)
        it(query.split('\n').slice(0, 3).join(' '), async () => {
          const request = { method: 'POST', url: '/graphql', payload: { query, variables } } as const
          const { payload } = await inject(app.koa.callback() as never, request)
          assert.deepEqual(JSON.parse(payload), shown)
        })
    })
  })
