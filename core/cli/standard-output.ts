import { pino } from 'pino'
import type { Destination } from '../log.js'

/** Milliseconds for which lines wait to be written, at most. */
const longestWait = 100

let standard: Required<Destination> | undefined

/**
 * Standard output as the destination of a log; a process has one. Lines that can wait are written together, before the next
 * line that cannot, and before the process exits.
 */
export function standardOutput(): Required<Destination> {
  if (standard) return standard
  const stream = bytesTo(1)
  const sources: (() => string)[] = []
  let isDue = false
  const write = (line: string) => {
    let text = ''
    for (const take of sources) text += take()
    text += line
    // Written when this returns: to flush the stream would have the disk flushed too, at a hundred times the cost.
    if (text !== '') stream.write(Buffer.from(text))
  }
  const now = () => write('')
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
    write,
    gather(take) {
      sources.push(take)
      return { soon, now }
    },
  }
  return standard
}

/** A stream of bytes: one of texts would count and copy each text once more. */
function bytesTo(fd: number): { write(bytes: Uint8Array): unknown } {
  // The types of pino know texts only.
  const options: object = { fd, sync: true, contentMode: 'buffer' }
  return pino.destination(options) as unknown as { write(bytes: Uint8Array): unknown }
}
