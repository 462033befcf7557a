import { isParagraph, isText, type Line, paragraph, sizeOf } from './lines.js'
import { joined, slice, spliced } from './runs.js'
import { caret, endsOf, isCollapsed, lineAt, type State, withLines } from './state.js'

/** Removes what is selected. */
export function removed(state: State): State {
  if (isCollapsed(state.selection)) return state
  const [from, to] = endsOf(state)
  const [first, last] = [lineAt(state, from.line), lineAt(state, to.line)]
  const count = to.line - from.line + 1
  const replaced = (put: readonly Line[], at: readonly [number, number]) =>
    withLines(state, [from.line, count], put, caret(from.line + at[0], at[1]))
  if (count === 1) {
    if (!isText(first)) return replaced([paragraph()], [0, 0])
    return replaced([{ ...first, runs: spliced(first.runs, from.at, to.at, []) }], [0, from.at])
  }
  const tail = slice(last.runs, to.at)
  if (isText(first)) {
    const runs = joined([...slice(first.runs, 0, from.at), ...(isText(last) ? tail : [])])
    const rest = isText(last) || to.at > 0 ? [] : [last]
    return replaced([{ ...first, runs }, ...rest], [0, from.at])
  }
  const kept = from.at > 0 ? [first] : []
  if (isText(last)) return replaced([...kept, { ...last, runs: tail }], [kept.length, 0])
  const put = [...kept, ...(to.at > 0 ? [] : [last])]
  return put.length > 0 ? replaced(put, [0, kept.length]) : replaced([paragraph()], [0, 0])
}

/** Removes by a key at the start of a line: what makes it special, and then what separates it from the line before. */
export function joinedBackward(state: State): State {
  const { line: index, at } = state.selection.focus
  const line = lineAt(state, index)
  if (!isText(line) && at > 0) return withLines(state, [index, 1], [paragraph()], caret(index, 0))
  if (line.lists.length > 1)
    return withLines(state, [index, 1], [{ ...line, lists: line.lists.slice(0, -1) }], caret(index, 0))
  if (isText(line) && !isParagraph(line))
    return withLines(state, [index, 1], [{ ...paragraph(line.runs), key: line.key }], caret(index, 0))
  if (index === 0) return state
  return boundary(state, index - 1, !isText(line))
}

/** Removes by a key at the end of a line. */
export function joinedForward(state: State): State {
  const { line: index, at } = state.selection.focus
  const line = lineAt(state, index)
  if (!isText(line) && at === 0) return withLines(state, [index, 1], [paragraph()], caret(index, 0))
  if (index === state.lines.length - 1) return state
  return boundary(state, index, !isText(line))
}

/** Takes away what is between a line and the next one; `isBeside` if the caret stands at a block that is no text. */
function boundary(state: State, index: number, isBeside: boolean): State {
  const [one, next] = [lineAt(state, index), lineAt(state, index + 1)]
  const end = sizeOf(one)
  if (isText(one) && isText(next))
    return withLines(state, [index, 2], [{ ...one, runs: joined([...one.runs, ...next.runs]) }], caret(index, end))
  if (isText(one) && end === 0) return withLines(state, [index, 2], [next], caret(index, 0))
  if (isText(next) && sizeOf(next) === 0) return withLines(state, [index, 2], [one], caret(index, end))
  // A block is taken away from beside it only by a key in a text.
  const { focus } = state.selection
  if (isBeside) return { ...state, selection: focus.line === index ? caret(index + 1, 0) : caret(index, end) }
  return isText(one)
    ? withLines(state, [index, 2], [one], caret(index, end))
    : withLines(state, [index, 2], [next], caret(index, 0))
}
