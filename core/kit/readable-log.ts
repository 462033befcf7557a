import { styleText } from 'node:util'

interface Line {
  readonly level?: string
  readonly time?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
  readonly [field: string]: unknown
}

type Style = (format: Parameters<typeof styleText>[0], text: string) => string

/** The fields that have a place of their own, and those that say nothing if one process serves. */
const placed = ['level', 'time', 'msg', 'err', 'pid', 'worker']
/** The fields that the text of a request includes. */
const told = ['method', 'route', 'path', 'status', 'ms']
const colors = { warn: 'yellow', error: 'red', fatal: 'red' } as const

/** A line of the log as a person reads it: the time, the level, the message, and the rest as `name=value`. */
export function readableLine(text: string, isColored: boolean): string {
  const line = parsed(text)
  if (!line) return text
  // Colors are decided by the caller; the stream that they go to is not this process's own standard output.
  const style: Style = (format, plain) => (isColored ? styleText(format, plain, { validateStream: false }) : plain)
  const { level = 'info', time = '', msg = '', err } = line
  const color = colors[level as keyof typeof colors]
  const isRequest = msg === 'request' && typeof line.method === 'string'
  const said = isRequest ? `${line.method} ${line.route ?? line.path} ${line.status} in ${line.ms} ms` : msg
  const start = `${style('dim', time.slice(11, 19))} ${style(color ?? 'cyan', level.padEnd(5))} ${said}`
  const rest = Object.entries(line).filter(([name]) => !(placed.includes(name) || (isRequest && told.includes(name))))
  const fields = rest.map(([name, value]) => ` ${style('dim', `${name}=`)}${shown(value)}`).join('')
  const stack = err ? `\n${String(err.stack ?? err.message).replace(/^/gm, '    ')}` : ''
  return `${start}${fields}${stack}`
}

/** A program that writes to the same stream without the log writes no JSON. */
function parsed(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
  // A list is to be read whole.
  if (text.length > 200 && Array.isArray(value) && value.every(item => typeof item === 'string'))
    return value.map(item => `\n    ${item}`).join('')
  return text.length > 200 ? `${text.slice(0, 197)}...` : text
}
