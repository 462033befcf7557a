import type { DestinationStream } from 'pino'
import { readableLine } from '../../kit/readable-log.js'
import type { LogOptions } from '../../log.js'
import type { Io, Output } from './io.js'
import { standardOutput } from './standard-output.js'

/** How lines of the log are written: as the settings say, or by default for people at a terminal and for programs elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text'

/** A log on standard output; the process itself has a faster destination, which loses no line at an exit. */
export function logTo(io: Io, format: LogFormat): Pick<LogOptions, 'destination' | 'show'> {
  const { stdout } = io
  const show = shownOn(stdout, io, format)
  return { destination: stdout === process.stdout ? standardOutput() : (stdout as DestinationStream), show }
}

/** What turns lines into text for people, where they are to be. */
export function shownOn({ isTTY }: Output, { env }: Io, format: LogFormat): LogOptions['show'] {
  if (format === 'json' || (format === 'auto' && !isTTY)) return undefined
  const isColored = isTTY === true && !env.NO_COLOR
  return line => `${readableLine(line.trimEnd(), isColored)}\n`
}
