import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { it, onTestFinished } from 'vitest'
import { type ReceivedMessage, Receiver } from '../plugins/events/receiver.js'
import type { DatabaseSettings } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { folderOf, started } from '../support/terminal.js'
import { ownServer } from './support/ground.js'
import { isFull, times } from './support/length.js'
import { trapFor, type When } from './support/trap.js'

const kills = times(2, 60)

const files = (url: string) => ({
  'content-types/note.json': {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes' },
    options: { draftAndPublish: true },
    attributes: { text: { type: 'string', required: true }, number: { type: 'integer' } },
  },
  'config/api.json': { rest: { public: true } },
  // The check of what is published comes after the event is recorded, and undoes both.
  'config/plugins.json': {
    events: { config: { privateAddresses: ['127.0.0.1'], timeout: 200, retries: Array(200).fill(0.05) } },
    'draft-and-publish': true,
  },
  'config/webhooks.json': { notes: { url, types: ['note'] } },
})

const appFor = ({ url }: Receiver): string =>
  folderOf(Object.fromEntries(Object.entries(files(url)).map(([name, value]) => [name, JSON.stringify(value)])))

/** As if the lease of a process that was killed had run out, which takes twenty seconds. */
async function freeLease(database: DatabaseSettings): Promise<void> {
  const free = () => run(database, 'update stele_jobs set holder = null, beat = beat + 1 where holder is not null')
  // A file that a server is writing to is locked for a moment.
  while (!(await free().catch(() => undefined))) await wait(5)
}

/** True if an event is still on its way: asked in the order of the way, so that none slips through. */
async function isOpen(database: DatabaseSettings): Promise<boolean> {
  const counts = [
    'select count(*) as n from stele_events where position is null',
    'select (select max(position) from stele_events) - (select min(position) from stele_webhook_receivers) as n',
    "select count(*) as n from stele_deliveries where state <> 'done'",
  ]
  for (const sql of counts) if (Number((await run(database, sql))[0]?.n) > 0) return true
  return false
}

