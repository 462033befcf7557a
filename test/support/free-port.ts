import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which the kernel takes the ports of outgoing connections, so that no client of a test can
// sit on the port while its server is down and about to come back.
const lowest = 20_000
const highest = 32_000

// Test files that run at the same time have ranges of their own: a port is free until the server is up that it is for.
const ranges = 8
const size = (highest - lowest) / ranges
const first = lowest + size * (Number(process.env.VITEST_POOL_ID ?? 0) % ranges)
const given = new Set<number>()

/** A port on 127.0.0.1 that nobody listens on, and that nobody else was given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(first, first + size)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port found between ${first} and ${first + size}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
