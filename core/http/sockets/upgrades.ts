import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Connections that have gone over to another protocol, by their server, which does not know them any more. */
const upgraded = new WeakMap<Server, Set<Duplex>>()

/** Keeps track of connections that code takes over with `upgrade`, from when it does: a server without such code refuses them. */
export function noteUpgrades(server: Server): void {
  const begin = (event: string | symbol) => {
    if (event !== 'upgrade') return
    server.off('newListener', begin)
    const open = new Set<Duplex>()
    upgraded.set(server, open)
    server.on('upgrade', (_, socket: Duplex) => {
      // The code has gone, or the server is about to stop.
      if (server.listenerCount('upgrade') === 1 || !upgraded.has(server)) return socket.destroy()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
  }
  server.on('newListener', begin)
}

/** Ends them, and all that come yet: they would go on for as long as their clients like. */
export function endUpgrades(server: Server): void {
  for (const socket of upgraded.get(server) ?? []) socket.destroy()
  upgraded.delete(server)
}
