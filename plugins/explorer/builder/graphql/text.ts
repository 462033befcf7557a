/** A field of a document, or a fragment of a type, with what is selected below it. */
export interface Selected {
  /** `title`, or `... on Article`. */
  readonly name: string
  readonly alias?: string
  readonly args?: readonly string[]
  readonly below?: readonly Selected[]
  /** The type of the field; absent where no other field can stand at its place. */
  readonly type?: string
}

const width = 80
/** The longest field that stands in one line with what is selected below it. */
const short = 60

/** The text of a field. */
export function textOf(selected: Selected, indent = ''): string {
  const line = lineOf(selected)
  const { args = [], below } = selected
  const isShort = line.length <= (below ? short : width) && line.length + indent.length <= width
  if (isShort || (args.length === 0 && !below)) return `${indent}${line}`
  const inner = `${indent}  `
  const oneLine = `${indent}${headOf(selected)}`
  const head =
    oneLine.length <= width || args.length === 0
      ? oneLine
      : `${indent}${keyOf(selected)}(\n${args.map(arg => `${inner}${arg}`).join('\n')}\n${indent})`
  return below ? `${head} {\n${below.map(one => textOf(one, inner)).join('\n')}\n${indent}}` : head
}

/** The same in one line. */
export function lineOf(selected: Selected): string {
  const { below } = selected
  return below ? `${headOf(selected)} { ${below.map(lineOf).join(' ')} }` : headOf(selected)
}

const keyOf = ({ name, alias }: Selected): string => (alias === undefined ? name : `${alias}: ${name}`)

const headOf = (selected: Selected): string => {
  const { args = [] } = selected
  return args.length > 0 ? `${keyOf(selected)}(${args.join(', ')})` : keyOf(selected)
}

/** The level of the deepest field; the one that is given is at level 0, and fragments have none. */
export function depthOf({ name, below = [] }: Selected): number {
  const deepest = Math.max(-1, ...below.filter(one => !one.name.startsWith('__')).map(depthOf))
  return isFragment(name) ? deepest : deepest + 1
}

const isFragment = (name: string): boolean => name.startsWith('...')

/** The number of tokens that a parser finds. */
export const tokensIn = (document: string): number =>
  document.match(/"(?:\\.|[^"\\])*"|\.\.\.|-?\w+|[^\s\w,]/g)?.length ?? 0

/** The variables of a document, each with a name of its own. */
export class Variables {
  readonly #all = new Map<string, { readonly type: string; readonly value: unknown }>()

  /** Adds a variable; gives the sign that stands for it in the document. */
  add(name: string, type: string, value: unknown): string {
    let own = name
    for (let number = 2; this.#all.has(own); number += 1) own = `${name}${number}`
    this.#all.set(own, { type, value })
    return `$${own}`
  }

  get declared(): readonly string[] {
    return [...this.#all].map(([name, { type }]) => `$${name}: ${type}`)
  }

  get values(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#all].map(([name, { value }]) => [name, value]))
  }
}
