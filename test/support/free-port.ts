import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which the kernel takes the ports of outgoing connections, so that no client of a test can
// sit on the port while its server is down and about to come back.
const lowest = 20_000
const highest = 32_000

/** A port on 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
