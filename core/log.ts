import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'

/** What the server and its plugins may do with the log. */
export type Log = Pick<
  Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level' | 'isLevelEnabled'
>

/** Where lines go; `later` may write a line together with others, in the order of all lines. */
export interface Destination extends DestinationStream {
  later?(line: string): void
}

export interface LogOptions {
  readonly destination?: Destination
  /** Which of several processes writes. */
  readonly worker?: number | undefined
  /** Turns a line of JSON into what is written, for people to read. */
  readonly show?: ((line: string) => string) | undefined
}

/** Where lines go that are made without pino, which costs ten times as much: those of requests. */
export interface FastLines {
  /** Writes a line at the level info, soon. `fields` is JSON without its braces, and has no secrets. */
  info(fields: string): void
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
      timestamp: stdTimeFunctions.isoTime,
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
  let second = 0
  let head = ''
  const tail = `Z",${base},`
  return {
    info(fields) {
      const now = Date.now()
      const ms = now % 1000
      if (now - ms !== second) {
        second = now - ms
        head = `{"level":"info","time":"${new Date(second).toISOString().slice(0, 20)}`
      }
      output.later(`${head}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}${tail}${fields}}\n`)
    },
  }
}

type Output = Required<Destination>

function outputOf(destination: Destination, show: LogOptions['show'] = line => line): Output {
  const write = (line: string) => destination.write(show(line))
  return { write, later: destination.later ? line => destination.later?.(show(line)) : write }
}

/** What drivers put on their errors besides the message: statements with their values, and the rows that they are about. */
const valued = ['sql', 'sqlMessage', 'detail', 'where', 'parameters', 'internalQuery']

/** An error as the log has it: the statement is logged with placeholders, by the code that ran it. */
function withoutValues(error: unknown): unknown {
  const written = stdSerializers.err(error as Error) as unknown
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
