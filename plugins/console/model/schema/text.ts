/** A value of a schema file. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema in a text; undefined where it is no JSON, or no object. */
export function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A part of a text, with the parts in it. */
interface Part {
  readonly start: number
  readonly end: number
  readonly entries: ReadonlyMap<string, Part>
}

/**
 * A schema in the form of a text that there is: with its indentation and ends of lines, short values on one line where it has
 * such, and letter by letter what is the same in both.
 */
export function written(schema: object, before = '{\n  \n}\n'): string {
  const [mark = ''] = /^\uFEFF?/.exec(before) ?? []
  const old = before.slice(mark.length).replaceAll('\r\n', '\n')
  const text = new Writer(old).text(schema as JsonObject)
  return mark + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text)
}

class Writer {
  readonly #old: string
  readonly #root: Part | undefined
  readonly #indent: string
  /** The longest line of a value that stands on one line; none where the text has no such values. */
  readonly #widest: number

  constructor(old: string) {
    this.#old = old
    this.#root = parsed(old) && partAt(old, 0)
    const [, indent = '  '] = /^\s*\{\n([ \t]+)/.exec(old) ?? []
    this.#indent = indent
    this.#widest = /\{ "/.test(old) ? Math.max(80, ...old.split('\n').map(line => line.length)) : 0
  }

  text(schema: JsonObject): string {
    const text = this.#value(schema, this.#root, { depth: 0, used: 0 })
    return this.#old.endsWith('\n') ? `${text}\n` : text
  }

  #value(value: Json, part: Part | undefined, place: { depth: number; used: number }): string {
    const old = part && this.#old.slice(part.start, part.end)
    if (old !== undefined && JSON.stringify(JSON.parse(old)) === JSON.stringify(value)) return old
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const { depth, used } = place
    const line = inOneLine(value)
    const fits = used + line.length + this.#indent.length * depth <= this.#widest
    // The schema itself and its attributes have lines of their own.
    const isLong = depth === 0 || old?.includes('\n') === true
    if ((fits && !isLong) || line.length === 2) return line
    const isList = Array.isArray(value)
    const entries = Object.entries(value)
    const lines = entries.map(([key, one], at) => {
      const name = isList ? '' : `${JSON.stringify(key)}: `
      const inner = { depth: depth + 1, used: name.length + (at < entries.length - 1 ? 1 : 0) }
      return `${this.#indent.repeat(depth + 1)}${name}${this.#value(one, part?.entries.get(key), inner)}`
    })
    const [open, close] = isList ? '[]' : '{}'
    return `${open}\n${lines.join(',\n')}\n${this.#indent.repeat(depth)}${close}`
  }
}

function inOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isObject(value as Json)) return JSON.stringify(value)
  const entries = Object.entries(value as JsonObject).map(([key, one]) => `${JSON.stringify(key)}: ${inOneLine(one)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const scalar = /"(?:[^"\\]|\\.)*"|[^\s,:\]}]+/y

/** The part that begins here, in a text that is JSON. */
function partAt(text: string, from: number): Part {
  const start = after(text, from)
  const open = text[start]
  if (open !== '{' && open !== '[') return { start, end: endOfScalar(text, start), entries: new Map() }
  const entries = new Map<string, Part>()
  let at = after(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    let key = String(entries.size)
    if (open === '{') {
      const end = endOfScalar(text, at)
      key = JSON.parse(text.slice(at, end)) as string
      at = after(text, end) + 1
    }
    const part = partAt(text, at)
    entries.set(key, part)
    at = after(text, part.end)
    if (text[at] === ',') at = after(text, at + 1)
  }
  return { start, end: at + 1, entries }
}

function endOfScalar(text: string, start: number): number {
  scalar.lastIndex = start
  return start + (scalar.exec(text)?.[0].length ?? 1)
}

function after(text: string, from: number): number {
  let at = from
  while (' \n\t\r'.includes(text[at] ?? 'x')) at += 1
  return at
}
