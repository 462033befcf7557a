import { strict as assert } from 'node:assert'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'vitest'
import { AdmissionQueue } from '../../core/loop/admission-queue.js'
import { SimulatedClock } from '../support/simulated-clock.js'

const several = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work)

describe('the admission queue', () => {
  const visit = (queue: AdmissionQueue, url = '/') =>
    queue.enter({ url, socket: new Socket() } as IncomingMessage, {} as ServerResponse)

  /** A queue whose database takes as many as the test says. */
  const closedQueue = () => {
    const clock = new SimulatedClock()
    const room = { left: 0 }
    const seen: string[] = []
    const queue = new AdmissionQueue({
      maxDelay: 100,
      maxBurstDelay: 0,
      clock,
      serve: ({ url }) => {
        room.left -= 1
        seen.push(`served ${url}`)
      },
      refuse: ({ url }) => seen.push(`refused ${url}`),
      isCrowded: () => room.left <= 0,
    })
    const until = async (count: number) => {
      await clock.until(() => seen.length >= count)
      return seen.splice(0)
    }
    return { clock, room, queue, seen, until }
  }

  it('admits no request while the database is busy, except for probes', async () => {
    const { clock, room, queue, seen, until } = closedQueue()
    for (const url of ['/first', '/_health', '/_health/ready?x', '/_healthy']) visit(queue, url)
    await clock.turns(20)
    assert.deepEqual(seen.splice(0), ['served /_health', 'served /_health/ready?x'])
    room.left = 2
    assert.deepEqual(await until(2), ['served /first', 'served /_healthy'])
  })

  it('looks at the database before each that it calls up', async () => {
    const { clock, room, queue, seen, until } = closedQueue()
    for (const url of ['/1', '/2', '/3']) visit(queue, url)
    for (const url of ['/1', '/2', '/3']) {
      room.left = 1
      assert.deepEqual(await until(1), [`served ${url}`])
      await clock.turns(5)
      assert.deepEqual(seen, [])
    }
  })

  it('sends away who has waited for too long, and lets no one wait where no one is called up', async () => {
    const { clock, room, queue, seen, until } = closedQueue()
    visit(queue, '/early')
    clock.work(200)
    visit(queue, '/late')
    await clock.turns(10)
    assert.deepEqual(seen, [])
    clock.work(101)
    assert.deepEqual(await until(1), ['refused /early'])
    visit(queue, '/now')
    assert.deepEqual(seen.splice(0), ['refused /now'])
    room.left = 1
    assert.deepEqual(await until(1), ['served /late'])
  })

  it('lets everyone wait for the database where it refuses no one', () => {
    let served = 0
    const serve = () => {
      served += 1
    }
    const refuse = () => assert.fail('nobody is refused')
    const queue = new AdmissionQueue({ maxDelay: 0, maxBurstDelay: 0, serve, refuse, isCrowded: () => true })
    visit(queue)
    assert.equal(served, 1)
  })

  it('lets in the order of arrival, and leaves out who has gone', async () => {
    const served: string[] = []
    const clock = new SimulatedClock()
    const queue = new AdmissionQueue({
      maxDelay: 10_000,
      maxBurstDelay: 0,
      clock,
      serve: ({ url = '' }) => {
        served.push(url)
        clock.work(10)
      },
      refuse: () => assert.fail('nobody is refused'),
      isCrowded: () => false,
    })
    const sockets = several(10, () => new Socket())
    for (const [index, socket] of sockets.entries())
      queue.enter({ url: `/${index}`, socket } as IncomingMessage, {} as ServerResponse)
    assert.ok(served.length < 10)
    sockets[8]?.destroy()
    await clock.until(() => served.includes('/9'))
    assert.deepEqual(served, ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/9'])
  })

  it('serves those in line however long it takes to look at who comes', async () => {
    const { clock, room, queue, seen } = closedQueue()
    room.left = Number.POSITIVE_INFINITY
    queue.pause()
    for (let k = 0; k < 5; k += 1) visit(queue, `/${k}`)
    queue.resume()
    for (let turn = 0; turn < 10; turn += 1) {
      visit(queue, '/new')
      clock.work(20)
      await clock.turn()
    }
    assert.deepEqual(seen.slice(0, 5), ['served /0', 'served /1', 'served /2', 'served /3', 'served /4'])
  })

  it('counts the requests that read, which are neither writes, probes nor those it rejects', () => {
    const { room, queue } = closedQueue()
    const send = (method: string, url = '/') =>
      queue.enter({ method, url, socket: new Socket() } as IncomingMessage, {} as ServerResponse)
    room.left = 10
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) send(method)
    send('GET', '/_health')
    assert.equal(queue.reads, 2)
    room.left = 0
    send('GET')
    assert.equal(queue.reads, 2)
  })

  it('accepts connections first, and serves for as long in between', async () => {
    const { clock, room, queue, seen } = closedQueue()
    room.left = Number.POSITIVE_INFINITY
    const begun = clock.now()
    const served: number[] = []
    for (let turn = 0; turn < 600; turn += 1) {
      queue.connected()
      visit(queue)
      clock.work(1)
      await clock.turn()
      if (seen.splice(0).some(what => what.startsWith('served'))) served.push(clock.now() - begun)
    }
    const within = (from: number, to: number) => served.filter(at => at > from && at <= to).length
    for (const start of [0, 150, 300, 450]) {
      assert.ok(within(start + 5, start + 75) === 0, `served while accepting: ${served}`)
      assert.ok(within(start + 75, start + 150) > 50, `not served after accepting: ${served}`)
    }
  })

  it('lets a line be too long for a moment, and not for good', async () => {
    const clock = new SimulatedClock()
    let refused = 0
    let served = 0
    let entered = 0
    const enter = () => {
      entered += 1
      visit(queue)
    }
    const queue: AdmissionQueue = new AdmissionQueue({
      maxDelay: 1000,
      maxBurstDelay: 0,
      clock,
      serve: () => {
        clock.work(5)
        served += 1
        // As many come as are served: the line stays as long as it is.
        if (served > 40 && refused === 0) enter()
      },
      refuse: () => {
        refused += 1
      },
      isCrowded: () => false,
    })
    // Twelve hundred milliseconds of work.
    for (let count = 0; count < 260; count += 1) enter()
    await clock.until(() => served + refused >= entered)
    // The last one to enter is the first that is refused, behind a second of work of five milliseconds.
    assert.equal(refused, 1)
    assert.ok(entered - 260 > 150 && entered - 260 < 250, `refused after ${entered - 260}`)
  })
})

