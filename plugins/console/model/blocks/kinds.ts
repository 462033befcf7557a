import { isRecord, type Values } from '../form/plain.js'
import { isText, type Line, textLine, typeOf } from './lines.js'
import { plainRuns } from './looks.js'
import { joined } from './runs.js'
import { endsOf, lineAt, type Selection, type State, selectedParts, within } from './state.js'
import { outdented } from './typing.js'

export const kinds = [
  'paragraph',
  'heading1',
  'heading2',
  'heading3',
  'heading4',
  'heading5',
  'heading6',
  'unordered',
  'ordered',
  'quote',
  'code',
] as const
export type Kind = (typeof kinds)[number]

/** The kind of the line at the caret, undefined where it is no text. */
export function kindOf(line: Line): Kind | undefined {
  if (!isText(line)) return undefined
  const format = line.lists.at(-1)?.format
  if (format !== undefined) return format as Kind
  return (typeOf(line) === 'heading' ? `heading${(line.node as Values).level}` : typeOf(line)) as Kind
}

/** Gives the selected lines another kind. */
export function turned(state: State, kind: Kind): State {
  const parts = selectedParts(state).filter(({ line }) => isText(line))
  if (kind === 'ordered' || kind === 'unordered')
    return listed(
      state,
      kind,
      parts.map(({ index }) => index),
    )
  const level = /^heading(\d)$/.exec(kind)?.[1]
  const node: Values = level ? { type: 'heading', level: Number(level) } : { type: kind }
  const lines = [...state.lines]
  for (const { line, index } of parts) {
    if (kindOf(line) === kind) continue
    const runs = kind === 'code' ? joined(plainRuns(line.runs)) : line.runs
    lines[index] = { ...textLine(node, runs), key: line.key }
  }
  return { lines, selection: within(lines, state.selection) }
}

/** Makes lines items of one list; lists that they stand in already change as a whole. */
function listed(state: State, format: string, indexes: readonly number[]): State {
  const lines = [...state.lines]
  const former = new Set(indexes.flatMap(index => lineAt(state, index).lists.slice(-1)))
  const others = new Map([...former].map((list): [Values, Values] => [list, { ...list, format }]))
  for (const [index, line] of lines.entries())
    if (line.lists.some(list => others.has(list) && list.format !== format))
      lines[index] = { ...line, lists: line.lists.map(list => others.get(list) ?? list) }
  for (const index of indexes) {
    const line = lineAt({ lines }, index)
    if (line.lists.length > 0) continue
    const before = lines[index - 1]?.lists[0]
    const after = lines[index + 1]?.lists[0]
    const list = [before, after].find(one => one?.format === format) ?? { type: 'list', format }
    lines[index] = { ...textLine({ type: 'list-item' }, line.runs, [list]), key: line.key }
  }
  return { lines, selection: state.selection }
}

const deepest = 6

/** Moves the selected items of lists one list further in, or out. */
export function indented(state: State, isInward: boolean): State {
  const lines = [...state.lines]
  for (const { line, index } of selectedParts(state)) {
    const depth = line.lists.length
    if (depth === 0) continue
    if (!isInward) {
      lines[index] = outdented(line)
      continue
    }
    const before = lines[index - 1]?.lists ?? []
    if (before[0] !== line.lists[0] || before.length < depth || depth >= deepest) continue
    const list = before[depth] ?? { type: 'list', format: line.lists.at(-1)?.format, indentLevel: depth }
    lines[index] = { ...line, lists: [...line.lists, list] }
  }
  return { lines, selection: state.selection }
}

/** True if Tab has something to do: the selection begins in an item that can be moved inwards. */
export const canIndent = (state: State): boolean =>
  indented(state, true).lines.some((line, at) => line !== state.lines[at])

export type Direction = 'up' | 'down' | 'first' | 'last'

/** Moves the selected lines: an item inside of its list, other lines past the whole block beside them. */
export function shifted(state: State, direction: Direction): State {
  const { lines } = state
  const [from, to] = endsOf(state)
  const list = lineAt(state, from.line).lists[0]
  const isUp = direction === 'up' || direction === 'first'
  const beside = (at: number) => lines[at]?.lists[0]
  const isInside = list !== undefined && from.line === to.line && beside(isUp ? from.line - 1 : to.line + 1) === list
  const [begin, end] = isInside ? [from.line, to.line + 1] : [blockStart(lines, from.line), blockEnd(lines, to.line)]
  const rest = [...lines.slice(0, begin), ...lines.slice(end)]
  const reach = {
    up: isInside ? begin - 1 : blockStart(lines, begin - 1),
    down: isInside ? begin + 1 : blockEnd(lines, end) - (end - begin),
    first: isInside ? blockStart(lines, begin) : 0,
    last: isInside ? blockEnd(lines, begin) - 1 : rest.length,
  }[direction]
  const place = Math.max(0, Math.min(reach, rest.length))
  if (place === begin) return state
  const moved = [...rest.slice(0, place), ...lines.slice(begin, end), ...rest.slice(place)]
  const by = place - begin
  const selection: Selection = {
    anchor: { ...state.selection.anchor, line: state.selection.anchor.line + by },
    focus: { ...state.selection.focus, line: state.selection.focus.line + by },
  }
  return { lines: moved, selection }
}

function blockStart(lines: readonly Line[], at: number): number {
  const list = lines[at]?.lists[0]
  let start = at
  while (list && lines[start - 1]?.lists[0] === list) start -= 1
  return start
}

/** The place behind the block of a line. */
function blockEnd(lines: readonly Line[], at: number): number {
  const list = lines[at]?.lists[0]
  let end = at + 1
  while (list && lines[end]?.lists[0] === list) end += 1
  return Math.min(end, lines.length)
}

/** The language of a code block. */
export function withLanguage(state: State, language: string): State {
  const { line: index } = state.selection.focus
  const line = lineAt(state, index)
  if (typeOf(line) !== 'code' || !isRecord(line.node)) return state
  const { language: _, ...node } = line.node
  const lines = [...state.lines]
  lines[index] = { ...line, node: language === '' ? node : { ...node, language } }
  return { lines, selection: state.selection }
}
