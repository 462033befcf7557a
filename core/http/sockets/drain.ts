import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Log } from '../../log.js'
import type { AdmissionQueue } from '../../loop/admission-queue.js'
import { draining } from '../../loop/constants.js'
import { endUpgrades } from './upgrades.js'

/** Stops accepting, lets running requests finish, and cuts the rest at the deadline. */
export async function drain(server: Server, admission: AdmissionQueue, deadline: number, log: Log): Promise<void> {
  const done = once(server, 'close')
  // Connections that arrive between the last look and the end are reset by the system: nothing long may happen in between.
  admission.pause()
  await accepted(server)
  // A machine with much to do may leave this process aside right then, for long enough that dozens arrive.
  if (letNoneWait(server)) await accepted(server)
  // The server's own way to close would cut connections between two requests, with the next one on its way.
  NetServer.prototype.close.call(server)
  admission.resume()
  endUpgrades(server)
  const late = setTimeout(() => {
    log.warn('requests were still running at the deadline and were cut')
    server.closeAllConnections()
  }, deadline)
  // As long as clients ask on the connections that they have, each is told with its response to close it. One that they do
  // not use is closed when they know that it is too old.
  const begun = performance.now()
  let last = begun
  server.on('request', () => {
    last = performance.now()
  })
  const latest = begun + Math.min(server.keepAliveTimeout || Number.POSITIVE_INFINITY, deadline / 2)
  const sweep = setInterval(() => {
    const now = performance.now()
    if (now - last >= draining.quiet || now >= latest) void closeIdle(server, admission)
  }, draining.sweep)
  await done
  clearTimeout(late)
  clearInterval(sweep)
  // Nothing is open any more: this ends the timers of its own.
  server.close()
}

async function closeIdle(server: Server, admission: AdmissionQueue): Promise<void> {
  admission.pause()
  await arrived()
  server.closeIdleConnections()
  admission.resume()
}

/** Resolves when the connections that were waiting have been accepted, one a turn. */
async function accepted(server: Server): Promise<void> {
  const end = performance.now() + draining.accepting
  let turns = 0
  const note = () => {
    turns = 0
  }
  server.on('connection', note)
  while (turns < draining.stillTurns && performance.now() < end) {
    turns += 1
    await arrived()
  }
  server.off('connection', note)
}

/**
 * Shortens the queue of the system to one connection. Those that find it taken try again a second later, and then find no
 * server or the next one, instead of a reset behind a request. False if the queue is shared with other processes.
 */
function letNoneWait(server: Server): boolean {
  const { _handle: handle } = server as Server & { _handle?: { listen(backlog: number): number } | null }
  return !cluster.isWorker && handle?.listen(0) === 0
}

/** Resolves when everything that had already arrived has been accepted and read: closed before that, it would be answered with a reset. */
const arrived = (): Promise<void> => new Promise(done => setImmediate(done))
