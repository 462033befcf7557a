import { sizeOf } from '../../../model/blocks/lines.js'
import { lineAt, type Place, type State } from '../../../model/blocks/state.js'

/** Parts of a line that count as one character: the caret stands before or after them. */
const isAtom = (node: Node): boolean => node instanceof HTMLElement && node.dataset.atom !== undefined

/** The number of characters that a node stands for; a break that only fills an empty line is none. */
function lengthOfNode(node: Node): number {
  if (isAtom(node)) return 1
  if (node instanceof Text) return node.data.length
  return [...node.childNodes].reduce((sum, child) => sum + lengthOfNode(child), 0)
}

/** The text of a line as it stands in the page, after the browser itself has changed it. */
export function textOfNode(node: Node, atom: string): string {
  if (isAtom(node)) return atom
  if (node instanceof Text) return node.data
  return [...node.childNodes].map(child => textOfNode(child, atom)).join('')
}

/** The number of characters before a point of the page. */
export function offsetIn(line: Node, node: Node, offset: number): number {
  let sum = 0
  const isFound = (one: Node): boolean => {
    if (isAtom(one)) {
      const isInside = one.contains(node)
      sum += isInside && offset === 0 ? 0 : 1
      return isInside
    }
    if (one === node) {
      const before = one instanceof Text ? [] : [...one.childNodes].slice(0, offset)
      sum += one instanceof Text ? offset : before.reduce((length, child) => length + lengthOfNode(child), 0)
      return true
    }
    if (one instanceof Text) sum += one.data.length
    return [...one.childNodes].some(isFound)
  }
  isFound(line)
  return sum
}

/** The point of the page after so many characters. */
export function pointIn(line: Node, at: number): readonly [Node, number] {
  let left = at
  for (const [index, child] of [...line.childNodes].entries()) {
    const length = lengthOfNode(child)
    if (left > length) left -= length
    else if (isAtom(child) || length === 0) {
      const isAfter = left > 0
      // The start of a text is a better place than the end of what is none.
      if (!isAfter) return [line, index]
      if (!(child.nextSibling instanceof Text)) return [line, index + 1]
      left = 0
    } else return child instanceof Text ? [child, left] : pointIn(child, left)
  }
  return [line, line.childNodes.length]
}

/** The place of a point in the page; `lineOf` finds the number of a line by its element. */
export function placeOf(
  root: Node,
  [node, offset]: readonly [Node, number],
  { state, lineOf }: { state: State; lineOf: (element: Node) => number | undefined },
): Place | undefined {
  if (!root.contains(node)) return undefined
  for (let one: Node | null = node; one && one !== root; one = one.parentNode) {
    const line = lineOf(one)
    if (line !== undefined) return { line, at: Math.min(offsetIn(one, node, offset), sizeOf(lineAt(state, line))) }
  }
  // Between lines: at the start of the next one, or at the end of the last.
  const next = node.childNodes[offset]
  const first = next && firstLine(next, lineOf)
  if (first !== undefined) return { line: first, at: 0 }
  const before = [...node.childNodes].slice(0, offset).flatMap(child => linesIn(child, lineOf))
  const last = before.at(-1) ?? (offset === 0 ? 0 : state.lines.length - 1)
  return { line: last, at: sizeOf(lineAt(state, last)) }
}

const firstLine = (node: Node, lineOf: (element: Node) => number | undefined): number | undefined =>
  linesIn(node, lineOf)[0]

function linesIn(node: Node, lineOf: (element: Node) => number | undefined): readonly number[] {
  const line = lineOf(node)
  return line !== undefined ? [line] : [...node.childNodes].flatMap(child => linesIn(child, lineOf))
}

/** The place after the next character as people count them, or before the one before. */
export function nextCharacter(text: string, at: number, isForward: boolean): number {
  const parts = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)]
  const starts = [...parts.map(({ index }) => index), text.length]
  return (isForward ? starts.find(start => start > at) : starts.findLast(start => start < at)) ?? at
}