onEveryEngineAtLength('webhooks that are killed, hung up on and lied to', engine => {
  it('tell of every write that was acknowledged, in the order of each entry, and of none that was undone', {
    timeout: 120_000 + kills * 10_000,
  }, async () => {
    const receiver = await Receiver.start()
    const fresh = await engine.fresh()
    /** The current phase, for the message of a timeout. */
    let phase = 'a start'
    onTestFinished(async () => {
      if (phase !== '') console.error(`it waited for ${phase}`)
      await receiver.stop()
      await fresh.drop()
    })
    const folder = appFor(receiver)
    const start = () => started(folder, { ...fresh.env, LOG_LEVEL: 'info' })
    const servers = [await start(), await start()]
    const taken: ReceivedMessage[] = []
    let isFaulty = true
    receiver.answer = (got, response) => {
      const fault = isFaulty ? Math.random() : 1
      if (fault < 0.1) return
      if (fault < 0.2) response.writeHead(500).end('no')
      else if (fault < 0.25) response.writeHead(429, { 'retry-after': '0' }).end()
      else if (fault < 0.3) response.destroy()
      else if (fault < 0.35) response.writeHead(302, { location: receiver.url }).end()
      else {
        taken.push(got)
        if (fault > 0.4) return response.end()
        // The receiver has accepted the message, and sends a wrong length, or breaks its response off.
        response.writeHead(200, { 'content-length': '10000' })
        response.write('begun', () => response.destroy())
      }
    }

    /** Acknowledged changes: `entry.create 1`, `entry.update 1`, ... */
    const acknowledged: string[] = []
    let refused = 0
    let isOver = false
    const send = async (method: string, path: string, data?: unknown) => {
      const { url } = servers[Math.random() < 0.5 ? 0 : 1] as (typeof servers)[0]
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/notes${path}`, { method, headers, ...body }).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status !== 200 || text === undefined) return { status: answer?.status ?? 0, id: 0 }
      return { status: 200, id: JSON.parse(text).data.id as number }
    }
    const client = async () => {
      for (let number = 0; !isOver; number += 1) {
        const { id } = await send('POST', '', { number, publishedAt: null })
        if (id === 0) continue
        acknowledged.push(`entry.create ${id}`)
        // The entry lacks its text: the event of its publication is rolled back with it.
        const { status } = await send('PUT', `/${id}`, { publishedAt: new Date().toISOString() })
        if (status === 400) refused += 1
        else assert.notEqual(status, 200)
        if ((await send('PUT', `/${id}`, { number: number + 1 })).id > 0) acknowledged.push(`entry.update ${id}`)
        if (number % 3 === 0 && (await send('DELETE', `/${id}`)).id > 0) acknowledged.push(`entry.delete ${id}`)
      }
    }
    const clients = [client(), client(), client(), client()]
    for (let round = 0; round < kills; round += 1) {
      await wait(500 + Math.random() * 1500)
      const at = round % 2
      phase = `the end of a server, in round ${round}`
      await servers[at]?.server.stop('SIGKILL')
      phase = `the lease, in round ${round}`
      await freeLease(fresh.database)
      phase = `a start, in round ${round}`
      servers[at] = await start()
    }
    await wait(500)
    isOver = true
    phase = 'the responses to clients'
    await Promise.all(clients)
    isFaulty = false
    phase = 'the last deliveries'
    while (await isOpen(fresh.database)) await wait(50)
    phase = ''

    const firsts = new Map<string, ReceivedMessage>()
    for (const got of taken) {
      const id = String(got.headers['webhook-id'])
      const former = firsts.get(id)
      if (former) assert.equal(got.text, former.text)
      else firsts.set(id, got)
    }
    const told = [...firsts.values()].map(({ body }) => `${body.event} ${body.entry.id}`)
    const lost = acknowledged.filter(write => !told.includes(write))
    assert.deepEqual(lost, [])
    assert.ok(acknowledged.length > 20 && refused > 5, `${acknowledged.length} acknowledged, ${refused} refused`)
    assert.deepEqual(
      told.filter(one => one.startsWith('entry.publish')),
      [],
    )
    const last = new Map<number, number>()
    for (const [id, { body }] of firsts) {
      const number = Number(id.split('_')[1])
      assert.ok(number > (last.get(body.entry.id) ?? 0), `${id} came after ${last.get(body.entry.id)}`)
      last.set(body.entry.id, number)
    }
    console.log(
      `webhooks on ${engine.name}: ${kills} kills, ${acknowledged.length} acknowledged writes, 0 lost; ` +
        `${refused} undone, 0 told; ${receiver.got.length} requests, ${taken.length - firsts.size} taken more than once`,
    )
  })

  const ground = ownServer(engine)

  it('are told of what was committed, and of nothing else, wherever in a write or a delivery a server is killed', {
    timeout: isFull ? 1_800_000 : 120_000,
  }, async () => {
    const receiver = await Receiver.start()
    onTestFinished(() => receiver.stop())
    const place = await ground()
    const trap = await trapFor(place)
    const folder = appFor(receiver)
    const start = () => started(folder, { ...place.env, ...trap.env, LOG_LEVEL: 'info' })
    let kills = 0
    /** Gives how many statements there were until everything was told, or the server was killed. */
    const interrupted = async (turn: number, when: When): Promise<number> => {
      const { server, url } = await start()
      let hasEnded = false
      void server.ended.then(() => {
        hasEnded = true
      })
      trap.arm(server, turn, when)
      const body = JSON.stringify({ data: { text: `turn ${turn}` } })
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${url}/api/notes`, { method: 'POST', headers, body }).catch(() => undefined)
      const isTold = () => receiver.got.some(got => got.body.entry.text === `turn ${turn}`)
      while (!hasEnded && !(reply?.ok && isTold() && !(await isOpen(place.database)))) await wait(20)
      const statements = trap.disarm()
      if (hasEnded) kills += 1
      await server.stop('SIGKILL')
      await freeLease(place.database)
      const next = await start()
      while (await isOpen(place.database)) await wait(20)
      await next.server.stop('SIGKILL')
      await freeLease(place.database)
      const committed = (await run(place.database, 'select id from notes')).map(({ id }) => Number(id))
      const told = new Set(receiver.got.map(got => Number(got.body.entry.id)))
      assert.deepEqual(
        [...told].toSorted((one, two) => one - two),
        committed.toSorted((one, two) => one - two),
      )
      return statements
    }
    const statements = await interrupted(100_000, 'before')
    const turns = isFull ? Array.from({ length: statements }, (_, index) => index + 1) : [3, statements >> 1]
    for (const turn of turns) await interrupted(turn, turn % 2 ? 'before' : 'after')
    assert.ok(kills > 0)
    console.log(
      `webhooks on ${engine.name}: ${kills} kills between ${statements} statements: told of all that was committed, and of nothing else`,
    )
  })
})
