import { type DestinationStream, type Logger, pino } from 'pino'
import type { LineBytes } from './kit/line-bytes.js'

/** What the server and its plugins may do with the log. */
export type Log = Pick<
  Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level' | 'isLevelEnabled'
>

/**
 * Where lines go; `gather` writes those of one source together, in the order of all: `take` gives those that wait, in memory
 * that the source uses again.
 */
export interface Destination extends DestinationStream {
  gather?(take: () => Uint8Array): Gathering
}

/** Has the lines that wait written, soon (which may be said for each) or now. */
export interface Gathering {
  soon(): void
  now(): void
}

export interface LogOptions {
  readonly destination?: Destination
  /** Which of several processes writes. */
  readonly worker?: number | undefined
  /** Turns a line of JSON into what is written, for people to read. */
  readonly show?: ((line: string) => string) | undefined
}

/** For lines that are made without pino, which costs ten times as much: those of requests. They have no secrets. */
export interface FastLines {
  /** Begins a line at the level info that is of this time, in whole milliseconds; the JSON of its fields follows. */
  begin(lines: LineBytes, time: number): void
  gather(take: () => Uint8Array): Gathering
}

const fast = Symbol('fast lines')

/** One line of JSON per event, without secrets. Written at once, so that the last line before an exit is not lost. */
export function createLog(level: string, { destination, worker, show }: LogOptions = {}): Log {
  const output = outputOf(destination ?? pino.destination({ fd: 1, sync: true }), show)
  const base = { pid: process.pid, ...(worker !== undefined && { worker }) }
  const log = pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: withoutValues },
      hooks: { streamWrite: maskSecrets },
    },
    output,
  )
  return Object.assign(log, { [fast]: fastLines(output, JSON.stringify(base).slice(1, -1)) })
}

/** The fast lines of a log, if it was made by `createLog`. */
export const fastLinesOf = (log: Log): FastLines | undefined => (log as { readonly [fast]?: FastLines })[fast]

function fastLines(output: Output, base: string): FastLines {
  let second = Number.NaN
  let head = Buffer.alloc(0)
  let digits = 0
  return {
    begin(lines, time) {
      const passed = time % 1000
      if (time - passed !== second) {
        second = time - passed
        const before = `{"level":"info","time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`
        digits = before.length
        head = Buffer.from(`${before}000Z",${base},`)
      }
      head[digits] = 48 + Math.floor(passed / 100)
      head[digits + 1] = 48 + (Math.floor(passed / 10) % 10)
      head[digits + 2] = 48 + (passed % 10)
      lines.add(head)
    },
    gather: output.gather,
  }
}

type Output = Required<Destination>

function outputOf(destination: Destination, shows: LogOptions['show']): Output {
  const show = shows ?? (line => line)
  const write = (line: string) => destination.write(show(line))
  const gather: Output['gather'] = take => {
    const shown = () => Buffer.from(take()).toString().split(/^/m).map(show).join('')
    if (destination.gather) return destination.gather(shows ? () => Buffer.from(shown()) : take)
    const now = () => void destination.write(shown())
    return { soon: now, now }
  }
  return { write, gather }
}

/** What drivers put on their errors besides the message: statements with their values, and the rows that they are about. */
const valued = ['sql', 'sqlMessage', 'detail', 'where', 'parameters', 'internalQuery']

/** An error as the log has it: the statement is logged with placeholders, by the code that ran it. */
function withoutValues(error: unknown): unknown {
  const written: unknown = pino.stdSerializers.err(error as Error)
  if (typeof written !== 'object' || written === null) return written
  return Object.fromEntries(Object.entries(written).filter(([name]) => !valued.includes(name)))
}

/** Replaces the password of every URL in a text; database URLs are covered even where the password is badly encoded. */
export function maskUrl(text: string): string {
  if (!text.includes('://')) return text
  return text
    .replace(/\b((?:mysql2?|mariadb|postgres(?:ql)?|pg):\/\/[^\s:/@"]{0,99}:)[^\s"]{0,999}@/gi, '$1***@')
    .replace(/(:\/\/[^\s:/@"]{0,99}:)[^\s/?#"]{0,999}@/g, '$1***@')
}

// Lengths are bounded because a log line carries text that clients choose: no line may take long to search.
const name = '[^"\\\\]{0,40}(?:authorization|cookie|passw(?:or)?d|token|secret|api-?key)[^"\\\\]{0,40}'
const value = '"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|\\{[^{}]*\\}|-?\\d[\\d.eE+-]*'
const secret = new RegExp(`"(${name})":(?:${value})`, 'gi')

/**
 * Works on the finished line: at any depth, in bindings, errors and their causes alike, and for a tenth of what
 * looking for paths in every object costs.
 */
export function maskSecrets(line: string): string {
  return maskUrl(line.replace(secret, '"$1":"[redacted]"'))
}
