import { pino } from 'pino'
import type { Destination } from '../log.js'

/** Characters that wait to be written, and milliseconds for which they do, at most. */
const batch = 16_384
const longestWait = 100

let standard: Required<Destination> | undefined

/**
 * Standard output as the destination of a log; a process has one. Lines that can wait are written together, before the next
 * line that cannot, and before the process exits.
 */
export function standardOutput(): Required<Destination> {
  if (standard) return standard
  const stream = pino.destination({ fd: 1, sync: true })
  // Collected as one text: the stream would look at each line, which takes five times as long as making it.
  let waiting = ''
  let due: NodeJS.Timeout | undefined
  const write = (line: string) => {
    clearTimeout(due)
    due = undefined
    const text = waiting + line
    waiting = ''
    // Written when this returns: to flush the stream would have the disk flushed too, at a hundred times the cost.
    if (text !== '') stream.write(text)
  }
  const flush = () => write('')
  process.on('exit', flush)
  standard = {
    write,
    later(line) {
      waiting += line
      if (waiting.length >= batch) flush()
      else due ??= setTimeout(flush, longestWait).unref()
    },
  }
  return standard
}
