import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inject } from 'light-my-request'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { App } from '../../../core/kernel.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { bootSample } from '../../sample/sample.js'
import { onSqlite } from '../../support/engines.js'

const page = readFileSync(new URL('../../../plugins/graphql/README.md', import.meta.url), 'utf8')

/** The operations of the page, the variables that it gives them, and the responses that it shows. */
const examples = [...page.matchAll(/```graphql\n(.*?)```\n(.*?)```json\n(.*?)```/gs)].map(
  ([, query = '', between = '', shown = '']) => ({
    query,
    variables: JSON.parse(/variables `(\{.*?\})`/.exec(between)?.[1] ?? '{}') as object,
    shown: JSON.parse(shown) as unknown,
  }),
)

onSqlite('the page of the plugin graphql', engine => {
  let app: App
  let drop = async () => {}
  beforeAll(async () => {
    const fresh = await engine.fresh()
    drop = fresh.drop
    app = await bootSample(fresh, { with: [graphql] })
  })
  afterAll(async () => {
    await app?.close()
    await drop()
  })

  describe('shows what the sample app answers', () => {
    it('with examples', () => assert.ok(examples.length >= 5))
    for (const { query, variables, shown } of examples)
      it(query.split('\n').slice(0, 3).join(' '), async () => {
        const request = { method: 'POST', url: '/graphql', payload: { query, variables } } as const
        const { payload } = await inject(app.koa.callback() as never, request)
        assert.deepEqual(JSON.parse(payload), shown)
      })
  })
})
