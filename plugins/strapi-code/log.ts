import { format } from 'node:util'
import type { Log } from '../../core/index.js'
import type { Bag, Loose } from './types.js'

type Level = 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** The levels that code writes at, as this server has them. */
const levels: Readonly<Record<string, Level>> = {
  fatal: 'error',
  error: 'error',
  warn: 'warn',
  info: 'info',
  http: 'info',
  verbose: 'debug',
  debug: 'debug',
  trace: 'trace',
  silly: 'trace',
}

/** `strapi.log`; what is written before the log is there waits for it. */
export class CodeLog {
  /** The object that code has. */
  readonly log: Loose
  #log: Log | undefined
  #waiting: (() => void)[] = []

  constructor() {
    const write = (level: Level, given: readonly Loose[]) => this.#write(level, given)
    this.log = {
      ...Object.fromEntries(
        Object.entries(levels).map(([name, level]) => [name, (...given: Loose[]) => write(level, given)]),
      ),
      log(level: Loose, ...given: Loose[]) {
        const { level: named, message, ...rest } = Object(level) as Bag
        const isEntry = typeof level === 'object'
        write(levels[isEntry ? named : level] ?? 'info', isEntry ? [rest, message] : given)
      },
      child: () => this.log,
      isLevelEnabled: () => true,
      level: 'info',
    }
  }

  /** Writes to this log from now on. */
  to(log: Log): void {
    this.#log = log
    for (const line of this.#waiting.splice(0)) line()
  }

  #write(level: Level, given: readonly Loose[]): void {
    const log = this.#log
    if (!log) {
      this.#waiting.push(() => this.#write(level, given))
      return
    }
    const [first, ...rest] = given
    const [about, texts] =
      first instanceof Error ? [{ err: first }, rest] : isAbout(first) ? [first, rest] : [{}, given]
    const text = texts.length === 0 ? ((first as Bag)?.message ?? '') : format(...texts)
    log[level](about, text)
  }
}

const isAbout = (value: Loose): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
