import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { LongText } from '../../loop/long-text.js'
import { TimeSlice } from '../../loop/time-slice.js'
import { LongHash } from './hash.js'

/** The hash of a long response, made in time slices. */
export async function hashOfLong({ chunks }: LongText): Promise<string> {
  const slice = new TimeSlice()
  const hash = new LongHash()
  for (const chunk of chunks) {
    hash.add(chunk)
    if (slice.isOver) await slice.yield()
  }
  return hash.end()
}

/** Bytes of a response that are ready before the client has read the ones before them. */
const mostAhead = 1024 * 1024

/** Writes as fast as the client reads; the rest of a response is dropped once its client has gone. */
export async function writeLong(res: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  const slice = new TimeSlice()
  for (const chunk of chunks) {
    if (res.destroyed) return
    if (!res.write(chunk) && res.writableLength > mostAhead) await readOrGone(res)
    if (slice.isOver) await slice.yield()
  }
  res.end()
}

async function readOrGone(res: ServerResponse): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })])
  } finally {
    ended.abort()
  }
}
