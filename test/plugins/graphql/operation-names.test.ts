import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type RequestSeen } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { metrics } from '../../../plugins/metrics/index.js'

const seen: RequestSeen[] = []
const watching = definePlugin({
  name: 'watching',
  authenticate: () => ({ scope: 'any', id: 1, can: () => true }),
  observe: { request: request => void seen.push(request) },
})

const started = async () => {
  const types = { article: { attributes: { title: { type: 'string' } } } }
  const app = await createTestApp({ types, plugins: [graphql, metrics, watching] })
  onTestFinished(() => app.close())
  const send = (payload: object) => app.inject({ method: 'POST', url: '/graphql', payload })
  return { app, send }
}

it('observers know the operations of requests by their names', async () => {
  const { send } = await started()
  const titles = { query: 'query Titles { articles { data { id } } }' }
  const sent: readonly (readonly [body: object, operation: RequestSeen['operation']])[] = [
    [titles, { kind: 'query', name: 'Titles' }],
    [{ query: '{ articles { data { id } } }' }, { kind: 'query', name: '' }],
    [{ query: 'mutation Make { createArticle(data: {}) { data { id } } }' }, { kind: 'mutation', name: 'Make' }],
    [
      { query: 'query A { __typename } query B { __typename }', operationName: 'B' },
      { kind: 'query', name: 'B' },
    ],
    [[titles, titles], { kind: 'query', name: 'Titles' }],
    [[titles, { query: '{ __typename }' }], { kind: 'several', name: '' }],
    [{ query: 'query Wrong { nosuch }' }, undefined],
  ]
  for (const [body, operation] of sent) {
    seen.length = 0
    await send(body)
    assert.deepEqual(
      seen.map(request => request.operation),
      [operation],
      JSON.stringify(body),
    )
  }
})

it('metrics have the first hundred names, and count the others together', async () => {
  const { app, send } = await started()
  for (let count = 0; count < 13; count += 1)
    for (let at = 0; at < 10; at += 1) await send({ query: `query Q${count * 10 + at} { __typename }` })
  await send({ query: 'query Q0 { __typename }' })
  const { body } = await app.inject('/metrics')
  const counts = [...body.matchAll(/^stele_operation_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels = '', count]) => [/operation_name="(\w*)"/.exec(labels)?.[1], Number(count)] as const,
  )
  assert.equal(counts.length, 101)
  assert.deepEqual(new Map(counts).get('Q0'), 2)
  assert.deepEqual(new Map(counts).get('Q99'), 1)
  assert.deepEqual(new Map(counts).get('other'), 30)
})

it('operations of a kind that the schema does not have are refused', async () => {
  const app = await createTestApp({ types: {}, plugins: [[graphql, { shadowCRUD: false }]] })
  onTestFinished(() => app.close())
  for (const kind of ['mutation', 'subscription'])
    for (const field of ['x', '__typename']) {
      const payload = { query: `${kind} { ${field} }` }
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/graphql', payload })
      const [{ message }] = JSON.parse(body).errors
      assert.deepEqual([statusCode, message], [400, `Schema is not configured for ${kind}s.`])
    }
})