describe('what is written', () => {
  it('may wait as long as requests wait in line, and for the limit while the line is kept short', async () => {
    const clock = new SimulatedClock()
    const seen: { readonly delay: number; readonly flushSlack: number; readonly refused: number }[] = []
    let refused = 0
    const visit = () => queue.enter({ url: '/', socket: new Socket() } as IncomingMessage, {} as ServerResponse)
    const queue: AdmissionQueue = new AdmissionQueue({
      maxDelay: 1000,
      maxBurstDelay: 0,
      clock,
      serve: () => {
        clock.work(5)
        seen.push({ delay: queue.delay, flushSlack: queue.flushSlack, refused })
        // Twice as many come as are served.
        if (clock.now() < 5000) for (let k = 0; k < 2; k += 1) visit()
      },
      refuse: () => {
        refused += 1
      },
      isCrowded: () => false,
    })
    visit()
    await clock.until(() => clock.now() >= 5000)
    const early = seen.filter(one => one.refused === 0 && one.delay > 100)
    assert.ok(early.length > 100)
    for (const { delay, flushSlack } of early) assert.equal(flushSlack, delay)
    const last = seen.slice(-100)
    for (const { delay, flushSlack } of last) {
      assert.equal(flushSlack, 1000)
      assert.ok(delay > 100 && delay < 150, String(delay))
    }
  })
})
