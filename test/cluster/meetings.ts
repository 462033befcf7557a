import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import type { TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { times } from '../faults/support/length.js'
import { counterTypes, counting } from './counting.js'
import type { GaleraCluster } from './galera.js'
import { openBoth, settingsOn } from './pair.js'

/** Two servers that write the same at the same time, each to a node of its own. */
export function meetings(clusterOf: () => GaleraCluster): void {
  describe('writes that meet on two nodes', () => {
    let cluster: GaleraCluster
    let apps: readonly [TestApp, TestApp]
    let database: string
    beforeAll(async () => {
      cluster = clusterOf()
      ;({ apps, database } = await openBoth(cluster, { types: counterTypes, plugins: [counting] }))
    })
    afterAll(() => Promise.all((apps ?? []).map(app => app.close())))

    const send = async (
      app: TestApp,
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      data = {},
      headers = {},
    ) => {
      const payload = method === 'GET' ? {} : { payload: { data } }
      const answer = await app.inject({ method, url: `/api${path}`, headers, ...payload })
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
    }
    const make = async (data = {}): Promise<number> =>
      (await send(apps[0], 'POST', '/counters', data)).body.data.id as number
    const select = async (sql: string) => (await cluster.nodes[2].query(sql, database)).map(row => ({ ...row }))

    /** Transactions that lost against one of another node so far. */
    const conflicts = async (): Promise<number> => {
      const states = await Promise.all(cluster.nodes.map(node => node.state()))
      const names = ['wsrep_local_bf_aborts', 'wsrep_local_cert_failures']
      return states.flatMap(state => names.map(name => Number(state.get(name)))).reduce((all, count) => all + count, 0)
    }

    /** Sends requests to both servers, by two clients each, so many times. */
    const fromBoth = async (rounds: number, ask: (app: TestApp) => ReturnType<typeof send>): Promise<number> => {
      const client = async (app: TestApp) => {
        for (let round = 0; round < rounds; round += 1) assert.equal((await ask(app)).status, 200)
      }
      await Promise.all([...apps, ...apps].map(client))
      return rounds * apps.length * 2
    }

    for (const { says, column, ask } of [
      {
        says: 'a number that is read under a lock and written with one more: no addition is lost',
        column: 'count',
        ask: (id: number) => (app: TestApp) => send(app, 'POST', `/counters/${id}/count`),
      },
      {
        says: 'the same in a hook that catches its errors: none is lost',
        column: 'writes',
        ask: (id: number) => (app: TestApp) => send(app, 'PUT', `/counters/${id}`, { name: 'hot' }),
      },
    ])
      it(says, async () => {
        const id = await make()
        const before = await conflicts()
        const begun = performance.now()
        const additions = await fromBoth(times(25, 250), ask(id))
        const seconds = (performance.now() - begun) / 1000
        assert.deepEqual(await select(`select ${column} as n from counters where id = ${id}`), [{ n: additions }])
        console.log(
          `cluster: ${additions} additions to one row from 2 nodes: 0 lost, ${(await conflicts()) - before} conflicts, ${seconds.toFixed(1)} s`,
        )
      })

    for (const [says, name] of [
      ['with an index', 'code'],
      ['without one', 'label'],
    ] as const)
      it(`one unique value, ${says}: one of two creates is refused`, async () => {
        for (let round = 0; round < times(20, 200); round += 1) {
          const value = `${name} ${round}`
          // The delete ensures that the leftovers of a value's first write are on all nodes.
          await send(apps[0], 'DELETE', `/counters/${await make({ [name]: value })}`)
          const replies = await Promise.all(apps.map(app => send(app, 'POST', '/counters', { [name]: value })))
          assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400], JSON.stringify(replies))
          assert.match(JSON.stringify(replies.find(({ status }) => status === 400)?.body), /unique/)
          assert.deepEqual(await select(`select count(*) as n from counters where ${name} = '${value}'`), [{ n: 1 }])
        }
      })

    // Nodes know nothing of each other's locks: all do the work, and all but one find that out at their commit.
    it('one Idempotency-Key: six creates are answered with the same entry, and one of them has made it', async () => {
      for (let round = 0; round < times(20, 200); round += 1) {
        const name = `name-${round}`
        const create = async (app: TestApp): ReturnType<typeof send> => {
          const reply = await send(app, 'POST', '/counters', { name }, { 'idempotency-key': name })
          return reply.status === 503 ? create(app) : reply
        }
        const replies = await Promise.all([...apps, ...apps, ...apps].map(create))
        const answers = replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
        assert.deepEqual([...new Set(answers)], answers.slice(0, 1))
        assert.equal(replies[0]?.status, 200)
        assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
        assert.deepEqual(await select(`select count(*) as n from counters where name = '${name}'`), [{ n: 1 }])
      }
    })

    // A server that is preparing a statement at that moment does not report the abort, and all that follows is outside of
    // the transaction.
    it('a transaction that is thrown out while it reads: it is made again, or nothing of it is there', async () => {
      const engines = await Promise.all(
        [0, 1].map(async first => {
          const overrides = { database: settingsOn(cluster, database, first) }
          const loaded = await loadConfig(process.cwd(), { bare: true, env: {}, overrides: overrides as never })
          return openEngine(loaded.database, createLog('silent'))
        }),
      )
      const [own, other] = engines as [Engine, Engine]
      let overtaken = 0
      try {
        for (const table of ['firsts', 'seconds'])
          await own.alter([`create table ${table} (id int primary key, name varchar(10)) engine = InnoDB`])
        for (let round = 0; round < times(20, 200); round += 1) {
          let isBegun: () => void = () => undefined
          const begun = new Promise<void>(resolve => {
            isBegun = resolve
          })
          const mine = own.transaction(async session => {
            await session.run(`insert into firsts values (${round}, 'own')`, [])
            isBegun()
            for (let read = 0; read < 40; read += 1) {
              const rows = await session.all(`select name as n${round}_${read} from firsts where id = ?`, [round])
              if (rows[0]?.[0] !== 'own') overtaken += 1
            }
            await session.run(`insert into seconds values (${round}, 'own')`, [])
          })
          const outcome = mine.then(
            () => 'stored',
            error => own.classify(error)?.kind,
          )
          await begun
          await Promise.resolve(other.reader.run(`insert into firsts values (${round}, 'other')`, [])).catch(
            () => undefined,
          )
          const [first, second] = await Promise.all(
            ['firsts', 'seconds'].map(table => select(`select name from ${database}.${table} where id = ${round}`)),
          )
          const isMine = first?.[0]?.name === 'own'
          assert.equal(await outcome, isMine ? 'stored' : 'unique')
          assert.equal(second?.length, isMine ? 1 : 0)
        }
      } finally {
        await Promise.all(engines.map(engine => engine.close()))
      }
      assert.equal(overtaken, 0, 'reads that were outside of their transaction')
    })

    it('a write is seen at once, by the server that took it and by the other', async () => {
      const id = await make()
      for (let round = 0; round < times(50, 1000); round += 1) {
        const name = `round ${round}`
        assert.equal((await send(apps[round % 2] as TestApp, 'PUT', `/counters/${id}`, { name })).status, 200)
        const seen = await Promise.all(apps.map(app => send(app, 'GET', `/counters/${id}`)))
        assert.deepEqual(
          seen.map(({ body }) => body.data.attributes.name),
          [name, name],
        )
      }
    })
  })
}
