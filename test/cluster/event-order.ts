import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { it } from 'vitest'
import { createTestApp, type Session, type TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { events } from '../../plugins/events/index.js'
import type { Events } from '../../plugins/events/service.js'
import { times } from '../faults/support/length.js'
import { Receiver } from '../plugins/events/receiver.js'
import type { GaleraCluster } from './galera.js'
import { hostsOf, newDatabase } from './pair.js'

/** Ids have gaps on a cluster, and a node gives out smaller ones after another has given out larger ones. */
export function eventOrder(clusterOf: () => GaleraCluster): void {
  it('record events that readers on both nodes find in one order, whatever is committed late', async () => {
    const cluster = clusterOf()
    const database = await newDatabase(cluster)
    const { user, password } = cluster.nodes[0].address
    const open = (first: number) =>
      createTestApp({
        types: { note: { attributes: { text: { type: 'string' } } } },
        plugins: [events],
        config: { database: { client: 'mysql', host: hostsOf(cluster, first), database, user, password } },
      })
    const apps = await Promise.all([open(0), open(1)])
    try {
      const servers = apps.map(app => {
        const service = app.plugins.find(({ spec }) => spec.name === 'events')?.service
        const { outbox } = service as Events
        const read: number[] = []
        let position = 0
        const look = async () => {
          await outbox.arrange()
          for (const event of await outbox.after(position)) {
            read.push(event.entry)
            position = event.position
          }
        }
        const note = (text: string, session?: Session) => app.entries('api::note.note', session).create({ text })
        return { app, read, look, note }
      })
      const made: number[] = []
      await Promise.all(
        servers.map(async ({ app, note, look }, index) => {
          for (let round = 0; round < times(20, 200); round += 1) {
            // The first row gets its id before others of both nodes, and is committed after both have been read.
            const { id } = await app.store.transaction(async session => {
              const late = await note(`late ${index} ${round}`, session)
              made.push(Number((await note(`early ${index} ${round}`)).id))
              await look().catch(() => undefined)
              return late
            })
            made.push(Number(id))
          }
        }),
      )
      for (const { look } of servers) await look()
      const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)
      const [one, two] = servers
      assert.deepEqual(one?.read, two?.read)
      assert.deepEqual(inOrder(one?.read ?? []), inOrder(made))
      const rows = await cluster.nodes[2].query('select id from stele_events order by position', database)
      const ids = rows.map(({ id }) => Number(id))
      const backwards = ids.filter((id, index) => id < Number(ids[index - 1] ?? 0)).length
      console.log(
        `cluster: ${ids.length} events from 2 nodes, ${backwards} of them against the order of ids, 0 skipped`,
      )
    } finally {
      await Promise.all(apps.map(app => app.close()))
    }
  })

  it('call webhooks for every write that was acknowledged, also where a node is killed', async () => {
    const cluster = clusterOf()
    const database = await newDatabase(cluster)
    const { user, password } = cluster.nodes[0].address
    const receiver = await Receiver.start()
    const open = (first: number) =>
      createTestApp({
        types: { note: { attributes: { text: { type: 'string' } } } },
        plugins: [[events, { privateAddresses: true, retries: Array(100).fill(0.1) }]],
        log: createLog('silent'),
        config: {
          database: { client: 'mysql', host: hostsOf(cluster, first), database, user, password },
          webhooks: { notes: { url: receiver.url } },
          server: { host: '127.0.0.1', port: 0 },
        },
      })
    const apps = [await open(0), await open(1)]
    try {
      for (const app of apps) await app.listen()
      const acknowledged: number[] = []
      const write = async (app: TestApp, until: number) => {
        while (acknowledged.length < until) {
          const payload = { data: { text: 'a note' } }
          const reply = await app.inject({ method: 'POST', url: '/api/notes', payload })
          if (reply.statusCode === 200) acknowledged.push(reply.json().data.id)
          else assert.equal(reply.statusCode, 503, reply.body)
        }
      }
      const writeBoth = (more: number) => Promise.all(apps.map(app => write(app, acknowledged.length + more)))
      for (let round = 0; round < times(1, 6); round += 1) {
        const node = cluster.nodes[round % 3] as GaleraCluster['nodes'][0]
        await writeBoth(20)
        await Promise.all([node.kill(), writeBoth(40)])
        await node.start()
        await writeBoth(20)
      }
      await cluster.heal()
      const isTold = (id: number) => receiver.got.some(({ body }) => body.entry.id === id)
      while (!acknowledged.every(isTold)) await wait(50)
      const rows = await cluster.nodes[2].query('select id from notes', database)
      const committed = new Set(rows.map(({ id }) => Number(id)))
      assert.deepEqual(
        receiver.got.filter(({ body }) => !committed.has(body.entry.id)),
        [],
      )
      const twice = receiver.got.length - new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size
      console.log(`cluster: ${acknowledged.length} acknowledged writes, 0 lost to webhooks, ${twice} told twice`)
    } finally {
      await Promise.all(apps.map(app => app.close()))
      await receiver.stop()
    }
  })
}
