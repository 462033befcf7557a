import { type Line, paragraph, sizeOf } from './lines.js'
import type { Run } from './runs.js'

/** A place between two characters. */
export interface Place {
  readonly line: number
  readonly at: number
}

export interface Selection {
  readonly anchor: Place
  readonly focus: Place
}

/** The content of the editor, and its selection. Edits are functions from one state to the next. */
export interface State {
  readonly lines: readonly Line[]
  readonly selection: Selection
  /** The look of the next typed text, where it was chosen without a selection. */
  readonly look?: Run
}

export const caret = (line: number, at: number): Selection => ({ anchor: { line, at }, focus: { line, at } })

export const isCollapsed = ({ anchor, focus }: Selection): boolean =>
  anchor.line === focus.line && anchor.at === focus.at

/** The ends of a selection in the order of the text. */
export function endsOf({ selection: { anchor, focus } }: State): readonly [Place, Place] {
  const isForward = anchor.line < focus.line || (anchor.line === focus.line && anchor.at <= focus.at)
  return isForward ? [anchor, focus] : [focus, anchor]
}

export const lineAt = ({ lines }: Pick<State, 'lines'>, at: number): Line => lines[at] ?? (lines.at(-1) as Line)

/** The state with some lines replaced; there always is one. */
export function withLines(
  { lines }: State,
  [from, count]: readonly [number, number],
  put: readonly Line[],
  selection: Selection,
): State {
  const all = [...lines.slice(0, from), ...put, ...lines.slice(from + count)]
  return all.length > 0 ? { lines: all, selection } : { lines: [paragraph()], selection: caret(0, 0) }
}

/** Places that are gone become the nearest ones. */
export function within(lines: readonly Line[], { anchor, focus }: Selection): Selection {
  const near = ({ line, at }: Place): Place => {
    const index = Math.max(0, Math.min(line, lines.length - 1))
    return { line: index, at: Math.max(0, Math.min(at, sizeOf(lineAt({ lines }, index)))) }
  }
  return { anchor: near(anchor), focus: near(focus) }
}

/** The parts of lines that are selected, those that are no text too. */
export function selectedParts(state: State): readonly { line: Line; index: number; from: number; to: number }[] {
  const [from, to] = endsOf(state)
  return state.lines.slice(from.line, to.line + 1).map((line, offset) => {
    const index = from.line + offset
    return { line, index, from: index === from.line ? from.at : 0, to: index === to.line ? to.at : sizeOf(line) }
  })
}
