import { type DestinationStream, type Logger, pino } from 'pino'

/** The log as the server and its plugins use it. */
export type Log = Pick<
  Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level' | 'isLevelEnabled'
>

/** The place that lines are written to; `writeSoon` may write a line with those that follow it. */
export interface Destination extends DestinationStream {
  writeSoon?(line: string): void
}

export interface LogOptions {
  readonly destination?: Destination
  /** The number of the worker that writes. */
  readonly worker?: number | undefined
  /** Turns a line of JSON into text for people. */
  readonly show?: ((line: string) => string) | undefined
}

/** Writes lines at the level info without pino, which costs ten times as much: those of requests. They have no secrets. */
export type PlainLines = (fields: object, msg: string) => void

const plainLines = Symbol('plain lines')

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
  const head = JSON.stringify(base).slice(1, -1)
  const write: PlainLines = (fields, msg) => {
    const inner = JSON.stringify(fields).slice(1, -1)
    output.writeSoon(`{"level":"info","time":"${new Date().toISOString()}",${head},${inner},"msg":"${msg}"}\n`)
  }
  return Object.assign(log, { [plainLines]: write })
}

/** The plain lines of a log, if it was made by `createLog`. */
export const plainLinesOf = (log: Log): PlainLines | undefined =>
  (log as { readonly [plainLines]?: PlainLines })[plainLines]

/** A destination that is given lines as they are to be shown. */
function outputOf(destination: Destination, show: LogOptions['show']): Required<Destination> {
  const write = (line: string) => destination.write(show ? show(line) : line)
  const writeSoon = (line: string) =>
    destination.writeSoon ? destination.writeSoon(show ? show(line) : line) : write(line)
  return { write, writeSoon }
}

/** Properties that drivers put on their errors besides the message: statements with their values, and the rows that they are about. */
const valued = ['sql', 'sqlMessage', 'detail', 'where', 'parameters', 'internalQuery']

/** An error as the log has it: the statement is logged with placeholders, by the code that ran it. */
function withoutValues(error: unknown): unknown {
  const written: unknown = serialized(error as Error)
  if (typeof written !== 'object' || written === null) return written
  return Object.fromEntries(Object.entries(written).filter(([name]) => !valued.includes(name)))
}

/** The serializer notes on errors that it has seen them: those that take no note are written without their causes. */
function serialized(error: Error): unknown {
  if (!(error instanceof Error) || Object.isExtensible(error)) return pino.stdSerializers.err(error)
  return { type: error.constructor.name, message: error.message, stack: error.stack }
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
 * Works on the finished line: at any depth, in bindings, errors and their causes alike, and for a tenth of the cost of looking
 * for paths in every object.
 */
export function maskSecrets(line: string): string {
  return maskUrl(line.replace(secret, '"$1":"[redacted]"'))
}
