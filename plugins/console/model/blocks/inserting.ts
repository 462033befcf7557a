import type { Values } from '../form/plain.js'
import { blockLine, isParagraph, isText, type Line, nextKey, paragraph, sizeOf, typeOf } from './lines.js'
import { plainRuns } from './looks.js'
import { removed } from './removing.js'
import { joined, lengthOf, type Run, runOf, slice, textOf } from './runs.js'
import { caret, lineAt, type State, withLines } from './state.js'
import { putRuns, typed } from './typing.js'

/** Lines as new ones: those of a list stay together, in a list of their own. */
export function freshLines(lines: readonly Line[]): readonly Line[] {
  const lists = new Map<Values, Values>()
  const links = new Map<Values, Values>()
  const copyOf = (map: Map<Values, Values>, one: Values): Values => {
    const copy = map.get(one) ?? { ...one }
    map.set(one, copy)
    return copy
  }
  const freshRun = (run: Run): Run => (run.link ? { ...run, link: copyOf(links, run.link) } : run)
  return lines.map(line => ({
    ...{ ...line, key: nextKey() },
    lists: line.lists.map(list => copyOf(lists, list)),
    runs: line.runs.map(freshRun),
  }))
}

/** Puts lines at the caret: a single one joins the text there, of several the first and the last do. */
export function pasted(before: State, put: readonly Line[]): State {
  const [first, ...more] = put
  if (!first) return before
  const state = removed(before)
  const { line: index, at } = state.selection.focus
  const line = lineAt(state, index)
  if (typeOf(line) === 'code') return typed(state, put.map(({ runs }) => textOf(plainRuns(runs))).join('\n'))
  // A line of which nothing is left is replaced, too.
  const isSpare = sizeOf(line) === 0 && (isParagraph(line) || state !== before)
  const last = more.at(-1)
  if (!last && isText(first) && !isSpare) return putRuns(state, first.runs)
  if (!isText(line)) {
    const place = at > 0 ? index + 1 : index
    return withLines(state, [place, 0], put, caret(place + put.length - 1, sizeOf(last ?? first)))
  }
  const [head, tail] = [slice(line.runs, 0, at), slice(line.runs, at)]
  const begins = isSpare ? [first] : opened(line, head, first)
  const middle = [...begins, ...more]
  const end = middle.at(-1) as Line
  const place = index + middle.length - 1
  if (tail.length === 0) return withLines(state, [index, 1], middle, caret(place, sizeOf(end)))
  if (!isText(end)) {
    const rest = { ...line, key: nextKey(), runs: tail }
    return withLines(state, [index, 1], [...middle, rest], caret(place + 1, 0))
  }
  const closed = { ...end, runs: joined([...end.runs, ...tail]) }
  return withLines(state, [index, 1], [...middle.slice(0, -1), closed], caret(place, lengthOf(end.runs)))
}

/** The line that the first of several joins. */
const opened = (line: Line, head: readonly Run[], first: Line): readonly Line[] =>
  isText(first) && (head.length > 0 || isParagraph(first))
    ? [{ ...line, runs: joined([...head, ...first.runs]) }]
    : head.length > 0
      ? [{ ...line, runs: head }, first]
      : [first]

/** Lines of a text without a format: each line break begins one. */
export const linesOfText = (text: string): readonly Line[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n+/)
    .map(one => paragraph(one === '' ? [] : [runOf(one)]))

/** Puts blocks such as images after the line with the caret, with a line to write on after them. */
export function withBlocks(state: State, nodes: readonly Values[]): State {
  const { line: index } = state.selection.focus
  const line = lineAt(state, index)
  const put = nodes.map(node => blockLine('image', node))
  const isSpare = isParagraph(line) && sizeOf(line) === 0
  const [from, count] = isSpare ? [index, 1] : [index + 1, 0]
  const isEnd = from + count >= state.lines.length
  const rest = isEnd ? [paragraph()] : []
  return withLines(state, [from, count], [...put, ...rest], caret(from + put.length - (isEnd ? 0 : 1), isEnd ? 0 : 1))
}
