import { isText, type Line, nextKey, paragraph, sizeOf, typeOf } from './lines.js'
import { removed } from './removing.js'
import { lengthOf, lookAt, type Run, slice, spliced, textOf } from './runs.js'
import { caret, lineAt, type State, withLines } from './state.js'

/** Puts runs at the caret, in place of what is selected. Beside a block that is no text they become a paragraph. */
export function putRuns(before: State, runs: readonly Run[]): State {
  const state = removed(before)
  const { line: index, at } = state.selection.focus
  const line = lineAt(state, index)
  const size = lengthOf(runs)
  if (!isText(line)) {
    const place = at > 0 ? index + 1 : index
    return withLines(state, [place, 0], [paragraph(runs)], caret(place, size))
  }
  return withLines(state, [index, 1], [{ ...line, runs: spliced(line.runs, at, at, runs) }], caret(index, at + size))
}

/** The look of text that is typed now. */
export function lookOf(state: State): Run {
  if (state.look) return state.look
  const clean = removed(state)
  const { line, at } = clean.selection.focus
  const { runs, kind } = lineAt(clean, line)
  // Text in place of a selection looks as its start did.
  const [first] = clean === state ? [] : slice(lineAt(state, line).runs, at, at + 1)
  if (kind !== 'text') return lookAt([], 0)
  return first && !first.isUnknown ? { ...first, text: '' } : lookAt(runs, at)
}

export const typed = (state: State, text: string): State => putRuns(state, [{ ...lookOf(state), text }])

/** Begins a new line. */
export function split(before: State): State {
  const state = removed(before)
  const { line: index, at } = state.selection.focus
  const line = lineAt(state, index)
  if (!isText(line)) {
    const place = at > 0 ? index + 1 : index
    return withLines(state, [place, 0], [paragraph()], caret(place, 0))
  }
  if (sizeOf(line) === 0 && line.lists.length > 0)
    return withLines(state, [index, 1], [outdented(line)], caret(index, 0))
  const type = typeOf(line)
  if (type === 'code' || type === 'quote') return splitInside(state, line)
  const [head, tail] = [slice(line.runs, 0, at), slice(line.runs, at)]
  const isAfterHeading = type === 'heading' && tail.length === 0
  const next = isAfterHeading ? paragraph() : { ...line, key: nextKey(), runs: tail }
  return withLines(state, [index, 1], [{ ...line, runs: head }, next], caret(index + 1, 0))
}

/** Code and quotes have lines in them; an empty last one ends them. */
function splitInside(state: State, line: Line): State {
  const { line: index, at } = state.selection.focus
  const size = sizeOf(line)
  const isLast = at === size && (size === 0 || textOf(line.runs).endsWith('\n'))
  if (!isLast) return typed(state, '\n')
  const kept = size > 1 ? [{ ...line, runs: slice(line.runs, 0, size - 1) }] : []
  return withLines(state, [index, 1], [...kept, paragraph()], caret(index + kept.length, 0))
}

/** An item one list further out, or a paragraph. */
export const outdented = (line: Line): Line =>
  line.lists.length > 1 ? { ...line, lists: line.lists.slice(0, -1) } : { ...paragraph(line.runs), key: line.key }
