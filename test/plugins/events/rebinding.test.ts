import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { AllowedAddresses } from '../../../plugins/events/webhooks/addresses.js'
import { send } from '../../../plugins/events/webhooks/send.js'

/** A name that leads to another address at every look, as that of somebody who wants to reach what is private. */
const looks = { given: [] as string[], next: ['127.0.0.2', '127.0.0.1', '127.0.0.1'] }
// In a process of its own, where every module looks names up here: Node loads the server, past the mocks of vitest.
Object.assign(dns, {
  lookup: async () => {
    const address = looks.next.shift() as string
    looks.given.push(address)
    return [{ address, family: 4 }]
  },
})
syncBuiltinESMExports()

it('a webhook goes to the address that was checked, whatever its name means a moment later', async () => {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(String(request.socket.localAddress))
    response.end('taken')
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const post = (allowed: readonly string[]) =>
    send({
      url: `http://rebound.test:${port}/hook`,
      headers: {},
      body: '{}',
      allowed: new AllowedAddresses(allowed),
      signal: AbortSignal.timeout(10_000),
    })

  assert.equal((await post(['127.0.0.2'])).text, 'taken')
  assert.deepEqual([looks.given, reached], [['127.0.0.2'], ['127.0.0.2']])

  // The next try looks again, and is refused before anything is sent.
  await assert.rejects(post(['127.0.0.2']), /rebound\.test is 127\.0\.0\.1, a private address/)
  assert.deepEqual(reached, ['127.0.0.2'])
})
