import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

export interface DoorParts {
  /** Milliseconds that the first of the line may have waited when another one joins it; 0 lets everybody in. */
  readonly maxDelay: number
  readonly serve: RequestListener
  readonly refuse: RequestListener
  /** For how many milliseconds the first of those who wait for the database has been waiting. */
  readonly waited: () => number
}

/** Milliseconds of work, after which the event loop looks for what has arrived. */
const slice = 25
/** Requests that one turn of the event loop begins at most; their slice is over before that. */
const most = 256
/** Turns in a row that only accept connections. */
const acceptingTurns = 64

const probe = /^\/_health(\/ready)?\/?(\?|$)/i

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
}

/**
 * Where requests come in. Those that arrive faster than they are served would wait in their sockets, nobody knows for how
 * long, while each turn of the event loop takes on all of them at once. So they stand in a line here, and once the first
 * of it has waited too long, new ones are refused for a fraction of what serving them would cost. As the line is never
 * empty meanwhile, what can be served is served.
 */
export class Door {
  readonly #parts: DoorParts
  readonly #line: Waiting[] = []
  /** When the work of this turn began. */
  #begun: number | undefined
  #isTurning = false
  #hasNewConnection = false
  #acceptedFor = 0

  constructor(parts: DoorParts) {
    this.#parts = parts
  }

  /** A connection was accepted; others may be waiting for that. */
  connected(): void {
    this.#hasNewConnection = true
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    const { serve, refuse } = this.#parts
    const now = performance.now()
    if (probe.test(request.url ?? '')) serve(request, response)
    else if (this.#isOverloaded(now)) refuse(request, response)
    else this.#admit({ request, response, since: now })
  }

  #admit(one: Waiting): void {
    this.#begun ??= one.since
    if (!this.#isTurning) setImmediate(this.#turn)
    this.#isTurning = true
    const isFirst = this.#line.length === 0 && !this.#hasNewConnection
    if (isFirst && one.since - this.#begun < slice) this.#parts.serve(one.request, one.response)
    else this.#line.push(one)
  }

  /** A request has several statements, each of which waits: the database may have less of the time than the line. */
  #isOverloaded(now: number): boolean {
    const { maxDelay, waited } = this.#parts
    if (maxDelay === 0) return false
    return now - (this.#line[0]?.since ?? now) > maxDelay || waited() > maxDelay / 2
  }

  /** The end of a turn: what waits in line is called up for the next one, after what arrives meanwhile was looked at. */
  readonly #turn = (): void => {
    this.#begun = undefined
    this.#isTurning = this.#line.length > 0
    if (!this.#isTurning) return
    // Node accepts one connection a turn: while there are more, they are let into the line before it moves on.
    const isAccepting = this.#hasNewConnection && this.#acceptedFor < acceptingTurns
    this.#acceptedFor = isAccepting ? this.#acceptedFor + 1 : 0
    this.#hasNewConnection = false
    // Each in a callback of its own, so that it comes as far as it can before the next one begins.
    if (!isAccepting) for (let k = Math.min(this.#line.length, most); k > 0; k -= 1) setImmediate(this.#next)
    setImmediate(this.#turn)
  }

  readonly #next = (): void => {
    const now = performance.now()
    this.#begun ??= now
    if (now - this.#begun >= slice) return
    const first = this.#line.shift()
    // Nobody waits any more for what was asked on a connection that is gone.
    if (first && !first.request.socket.destroyed) this.#parts.serve(first.request, first.response)
  }
}
