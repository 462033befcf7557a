import { readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findAbove } from '../kit/own-folder.js'
import { installing } from '../kit/packages.js'

/** Reads JSON; the message about a mistake has its line and column. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const { message } = cause as Error
    const reason = message
      .replace(/,? in JSON at position[\s\S]*$|, (\.\.\.)?"[\s\S]*$/, '')
      .replace(/ of JSON input$/, '')
    const before = text.slice(0, mistakeIn(text)).split('\n')
    throw new Error(`${placeOf(before.length, (before.at(-1) ?? '').length + 1)}: ${reason}`, { cause })
  }
}

const scalar =
  /"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const keyText = /"(?:[^"\\\n\r\t]|\\.)*"/y

/** Finds the character at which a text stops being JSON: the parser of the engine does not always tell. */
function mistakeIn(text: string): number {
  let at = 0
  const space = () => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1
  }
  const take = (what: string | RegExp): boolean => {
    space()
    if (typeof what === 'string') {
      if (text[at] !== what) return false
      at += 1
      return true
    }
    what.lastIndex = at
    const [found] = what.exec(text) ?? []
    at += found?.length ?? 0
    return found !== undefined
  }
  const items = (end: string, item: () => boolean): boolean => {
    if (take(end)) return true
    do if (!item()) return false
    while (take(','))
    return take(end)
  }
  const value = (): boolean => {
    if (take('{')) return items('}', () => take(keyText) && take(':') && value())
    if (take('[')) return items(']', value)
    return take(scalar)
  }
  value()
  space()
  return at
}

const placeOf = (line: number, column: number): string => `line ${line}, column ${column}`

/** The reason why a module cannot be loaded, with the place in it: an error has a line, a mistake of the syntax a column as well. */
export async function loadFailure(file: string, cause: unknown): Promise<string> {
  if (!(cause instanceof Error)) return String(cause)
  // The compiler of TypeScript names the place behind the reason, and counts columns from 0.
  const compiled = /^ParseError: (.*?)\s*\n\s*\S*?:(\d+):(\d+)$/s.exec(cause.message)
  if (compiled) return `${placeOf(Number(compiled[2]), Number(compiled[3]) + 1)}: ${compiled[1]}`
  const lacking = packageOf(cause)
  if (lacking !== undefined) return `${cause.message.split('\n', 1)[0]}; ${installingFor(file, lacking)}`
  const place = cause.name === 'SyntaxError' ? await placeOfSyntaxError(file) : await lineIn(file, cause)
  return place === undefined ? cause.message : `${place}: ${cause.message}`
}

/** The package that a module needs and that is not there; a file of its own that is missing has another name. */
function packageOf({ message }: Error): string | undefined {
  const [, name = ''] = /^Cannot find (?:module|package) '([^']+)'/.exec(message) ?? []
  const [, found] = /^(@[^/]+\/[^/]+|[^@./\\:][^/:]*)(?:\/|$)/.exec(name) ?? []
  return found
}

/** The command that installs a missing package for a file: npm is run in the folder that has a package.json. */
function installingFor(file: string, name: string): string {
  const manifest = findAbove(dirname(file), 'package.json')
  return manifest === undefined ? `install ${name} where ${file} finds it` : installing(name, dirname(manifest))
}

/** The line of a module that an error was thrown in, or that called the code that threw it. */
async function lineIn(file: string, { stack = '' }: Error): Promise<string | undefined> {
  // Modules are found by their real paths, and ES modules by addresses.
  const real = await realpath(file).catch(() => file)
  const names = [file, real, pathToFileURL(real).href]
  const frame = stack.split('\n').find(line => /^\s+at /.test(line) && names.some(name => line.includes(`${name}:`)))
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? '') ?? []
  return line === undefined ? undefined : `line ${line}`
}

/** Node keeps the place of a mistake in an ES module to itself; the compiler of TypeScript reads JavaScript, too. */
async function placeOfSyntaxError(file: string): Promise<string | undefined> {
  const source = await readFile(file, 'utf8').catch(() => '')
  const { createJiti } = await import('jiti')
  const parsed = createJiti(file, { fsCache: false }).transform({ source, filename: file, async: true })
  const [, report] = /^exports\.__JITI_ERROR__ = (\{.*\})$/s.exec(parsed) ?? []
  if (report === undefined) return undefined
  const { line, column } = JSON.parse(report) as { readonly line: number; readonly column: number }
  return placeOf(line, column + 1)
}
