import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { createTestApp } from '../../../core/index.js'
import type { App } from '../../../core/kernel.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { dataOf } from '../../../plugins/explorer/builder/data.js'
import type { Model } from '../../../plugins/explorer/builder/metadata.js'
import { queryOf, withoutStaleCursor } from '../../../plugins/explorer/builder/query.js'
import { type BuilderState, type CursorState, startState } from '../../../plugins/explorer/builder/state.js'
import { urlOf } from '../../../plugins/explorer/builder/url.js'
import { explorer } from '../../../plugins/explorer/index.js'
import type { Query } from '../../../plugins/pages/values/query-text.js'
import { upload } from '../../../plugins/upload/index.js'
import { bootSample, password } from '../../sample/sample.js'
import type { FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { isNightly } from '../../support/time.js'
import { modelFrom, senderTo } from './app.js'
import { everyType } from './every-field.js'
import { Dice, randomDraft, randomRead, randomTurn } from './random.js'

type Send = ReturnType<typeof senderTo>

/** Sends as many random states, and gives what was not answered as one would wish. */
async function refusedOf(send: Send, model: Model, count: number, headers: Record<string, string> = {}) {
  const dice = new Dice(count)
  const refused: string[] = []
  const seen = { asked: 0, found: 0, chosen: 0, turned: 0, dropped: 0 }
  let turned: BuilderState | undefined
  for (let index = 0; index < count; index += 1) {
    const state: BuilderState = turned ?? randomRead(model, dice)
    const query = queryOf(model, state)
    const url = urlOf(model, state, query)
    turned = undefined
    // Node takes no longer head of a request.
    if (url.length > 12_000) continue
    const response = await send({ url, headers })
    seen.asked += 1
    if (response.statusCode === 200) seen.found += 1
    if (Object.keys(query).length > 0) seen.chosen += 1
    if (state.page.cursor && cursorIn(query)) seen.turned += 1
    if (state.page.cursor && !withoutStaleCursor(model, state).page.cursor) seen.dropped += 1
    const cursors = state.page.form === 'cursor' ? cursorsOf(response.json()) : []
    if (cursors.length > 0 && dice.chance(0.8)) turned = randomTurn(model, dice, state, cursors)
    // An entry that the state names may not be there.
    const isFine = response.statusCode === 200 || (response.statusCode === 404 && state.action === 'findOne')
    if (!isFine) refused.push(`${response.statusCode} ${url}\n${response.body}`)
  }
  return { refused, seen }
}

const cursorIn = ({ pagination }: Query): boolean => Object(pagination).after || Object(pagination).before
/** Cursors of the pages beside a response's page. */
function cursorsOf({ meta }: { readonly meta?: Query }): readonly Pick<CursorState, 'key' | 'text'>[] {
  const { next, previous } = Object(meta?.pagination)
  return [
    ...(next ? [{ key: 'after', text: next } as const] : []),
    ...(previous ? [{ key: 'before', text: previous } as const] : []),
  ]
}

onEveryEngine('random states of the builder', engine => {
  // The states are the same on all of them; each only has to have the SQL for them.
  const share = isNightly ? 1 : 0.4
  let fresh: FreshDatabase
  let app: App
  let send: Send
  beforeAll(async () => {
    fresh = await engine.fresh()
    app = await bootSample(fresh)
    send = senderTo(app)
  })
  afterAll(async () => {
    await app?.close()
    await fresh?.drop()
  })

  it('are answered by the sample, asked without an account', async () => {
    const count = 500 * share
    const { refused, seen } = await refusedOf(send, await modelFrom(send), count)
    assert.deepEqual(refused, [])
    assert.ok(seen.asked > 0.98 * count && Math.min(seen.found, seen.chosen) > 0.8 * count, JSON.stringify(seen))
    assert.ok(seen.turned > 0.03 * count && seen.dropped > 0.01 * count, JSON.stringify(seen))
  }, 180_000)

  it('are answered by the sample, asked with an account', async () => {
    const payload = { identifier: 'ben', password }
    const { jwt } = (await send({ method: 'POST', url: '/api/auth/local', payload })).json()
    const headers = { authorization: `Bearer ${jwt}` }
    const count = 200 * share
    const { refused, seen } = await refusedOf(send, await modelFrom(send, headers), count, headers)
    assert.deepEqual(refused, [])
    assert.ok(seen.found > 0.75 * count, JSON.stringify(seen))
  }, 180_000)

  it('fill in forms that are accepted', async () => {
    const model = await modelFrom(send)
    const dice = new Dice(7)
    const ids = new Map(model.served.map(({ uid }) => [uid, [1, 2, 3]]))
    for (const uid of ['api::article.article', 'api::tag.tag']) {
      const type = model.type(uid)
      assert.ok(type)
      for (let index = 0; index < 30; index += 1) {
        const state = { ...startState(uid, 'create'), draft: randomDraft(model, dice, type, ids) }
        const { data, problems } = dataOf(model, state)
        assert.deepEqual(problems, [])
        // The rule that one date is later than the other concerns both, and a form of single attributes does not know it.
        delete (data as Record<string, unknown>).unpublishAt
        const response = await send({ method: 'POST', url: urlOf(model, state, {}), payload: { data } })
        assert.equal(response.statusCode, 200, `${JSON.stringify(data)}\n${response.body}`)
      }
    }
  })
})

describe('random states in both dialects, where everything is open', () => {
  for (const dialect of ['spec', 'strapi4'] as const) {
    it(`are answered in ${dialect}`, async () => {
      const app: TestApp = await createTestApp({
        plugins: [upload, draftAndPublish, explorer],
        config: { api: { rest: { dialect } } },
        ...everyType,
      })
      try {
        const send: Send = request => app.inject(request)
        await app.entries('api::thing.thing').create({ string: 'a' })
        await app.entries('api::settings.settings').create({ string: 'a' })
        const { refused, seen } = await refusedOf(send, await modelFrom(send), 300)
        assert.deepEqual(refused.slice(0, 3), [])
        assert.ok(seen.chosen > 200, JSON.stringify(seen))
      } finally {
        await app.close()
      }
    })
  }
})
