import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Ground } from './ground.js'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Drops all bytes without telling either side. */
  isSilent: boolean
}

/** The network between a server and its database, which can be broken in every way. */
export class Network {
  readonly #listener: Server
  readonly #pairs = new Set<Pair>()
  /** Largest number of connections at the same time. */
  most = 0
  /** True if new connections get through. */
  letsIn = true
  /** Number of turns that clients have begun to send; a test that counts from now on sets it to 0. */
  turns = 0
  /** True if the bytes of a turn, and of its response, are passed on. */
  passesOn: (turn: number, part: Buffer) => boolean = () => true
  passesBack: (turn: number) => boolean = () => true

  private constructor(target: number) {
    this.#listener = createServer(client => this.#pair(client, connect(target, '127.0.0.1')))
  }

  /** In front of a database server; gone when the test ends. */
  static async before({ server }: Ground): Promise<Network> {
    if (!server) throw new Error('SQLite has no network')
    const network = new Network(server.port)
    network.#listener.listen(0, '127.0.0.1')
    await once(network.#listener, 'listening')
    onTestFinished(() => {
      network.cut()
      network.#listener.close()
    })
    return network
  }

  get env(): Record<string, string> {
    return { DATABASE_PORT: String((this.#listener.address() as AddressInfo).port) }
  }

  /** Ends all connections without a word of the protocol. */
  cut(): void {
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.resetAndDestroy()
  }

  /** From now on nothing passes on the connections that there are, as when a cable is pulled. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true
  }

  #pair(client: Socket, server: Socket): void {
    const pair: Pair = { client, server, isSilent: !this.letsIn }
    this.#pairs.add(pair)
    this.most = Math.max(this.most, this.#pairs.size)
    let isAnswered = true
    const end = () => {
      this.#pairs.delete(pair)
      // A client that is cut off from the other side does not notice its end either.
      if (pair.isSilent) return
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', () => undefined).on('close', end)
    client.on('data', part => {
      if (isAnswered) this.turns += 1
      isAnswered = false
      if (!pair.isSilent && this.passesOn(this.turns, part)) server.write(part)
    })
    server.on('data', part => {
      isAnswered = true
      if (!pair.isSilent && this.passesBack(this.turns)) client.write(part)
    })
  }
}
