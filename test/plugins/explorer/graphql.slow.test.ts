import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import type { App } from '../../../core/kernel.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { type GraphqlRequest, graphqlOf } from '../../../plugins/explorer/builder/graphql/request.js'
import type { Model } from '../../../plugins/explorer/builder/metadata.js'
import { queryOf } from '../../../plugins/explorer/builder/query.js'
import { urlOf } from '../../../plugins/explorer/builder/url.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { bootSample } from '../../sample/sample.js'
import { type FreshDatabase, onSqlite } from '../../support/engines.js'
import { modelFrom, senderTo } from './app.js'
import { everyType } from './every-field.js'
import { differenceOf, plainOf } from './graphql-response.js'
import { Dice, randomRead } from './random.js'

type Send = ReturnType<typeof senderTo>

/** The response of GraphQL; documents that are not valid are refused. */
async function asked(send: Send, { endpoint, document, variables }: GraphqlRequest) {
  const response = await send({ method: 'POST', url: endpoint, payload: { query: document, variables } })
  return { status: response.statusCode, ...response.json() }
}

/** Sends as many random states both ways, and gives the differences. */
async function compared(send: Send, model: Model, count: number) {
  const dice = new Dice(count)
  const wrong: string[] = []
  const seen = { compared: 0, found: 0, apart: 0 }
  for (let index = 0; index < count; index += 1) {
    const state = randomRead(model, dice)
    const query = queryOf(model, state)
    const request = graphqlOf(model, state, query)
    assert.ok(request)
    const url = urlOf(model, state, query)
    // A document that leaves parts of the query out is valid as well.
    const { status, data, errors } = await asked(send, request)
    const said = `${url}\n${request.document}\n${JSON.stringify(request.variables)}\n`
    if (status !== 200 || errors) wrong.push(`${said}${JSON.stringify(errors)}`)
    if (request.document.includes('_2: ')) seen.apart += 1
    if (request.missing.length > 0 || request.notes.length > 0 || url.length > 12_000) continue
    const rest = (await send({ url })).json()
    const [root] = Object.values(Object(data)) as { data: unknown; meta?: unknown }[]
    const difference = differenceOf(plainOf(rest.data ?? null), plainOf(root?.data ?? null))
    if (difference) wrong.push(`${said}${difference}`)
    const [total, counted] = [rest.meta?.pagination, root?.meta].map(one => Object(Object(one).pagination ?? one).total)
    if (total !== counted) wrong.push(`${said}${total} is not ${counted}`)
    seen.compared += 1
    if (([] as unknown[]).concat(rest.data ?? []).length > 0) seen.found += 1
  }
  return { wrong, seen }
}

onSqlite('random states of the builder in GraphQL', engine => {
  let fresh: FreshDatabase
  let app: App
  let send: Send
  beforeAll(async () => {
    fresh = await engine.fresh()
    app = await bootSample(fresh, { with: [graphql] })
    send = senderTo(app)
  })
  afterAll(async () => {
    await app?.close()
    await fresh?.drop()
  })

  it('get the response of REST from the sample', async () => {
    const { wrong, seen } = await compared(send, await modelFrom(send), 600)
    assert.equal(wrong.length, 0, `${wrong.length}: ${wrong.slice(0, 5).join('\n\n')}`)
    assert.ok(seen.compared > 150 && seen.found > 100, JSON.stringify(seen))
  }, 180_000)
})

describe('random states in both dialects, in GraphQL', () => {
  for (const dialect of ['spec', 'strapi4'] as const)
    it(`get the response of REST in ${dialect}`, async () => {
      const app = await createTestApp({
        plugins: [upload, draftAndPublish, explorer, graphql],
        config: { api: { rest: { dialect } } },
        ...everyType,
      })
      try {
        const send: Send = request => app.inject(request)
        await fillEveryType(app)
        const { wrong, seen } = await compared(send, await modelFrom(send), 400)
        assert.equal(wrong.length, 0, `${wrong.length}: ${wrong.slice(0, 5).join('\n\n')}`)
        assert.ok(seen.compared > 150 && seen.found > 150 && seen.apart > 10, JSON.stringify(seen))
      } finally {
        await app.close()
      }
    }, 180_000)
})

/** More entries than GraphQL lists by itself, some of them drafts, with values everywhere. */
async function fillEveryType(app: TestApp): Promise<void> {
  const [things, settings] = [app.entries('api::thing.thing'), app.entries('api::settings.settings')]
  const ids: number[] = []
  for (let index = 0; index < 14; index += 1) {
    const values = {
      ...{ string: `a${index}`, integer: index - 2, biginteger: '9007199254740993', choice: 'b c', boolean: true },
      ...{ float: 1.5, decimal: 2.25, date: '2024-02-29', time: '12:30:00', datetime: '2024-05-01T10:30:00.000Z' },
      ...{ timestamp: '2024-05-01T10:30:00.000Z', json: { a: [1] } },
    }
    const part = { ...values, others: ids.slice(-2) }
    const { id } = await things.create({
      ...{ ...values, things: ids, parts: Array.from({ length: 12 }, () => part), whole: { part } },
      zone: [
        { __component: 'shared.part', ...part },
        { __component: 'shared.other', string: index, integer: 3, choice: 'z', part: 'x' },
        { __component: 'shared.whole', part },
      ],
      anything: ids.slice(-3).map(id => ({ id, __type: 'api::thing.thing' })),
      publishedAt: index % 4 === 1 ? null : '2024-05-01T10:30:00.000Z',
    })
    ids.push(Number(id))
  }
  await settings.create({ string: 'a' })
}
