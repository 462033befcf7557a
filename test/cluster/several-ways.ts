import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { TestApp, TestAppOptions } from '../../core/index.js'
import { bulk } from '../../plugins/bulk/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { trash } from '../../plugins/trash/index.js'
import { versions } from '../../plugins/versions/index.js'
import { times } from '../faults/support/length.js'
import type { GaleraCluster } from './galera.js'
import { openBoth } from './pair.js'

const types = {
  item: {
    attributes: { code: { type: 'string', unique: true }, title: { type: 'string' }, count: { type: 'integer' } },
    options: { versions: true, trash: true },
  },
  page: {
    pluginOptions: { i18n: { localized: true } },
    attributes: { title: { type: 'string' }, slug: { type: 'uid', targetField: 'title' } },
  },
  text: { attributes: { body: { type: 'text' } }, search: ['body'] },
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The further ways to write, where two servers take them at the same time, each with a node of its own. */
export function severalWays(clusterOf: () => GaleraCluster): void {
  describe('further ways to write that meet on two nodes', () => {
    let cluster: GaleraCluster
    let apps: readonly TestApp[] = []
    let database: string
    beforeAll(async () => {
      cluster = clusterOf()
      const plugins: TestAppOptions['plugins'] = [
        ...[bulk, trash],
        [versions, { keep: 500 }],
        [i18n, { locales: ['en', 'fr'] }],
      ]
      ;({ apps, database } = await openBoth(cluster, { types, plugins }))
    })
    afterAll(() => Promise.all(apps.map(app => app.close())))

    /** Asked by the one or the other server in turn; asked again where it says so. */
    const send = async (turn: number, method: Method, path: string, payload?: object, headers = {}) => {
      const app = apps[turn % 2] as TestApp
      for (;;) {
        const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
        if (answer.statusCode !== 503)
          return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
      }
    }
    const atOnce = <T>(count: number, ask: (turn: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, turn) => ask(turn)))
    const select = async (sql: string) => (await cluster.nodes[2].query(sql, database)).map(row => ({ ...row }))
    const make = async (data: object) => (await send(0, 'POST', '/items', { data })).body.data.id as number

    it('by a unique value: one of six requests makes the entry, and the others change it', async () => {
      for (let round = 0; round < times(20, 200); round += 1) {
        const replies = await atOnce(6, turn =>
          send(turn, 'PUT', `/items/by/code/c${round}`, { data: { title: `t${turn}` } }),
        )
        const statuses = replies.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, 200, 200, 200, 200, 201], JSON.stringify(replies.map(({ body }) => body)))
        assert.equal(new Set(replies.map(({ body }) => body.data.id)).size, 1)
        assert.deepEqual(await select(`select count(*) as n from items where code = 'c${round}'`), [{ n: 1 }])
      }
    })

    it('by a unique value: one of six requests deletes the entry', async () => {
      for (let round = 0; round < times(10, 100); round += 1) {
        await make({ code: `d${round}` })
        const replies = await atOnce(6, turn => send(turn, 'DELETE', `/items/by/code/d${round}`))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404])
      }
    })

    it('with a uid that is made: every entry of a locale gets another one', async () => {
      for (let round = 0; round < times(10, 100); round += 1) {
        const replies = await atOnce(8, turn =>
          send(turn, 'POST', '/pages', {
            data: { title: `Round ${round}${turn % 4 === 3 ? ' 1' : ''}`, locale: turn % 3 === 0 ? 'fr' : 'en' },
          }),
        )
        assert.deepEqual(
          replies.map(({ status }) => status),
          Array(8).fill(200),
          JSON.stringify(replies.map(({ body }) => body)),
        )
      }
      const twice = await select('select slug from pages group by slug, locale having count(*) > 1')
      assert.deepEqual(twice, [])
    })

    it('with If-Match: of six that have seen the same state one changes it', async () => {
      const id = await make({ count: 0 })
      const seen = async () => (await send(0, 'GET', `/items/${id}`)).body.data.attributes.updatedAt as string
      for (let round = 1; round <= times(20, 200); round += 1) {
        const headers = { 'if-match': `"${await seen()}"` }
        const replies = await atOnce(6, turn => send(turn, 'PUT', `/items/${id}`, { data: { count: round } }, headers))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412])
      }
    })

    it('in bulk: all operations of a request are there or none, and one key does them once', async () => {
      let refused = 0
      for (let round = 0; round < times(10, 100); round += 1) {
        const shared = await make({ count: 0 })
        // Every request changes one entry that all change, and makes one that only one of them can make.
        const operations = (turn: number) => [
          { create: { title: `bulk ${round} ${turn}` } },
          { update: shared, data: { count: turn } },
          { create: { code: `b${round}` } },
        ]
        const replies = await atOnce(4, async turn => {
          const headers = { 'idempotency-key': `bulk-${round}-${turn}` }
          const [first, again] = [0, 1].map(more =>
            send(turn + more, 'POST', '/items/bulk', { operations: operations(turn) }, headers),
          )
          return [await first, await again]
        })
        const stored = await select(`select title from items where title like 'bulk ${round} %'`)
        const done = replies.flatMap(([one, other], turn) => {
          assert.deepEqual([one?.status, one?.body], [other?.status, other?.body])
          refused += one?.status === 400 ? 1 : 0
          assert.ok(one?.status === 200 || one?.status === 400, JSON.stringify(one?.body))
          return one.status === 200 ? [{ title: `bulk ${round} ${turn}` }] : []
        })
        assert.equal(done.length, 1)
        assert.deepEqual(stored, done)
      }
      console.log(`cluster: bulk requests that met: ${refused} undone as a whole, none in part`)
    })

    it('of texts with a search index: what one server stores or deletes, the other finds or finds no more', async () => {
      for (let round = 0; round < times(20, 200); round += 1) {
        const made = await send(round, 'POST', '/texts', { data: { body: `the word tempest${round} in a text` } })
        const found = async () => (await send(round + 1, 'GET', `/texts?_q=tempest${round}`)).body.data
        assert.deepEqual(
          (await found()).map(({ id }: { id: number }) => id),
          [made.body.data.id],
        )
        await send(round, 'DELETE', `/texts/${made.body.data.id}`)
        assert.deepEqual(await found(), [])
      }
      const plan = await select(
        'select count(*) as n from information_schema.triggers where trigger_schema = database()',
      )
      assert.ok(Number(plan[0]?.n) >= 3, 'the words of texts have no triggers')
    })

    it('with versions and a trash: every state is kept, and what is restored by two is there once', async () => {
      const id = await make({ code: 'kept', count: 0 })
      const rounds = times(12, 100)
      const puts = await atOnce(rounds, turn => send(turn, 'PUT', `/items/${id}`, { data: { count: turn + 1 } }))
      for (const { status, body } of puts) assert.equal(status, 200, JSON.stringify(body))
      const { body } = await send(1, 'GET', `/items/${id}/versions`)
      assert.equal(body.data.length, rounds, JSON.stringify(body))
      const deleted = await atOnce(4, turn => send(turn, 'DELETE', `/items/${id}`))
      assert.deepEqual(deleted.map(({ status }) => status).sort(), [200, 404, 404, 404])
      const restored = await atOnce(4, turn => send(turn, 'POST', `/items/${id}/actions/restore`))
      assert.deepEqual(restored.map(({ status }) => status).sort(), [200, 404, 404, 404])
      for (const turn of [0, 1]) assert.equal((await send(turn, 'GET', `/items/${id}`)).status, 200)
    })
  })
}
