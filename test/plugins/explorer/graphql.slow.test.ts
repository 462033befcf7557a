import { strict as assert } from 'node:assert'
import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import type { App } from '../../../core/kernel.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { bootSample } from '../../sample/sample.js'
import { type FreshDatabase, onSqlite } from '../../support/engines.js'
import { isNightly } from '../../support/time.js'
import { modelFrom, senderTo } from './app.js'
import { everyType } from './every-field.js'
import { compared, shapes } from './graphql-states.js'

/** States are compared at random: most of them at night. */
const share = isNightly ? 1 : 0.4

for (const shape of shapes) {
  onSqlite(`random states of the builder in GraphQL, in the shape ${shape}`, engine => {
    let fresh: FreshDatabase
    let app: App
    beforeAll(async () => {
      fresh = await engine.fresh()
      app = await bootSample(fresh, {
        plugins: { graphql: { enabled: true, config: { shape } } },
      })
    })
    afterAll(async () => {
      await app?.close()
      await fresh?.drop()
    })

    it('get the response of REST from the sample', async () => {
      const send = senderTo(app)
      const { wrong, seen } = await compared({ send, model: await modelFrom(send), shape }, 600 * share)
      assert.equal(wrong.length, 0, `${wrong.length}: ${wrong.slice(0, 5).join('\n\n')}`)
      assert.ok(seen.compared > 150 * share && seen.found > 100 * share, JSON.stringify(seen))
    }, 180_000)
  })

  describe(`random states in both dialects, in GraphQL, in the shape ${shape}`, () => {
    for (const dialect of ['spec', 'strapi4'] as const)
      it(`get the response of REST in ${dialect}`, async () => {
        const app = await createTestApp({
          plugins: [upload, draftAndPublish, explorer, [graphql, { shape }]],
          config: { api: { rest: { dialect } } },
          ...everyType,
        })
        try {
          const send = (request: InjectOptions) => app.inject(request)
          await fillEveryType(app)
          const { wrong, seen } = await compared({ send, model: await modelFrom(send), shape }, 400 * share)
          assert.equal(wrong.length, 0, `${wrong.length}: ${wrong.slice(0, 5).join('\n\n')}`)
          assert.ok(
            seen.compared > 150 * share && seen.found > 150 * share && seen.apart > 10 * share,
            JSON.stringify(seen),
          )
        } finally {
          await app.close()
        }
      }, 180_000)
  })
}

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
