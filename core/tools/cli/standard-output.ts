import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Destination } from '../../log.js'

/** Milliseconds for which lines wait to be written, at most. */
const longestWait = 100

let standard: Required<Destination> | undefined

/**
 * Standard output as the destination of a log; a process has one. Lines that can wait are written together, before the next
 * line that cannot, and before the process exits.
 */
export function standardOutput(): Required<Destination> {
  if (standard) return standard
  const write = bytesTo(1)
  const sources: (() => Uint8Array)[] = []
  let isDue = false
  const now = () => {
    for (const take of sources) write(take())
  }
  const whenDue = () => {
    isDue = false
    now()
  }
  const soon = () => {
    if (isDue) return
    isDue = true
    setTimeout(whenDue, longestWait).unref()
  }
  process.on('exit', now)
  standard = {
    write(line) {
      now()
      write(Buffer.from(line))
    },
    gather(take) {
      sources.push(take)
      return { soon, now }
    },
  }
  return standard
}

/**
 * What writes bytes: they have been written when it returns, and may change. To flush a stream would have the disk flushed too, at
 * a hundred times the cost.
 */
function bytesTo(fd: number): (bytes: Uint8Array) => void {
  // A stream of texts would count and copy each text once more. The types of pino know texts only.
  const options: object = { fd, sync: true, contentMode: 'buffer' }
  const stream = pino.destination(options) as unknown as { write(bytes: Uint8Array): unknown }
  let isDirect = true
  return bytes => {
    if (bytes.length === 0) return
    let written = 0
    try {
      while (isDirect && written < bytes.length) written += writeSync(fd, bytes, written)
    } catch {
      // The reader is slow, or gone: pino handles both, and from then on nothing may overtake what it has not written.
      isDirect = false
    }
    if (written < bytes.length) stream.write(Buffer.from(bytes.subarray(written)))
  }
}
