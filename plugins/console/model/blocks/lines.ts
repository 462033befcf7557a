import { isRecord, type Values } from '../form/plain.js'
import { atom, childrenOf, lengthOf, type Run, runOf, runsOf } from './runs.js'

/**
 * A line of the editor: a paragraph, a heading, a quote, a code block, an item of a list, an image or a block that is not known
 * here. Lists hold items and lists; here each item says in which lists it stands, so that an edit is one of a row of lines.
 */
export interface Line {
  /** The same as long as the editor is open. */
  readonly key: number
  readonly kind: 'text' | 'image' | 'unknown'
  /** The node that it is stored as, without its children; the whole node of an image or an unknown block. */
  readonly node: unknown
  /** The lists that an item stands in without their children, the outermost first: one object for one list. */
  readonly lists: readonly Values[]
  readonly runs: readonly Run[]
}

let lastKey = 0
export const nextKey = (): number => ++lastKey

export const textLine = (node: Values, runs: readonly Run[] = [], lists: readonly Values[] = []): Line => ({
  ...{ key: nextKey(), kind: 'text', node, lists, runs },
})

export const paragraph = (runs: readonly Run[] = []): Line => textLine({ type: 'paragraph' }, runs)

/** A line that is no text has the length of one character. */
export const blockLine = (kind: 'image' | 'unknown', node: unknown): Line => ({
  ...{ key: nextKey(), kind, node, lists: [], runs: [{ ...runOf(atom), isUnknown: true as const }] },
})

export const isText = ({ kind }: Line): boolean => kind === 'text'
export const sizeOf = ({ runs }: Line): number => lengthOf(runs)
export const typeOf = ({ node }: Line): unknown => (isRecord(node) ? node.type : undefined)
export const isParagraph = (line: Line): boolean => isText(line) && typeOf(line) === 'paragraph'

type Known = WeakMap<object, { readonly lines: readonly Line[]; readonly block: unknown }>

/** The blocks that lines were read from, by the only line or the outermost list of them. */
const sources: Known = new WeakMap()
/** The blocks that were last made of lines. */
const results: Known = new WeakMap()

/** The lines of stored blocks. */
export const linesOf = (blocks: readonly unknown[]): readonly Line[] =>
  blocks.flatMap(block => {
    const lines = readBlock(block) ?? [blockLine('unknown', block)]
    const [first] = lines as [Line]
    sources.set(first.lists[0] ?? first, { lines, block })
    return lines
  })

function readBlock(block: unknown): readonly Line[] | undefined {
  if (!isRecord(block) || !Array.isArray(block.children)) return undefined
  const { children, ...node } = block
  const { type, level, image } = node
  if (type === 'list') return readList(block, [])
  if (type === 'image')
    return isRecord(image) && typeof image.url === 'string' ? [blockLine('image', block)] : undefined
  const isHeading = type === 'heading' && Number.isInteger(level) && Number(level) >= 1 && Number(level) <= 6
  const isKnown = isHeading || type === 'paragraph' || type === 'quote' || type === 'code'
  return isKnown ? [textLine(node, runsOf(children))] : undefined
}

/** The items of a list; undefined if it is not made as lists are, or an empty one in it would be lost. */
function readList({ children, ...list }: Values, around: readonly Values[]): readonly Line[] | undefined {
  const isList = (list.format === 'ordered' || list.format === 'unordered') && Array.isArray(children)
  if (!isList || children.length === 0) return undefined
  const lists = [...around, list]
  const lines: Line[] = []
  for (const child of children as readonly unknown[]) {
    if (!isRecord(child) || !Array.isArray(child.children)) return undefined
    const { children: inner, ...node } = child
    const found =
      child.type === 'list-item'
        ? [textLine(node, runsOf(inner), lists)]
        : child.type === 'list'
          ? readList(child, lists)
          : undefined
    if (!found) return undefined
    lines.push(...found)
  }
  return lines
}

/** The blocks of lines: those whose lines are as they were are the very objects that they were read from. */
export const blocksOf = (lines: readonly Line[]): readonly unknown[] => groupsOf(lines, 0).map(blockOf)

function blockOf(lines: readonly Line[]): unknown {
  const [first] = lines as [Line]
  const place = first.lists[0] ?? first
  for (const known of [sources, results]) {
    const last = known.get(place)
    if (last?.lines.length === lines.length && lines.every((line, at) => line === last.lines[at])) return last.block
  }
  const block = builtOf(lines)
  results.set(place, { lines, block })
  return block
}

/** Neighbours in the same list, counted from the outermost. */
export function groupsOf(lines: readonly Line[], depth: number): readonly (readonly Line[])[] {
  const groups: Line[][] = []
  for (const line of lines) {
    const list = line.lists[depth]
    const last = groups.at(-1)
    if (list && last?.[0]?.lists[depth] === list) last.push(line)
    else groups.push([line])
  }
  return groups
}

function builtOf(group: readonly Line[]): unknown {
  const [first] = group as [Line]
  if (first.lists.length > 0) return builtList(group, 0)
  return isText(first) ? leafOf(first) : first.node
}

const leafOf = ({ node, runs }: Line): unknown => ({ ...(node as Values), children: childrenOf(runs) })

const builtList = (group: readonly Line[], depth: number): unknown => ({
  ...group[0]?.lists[depth],
  children: groupsOf(group, depth + 1).flatMap(inner =>
    inner[0]?.lists[depth + 1] ? [builtList(inner, depth + 1)] : inner.map(leafOf),
  ),
})
