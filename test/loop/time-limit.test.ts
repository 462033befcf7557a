import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it, onTestFinished } from 'vitest'
import { timeLimit } from '../../core/loop/time-limit.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** Runs the collector in a turn of its own: weakly held objects stay until the end of the turn in which they were made. */
async function collectGarbage(): Promise<void> {
  await nextTurn()
  gc()
}

/** Requests that are never answered, each with a signal of its own; gives how each of them ends. */
async function unanswered(signalOf: () => AbortSignal): Promise<Promise<Error>[]> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return Array.from(
    { length: 20 },
    () =>
      new Promise<Error>(resolve => {
        request({ host: '127.0.0.1', port, agent: false, signal: signalOf() }).on('error', resolve).end()
      }),
  )
}

describe('a limit of time', () => {
  it('ends every request, whatever was collected meanwhile', async () => {
    const other = new AbortController()
    const ends = await unanswered(() => timeLimit(300, other.signal))
    await collectGarbage()
    for (const { name } of await Promise.all(ends)) assert.equal(name, 'AbortError')
  })

  it('ends them sooner where the other signal aborts', async () => {
    const other = new AbortController()
    const ends = await unanswered(() => timeLimit(600_000, other.signal))
    await collectGarbage()
    other.abort()
    for (const { name } of await Promise.all(ends)) assert.equal(name, 'AbortError')
  })

  it('stands alone where there is no other signal', async () => {
    const ends = await unanswered(() => timeLimit(50))
    await collectGarbage()
    for (const { name } of await Promise.all(ends)) assert.equal(name, 'AbortError')
  })
})
