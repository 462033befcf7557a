import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, inject, it, vi } from 'vitest'
import { loadConfig } from '../../../core/boot/load-config.js'
import type { DatabaseConfig } from '../../../core/config/types.js'
import { openEngine } from '../../../core/engines/open.js'
import { withReplicas } from '../../../core/engines/server/replicas.js'
import { type AnyPlugin, createTestApp, definePlugin, type TestApp, UnauthorizedError } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { metrics } from '../../../plugins/metrics/index.js'
import type {} from '../../support/global-setup.js'
import { type Pair, startPair, until } from './pair.js'

// Every suite starts three database servers.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })

const types = { note: { attributes: { text: { type: 'string' } } } }

/** Trusts the name in the request. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) =>
    headers['x-name'] === undefined ? undefined : { scope: 'named', id: String(headers['x-name']), can: () => true },
})

for (const client of ['mysql', 'postgres'] as const) {
  const declare = inject('absent')[client] === undefined ? describe : describe.skip
  declare(`read replicas on ${client}`, () => {
    let pair: Pair
    let app: TestApp
    let said: { msg: string; replica?: string }[] = []
    beforeAll(async () => {
      pair = await startPair(client)
    })
    afterAll(() => pair?.stop())
    afterEach(async () => {
      await app?.close()
      said = []
    })

    const begin = async (settings: object = {}, plugin: AnyPlugin = names) => {
      const place = await pair.fresh()
      const replicas = pair.replicas.map(({ host, port, user, password }) => ({ host, port, user, password }))
      app = await createTestApp({
        types,
        plugins: [plugin],
        config: { database: { ...place, replicas, maxLag: 1000, ...settings } as never },
        log: createLog('info', { destination: { write: line => said.push(JSON.parse(line)) } }),
      })
      await pair.settled()
    }
    const get = (headers: Record<string, string> = {}, url = '/api/notes') => app.inject({ url, headers })
    const texts = async (headers?: Record<string, string>): Promise<string[]> =>
      (await get(headers)).json().data.map((one: { attributes: { text: string } }) => one.attributes.text)
    const write = async (text: string, headers: Record<string, string> = {}) => {
      const answer = await app.inject({ method: 'POST', url: '/api/notes', headers, payload: { data: { text } } })
      assert.equal(answer.statusCode, 200)
      return answer.json().data.id as number
    }
    /** Reads until what is read is what a replica has that does not follow: then it was read there. */
    const untilStale = (expected: string[]) =>
      until(async () => JSON.stringify(await texts()) === JSON.stringify(expected))
    const paused = async (work: () => Promise<void>) => {
      for (const replica of pair.replicas) await replica.pause()
      try {
        await work()
      } finally {
        for (const replica of pair.replicas) await replica.resume()
      }
    }

    it('answer GET, and no one else', async () => {
      await begin({ maxLag: 60_000 })
      await write('first')
      await pair.settled()
      await untilStale(['first'])
      await paused(async () => {
        const id = await write('second')
        await untilStale(['first'])
        assert.equal((await get({}, `/api/notes/${id}`)).statusCode, 404)
        // A write reads what is stored, and answers it.
        const url = `/api/notes/${id}`
        const put = await app.inject({ method: 'PUT', url, payload: { data: { text: 'changed' } } })
        assert.equal(put.json().data.attributes.text, 'changed')
        // Code reads the primary, as it decides by the result.
        assert.equal(await app.entries('api::note.note').count(), 2)
      })
    })

    it('are passed by for a client that has just written, or wants no old response', async () => {
      await begin({ maxLag: 60_000 })
      await write('first')
      await pair.settled()
      await untilStale(['first'])
      await paused(async () => {
        await write('second', { 'x-name': 'ann' })
        await untilStale(['first'])
        assert.deepEqual(await texts({ 'x-name': 'ann' }), ['first', 'second'])
        assert.deepEqual(await texts({ 'cache-control': 'no-cache' }), ['first', 'second'])
        assert.deepEqual(await texts({ 'x-name': 'ben' }), ['first'])
      })
    })

    /** The replicas of an engine, with their ports; those in `busy` are crowded. */
    const opened = async (maxLag: number) => {
      const quiet = createLog('silent')
      const replicas = pair.replicas.map(({ host, port, user, password }) => ({ host, port, user, password }))
      const overrides = { database: { ...(await pair.fresh()), replicas, maxLag } as never }
      const { database } = await loadConfig(process.cwd(), { bare: true, env: {}, overrides })
      const busy = new Set<number | undefined>()
      const open = async (config: DatabaseConfig) => {
        const engine = await openEngine({ ...config, replicas: [] }, quiet)
        return { ...engine, isCrowded: () => busy.has(config.port) }
      }
      const engine = await withReplicas(await open(database), database, open, quiet)
      const own = client === 'mysql' ? 'select @@port' : 'select inet_server_port()'
      const ports = async () => {
        const seen = new Set<number>()
        for (let count = 0; count < 4; count += 1)
          for (const [port] of (await engine.relaxed?.().all(own, [])) ?? []) seen.add(Number(port))
        return [...seen].sort()
      }
      const all = replicas.map(({ port }) => port).sort()
      await until(async () => (await ports()).join() === all.join())
      return { engine, busy, primary: database.port, all, ports }
    }

    it('are passed by while others wait for them, and are as busy as the least busy of them', async () => {
      const { engine, busy, primary, all, ports } = await opened(1000)
      const [one, other] = all
      const seen: unknown[] = []
      for (const some of [[], [one], all, [primary]]) {
        busy.clear()
        for (const port of some) busy.add(port)
        seen.push(engine.isCrowded?.())
      }
      assert.deepEqual(seen, [false, false, true, true])
      busy.clear()
      busy.add(one)
      await until(async () => (await ports()).includes(Number(other)))
      assert.deepEqual(await ports(), [other])
      busy.add(other)
      await until(async () => (await ports()).join() === all.join())
      await engine.close()
    })

    it('that say nothing any more are found out by what waits for them', async () => {
      // The replicas are checked every second, and have just been.
      const { engine, ports } = await opened(10_000)
      const [replica] = pair.replicas
      await replica?.kill('SIGSTOP')
      try {
        const begun = performance.now()
        await ports()
        assert.ok(performance.now() - begun < 8000)
      } finally {
        await replica?.kill('SIGCONT')
      }
      await engine.close()
    })

    it('are not read from while they are too far behind, and are again when they have caught up', async () => {
      await begin()
      await write('first')
      await paused(async () => {
        await write('second')
        const written = performance.now()
        for (;;) {
          const sent = performance.now()
          const found = await texts()
          if (sent - written > 1000) {
            assert.deepEqual(found, ['first', 'second'])
            if (sent - written > 3500) break
          }
        }
        assert.ok(said.filter(({ msg }) => /is not read from: it is more than 1000 ms behind/.test(msg)).length >= 2)
        const ready = await app.inject('/_health/ready')
        assert.equal(ready.statusCode, 200)
        assert.deepEqual(ready.json().notes, ['2 of 2 replicas of the database cannot be read from'])
      })
      await until(async () => (await app.inject('/_health/ready')).json().notes === undefined)
      assert.equal(said.filter(({ msg }) => /is read from again/.test(msg)).length, 2)
    })

    it('tell how far they are behind on the page of metrics', async () => {
      await begin({ maxLag: 2000 }, metrics)
      const lags = async () => {
        const { body } = await app.inject('/metrics')
        return [...body.matchAll(/^stele_replica_lag_seconds\{replica="127\.0\.0\.1:\d+"\} (\S+)$/gm)].map(([, lag]) =>
          Number(lag),
        )
      }
      const untilAll = (holds: (lag: number) => boolean) =>
        until(async () => {
          const all = await lags()
          return all.length === pair.replicas.length && all.every(holds)
        })
      await untilAll(lag => lag < 1)
      await paused(async () => {
        await write('unseen')
        await untilAll(lag => lag > 3)
      })
      await untilAll(lag => lag < 1)
    })

    it('may be killed under load, and come back, and no client notices', async () => {
      await begin({ maxLag: 60_000 })
      for (let index = 0; index < 5; index += 1) await write(`note ${index}`)
      await pair.settled()
      await until(async () => (await get()).statusCode === 200)
      let asked = 0
      let isOver = false
      const client = async () => {
        while (!isOver) {
          const answer = await get()
          assert.equal(answer.statusCode, 200, answer.body)
          assert.equal(answer.json().data.length, 5)
          asked += 1
        }
      }
      const clients = Promise.all(Array.from({ length: 8 }, client))
      const more = async (count: number) => {
        const before = asked
        await Promise.race([until(async () => asked >= before + count), clients])
      }
      for (const replica of pair.replicas) {
        await more(100)
        await replica.kill('SIGKILL')
        await more(100)
      }
      // The database itself is the only server left.
      await until(async () => said.filter(({ msg }) => /is not read from/.test(msg)).length >= 2)
      for (const replica of pair.replicas) await replica.restart()
      await until(async () => (await app.inject('/_health/ready')).json().notes === undefined)
      await more(100)
      isOver = true
      await clients
      await paused(async () => {
        await write('later')
        // The replicas are used again: one of them lacks the last write.
        await until(async () => (await texts()).length === 5)
      })
    })

    it('that say nothing any more keep no one waiting for long', async () => {
      await begin()
      await write('first')
      await pair.settled()
      await until(async () => (await texts()).length === 1)
      const [replica] = pair.replicas
      await replica?.kill('SIGSTOP')
      try {
        for (let index = 0; index < 50; index += 1) {
          const begun = performance.now()
          assert.deepEqual(await texts(), ['first'])
          assert.ok(performance.now() - begun < 5000)
        }
        await until(async () => {
          await texts()
          return said.some(({ msg }) => /is not read from/.test(msg))
        })
      } finally {
        await replica?.kill('SIGCONT')
      }
      await until(async () => (await app.inject('/_health/ready')).json().notes === undefined)
    })

    it('know nothing that counts: who asks, and what plugins keep, is found where it is written', async () => {
      // The text of a note is a password, and the first of them is what the plugin keeps.
      const keeper = definePlugin({
        name: 'keeper',
        register: ({ store, entries }) => {
          const service = {
            notes: entries('api::note.note'),
            kept: '',
            async refresh() {
              const { sql, bindings } = store.knex('notes').select('text').orderBy('id').limit(1).toSQL().toNative()
              service.kept = String((await store.reader.all(sql, bindings))[0]?.[0])
            },
          }
          return service
        },
        async authenticate({ headers }, { notes, kept }) {
          if (headers['x-kept'] !== undefined && headers['x-kept'] !== kept) throw new UnauthorizedError()
          const sent = headers['x-name']
          if (sent === undefined) return undefined
          if (!(await notes.first({ where: { text: { $eq: String(sent) } } }))) throw new UnauthorizedError()
          return { scope: 'known', can: () => true }
        },
      })
      await begin({ maxLag: 60_000 }, keeper)
      const id = await write('open')
      await pair.settled()
      await untilStale(['open'])
      await paused(async () => {
        assert.equal((await get({ 'x-name': 'open' })).statusCode, 200)
        const url = `/api/notes/${id}`
        await app.inject({ method: 'PUT', url, payload: { data: { text: 'shut' } } })
        await untilStale(['open'])
        assert.equal((await get({ 'x-name': 'open' })).statusCode, 401)
        assert.equal((await get({ 'x-name': 'shut' })).statusCode, 200)
        // Within a second, as without replicas.
        const changed = performance.now()
        for (let sent = changed; (await get({ 'x-kept': 'open' })).statusCode !== 401; sent = performance.now())
          assert.ok(sent - changed < 3000)
      })
    })

    it('are never written to', async () => {
      const counter = definePlugin({
        name: 'counter',
        register: ({ store }) => store,
        hooks: {
          // A hook of a read that writes on the session of the read.
          async afterFind(rows, { action, session }, { knex }) {
            if (rows.length === 0 || action !== 'find') return
            const { sql, bindings } = knex('notes').update({ text: 'seen' }).toSQL().toNative()
            await session.run(sql, bindings)
          },
        },
      })
      await begin({ maxLag: 60_000 }, counter)
      await write('first')
      await pair.settled()
      await until(async () => (await app.inject('/_health/ready')).json().notes === undefined)
      await paused(async () => {
        await until(async () => {
          assert.equal((await get()).statusCode, 200)
          return (await get()).json().data[0].attributes.text === 'first'
        })
        assert.deepEqual(await texts({ 'cache-control': 'no-cache' }), ['seen'])
      })
      await pair.settled()
      assert.deepEqual(await texts(), ['seen'])
    })
  })
}
