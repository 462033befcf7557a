import { readFile } from 'node:fs/promises'

/** Reads JSON; what is wrong with it is said with line and column. */
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

/** Where a text stops being JSON: the parser of the engine does not always tell. */
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

/** Why a module cannot be loaded; a mistake of its syntax is said with line and column. */
export async function loadFailure(file: string, cause: unknown): Promise<string> {
  if (!(cause instanceof Error)) return String(cause)
  // The compiler of TypeScript names the place behind the reason, and counts columns from 0.
  const compiled = /^ParseError: (.*?)\s*\n\s*\S*?:(\d+):(\d+)$/s.exec(cause.message)
  if (compiled) return `${placeOf(Number(compiled[2]), Number(compiled[3]) + 1)}: ${compiled[1]}`
  const place = cause.name === 'SyntaxError' ? await placeOfSyntaxError(file) : undefined
  return place === undefined ? cause.message : `${place}: ${cause.message}`
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
