import type { Values } from '../form/plain.js'
import { isText, type Line, typeOf } from './lines.js'
import { hasMark, lengthOf, type Mark, mapped, type Run, runOf, slice, withLink, withMark } from './runs.js'
import { caret, isCollapsed, lineAt, type State, selectedParts } from './state.js'
import { lookOf, putRuns } from './typing.js'

const takesMarks = (line: Line): boolean => isText(line) && typeOf(line) !== 'code'

const runsIn = (state: State): readonly Run[] =>
  selectedParts(state)
    .filter(({ line }) => takesMarks(line))
    .flatMap(({ line, from, to }) => slice(line.runs, from, to))

/** The marks that all of the selected text has, or that a text typed now would have. */
export function isMarked(state: State, mark: Mark): boolean {
  if (isCollapsed(state.selection)) return hasMark(lookOf(state), mark)
  const texts = runsIn(state).filter(({ isUnknown }) => !isUnknown)
  return texts.length > 0 && texts.every(run => hasMark(run, mark))
}

/** Gives the selected text a mark, or takes it away where all of it has it. */
export function marked(state: State, mark: Mark): State {
  const isOn = !isMarked(state, mark)
  if (!isCollapsed(state.selection)) return changed(state, run => withMark(run, mark, isOn))
  if (!takesMarks(lineAt(state, state.selection.focus.line))) return state
  return { ...state, look: withMark(lookOf(state), mark, isOn) }
}

function changed(state: State, change: (run: Run) => Run): State {
  const lines = [...state.lines]
  for (const { line, index, from, to } of selectedParts(state))
    if (takesMarks(line)) lines[index] = { ...line, runs: mapped(line.runs, from, to, change) }
  return { lines, selection: state.selection }
}

/** The link at the caret, or at the start of what is selected. */
export function linkAt(state: State): Values | undefined {
  const [first] = selectedParts(state)
  if (!first || !isText(first.line)) return undefined
  const { from, line } = first
  const [after] = slice(line.runs, from, from + 1)
  const [before] = isCollapsed(state.selection) ? slice(line.runs, from - 1, from) : []
  return after?.link ?? before?.link
}

/** The selection, made as large as the link where it stands in one. */
function aroundLink(state: State): State {
  const link = linkAt(state)
  if (!link || !isCollapsed(state.selection)) return state
  const { line } = state.selection.focus
  const { runs } = lineAt(state, line)
  const from = lengthOf(
    runs.slice(
      0,
      runs.findIndex(run => run.link === link),
    ),
  )
  const to = from + lengthOf(runs.filter(run => run.link === link))
  return { ...state, selection: { anchor: { line, at: from }, focus: { line, at: to } } }
}

/** Links the selected text, or the link at the caret, to an address; without both the address is put there as a text. */
export function linked(state: State, url: string): State {
  const whole = aroundLink(state)
  const link: Values = { ...(linkAt(whole) ?? { type: 'link' }), url }
  if (isCollapsed(whole.selection)) return putRuns(whole, [withLink({ ...lookOf(whole), text: url }, link)])
  const parts = selectedParts(whole)
  const lines = [...whole.lines]
  for (const { line, index, from, to } of parts) {
    if (!takesMarks(line)) continue
    const own = { ...link }
    lines[index] = { ...line, runs: mapped(line.runs, from, to, run => withLink(run, own)) }
  }
  return { lines, selection: whole.selection }
}

export function unlinked(state: State): State {
  const { focus } = state.selection
  const next = changed(aroundLink(state), run => withLink(run, undefined))
  return isCollapsed(state.selection) ? { ...next, selection: caret(focus.line, focus.at) } : next
}

/** A text without any look, as code has it. */
export const plainRuns = (runs: readonly Run[]): readonly Run[] =>
  runs.flatMap(({ text, isUnknown }) => (isUnknown ? [] : [runOf(text)]))
