import { AsyncLocalStorage } from 'node:async_hooks'

/** An event that is being heard, and the one in whose handler it was fired. */
interface HeardEvent {
  readonly event: string
  readonly outer: HeardEvent | undefined
  isOver: boolean
}

const current = new AsyncLocalStorage<HeardEvent>()

/** One in another: trees are walked to their roots this way, and a handler that has no end comes to it at once. */
const deepest = 50

/** Lets a handler hear an event. One that fires the same event again and again, each within the last, is stopped. */
export async function nested(event: string, hear: () => unknown): Promise<void> {
  const outer = current.getStore()
  if (depthOf(event, outer) >= deepest)
    throw new Error(
      `${event} fires itself: ${deepest} of them are one in another; let the handler look at its event before it writes`,
    )
  const hearing: HeardEvent = { event, outer, isOver: false }
  try {
    await current.run(hearing, async () => hear())
  } finally {
    hearing.isOver = true
  }
}

/** Handlers that have ended, and have left work behind, do not count. */
function depthOf(event: string, hearing: HeardEvent | undefined): number {
  let depth = 0
  for (let at = hearing; at; at = at.outer) if (at.event === event && !at.isOver) depth += 1
  return depth
}
