import { type DestinationStream, pino } from 'pino'
import { readableLine } from '../../kit/readable-log.js'
import type { Destination, LogOptions } from '../../log.js'
import type { Io, Output } from './io.js'

/** Format of log lines: as set, or by default text at a terminal and JSON elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text'

/** A log on standard output; that of the process itself gathers lines, and loses none at an exit. */
export function logTo(io: Io, format: LogFormat): Pick<LogOptions, 'destination' | 'show'> {
  const { stdout } = io
  const show = shownOn(stdout, io, format)
  return { destination: stdout === process.stdout ? standardOutput() : (stdout as DestinationStream), show }
}

/** The formatter of log lines as text, if the format calls for it. */
export function shownOn({ isTTY }: Output, { env }: Io, format: LogFormat): LogOptions['show'] {
  if (format === 'json' || (format === 'auto' && !isTTY)) return undefined
  const isColored = isTTY === true && !env.NO_COLOR
  return line => `${readableLine(line.trimEnd(), isColored)}\n`
}

/** Lines that are written together, at most: one write takes longer than all else that is done for a line. */
const mostWaiting = 64
/** Milliseconds for which a line waits to be written, at most. */
const longestWait = 100

let standard: Required<Destination> | undefined

/**
 * Standard output as the destination of a log; a process has one. Lines that can wait are written together, before the next
 * line that cannot, and before the process exits.
 */
export function standardOutput(): Required<Destination> {
  if (standard) return standard
  const stream = pino.destination({ fd: 1, sync: true })
  let waiting: string[] = []
  let isDue = false
  const flush = () => {
    if (waiting.length === 0) return
    const lines = waiting.join('')
    waiting = []
    stream.write(lines)
  }
  const whenDue = () => {
    isDue = false
    flush()
  }
  process.on('exit', flush)
  standard = {
    write(line) {
      waiting.push(line)
      flush()
    },
    writeSoon(line) {
      waiting.push(line)
      if (waiting.length >= mostWaiting) flush()
      else if (!isDue) {
        isDue = true
        setTimeout(whenDue, longestWait).unref()
      }
    },
  }
  return standard
}
