import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/** What the server and its plugins may do with the log. */
export type Log = Pick<
  Logger,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level' | 'isLevelEnabled'
>

export interface LogOptions {
  readonly destination?: DestinationStream
  /** Which of several processes writes. */
  readonly worker?: number | undefined
}

/** One line of JSON per event, without secrets. Written at once, so that the last line before an exit is not lost. */
export function createLog(level: string, { destination, worker }: LogOptions = {}): Log {
  return pino(
    {
      level,
      base: { pid: process.pid, ...(worker !== undefined && { worker }) },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )
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
function withoutSecrets(line: string): string {
  return maskUrl(line.replace(secret, '"$1":"[redacted]"'))
}
