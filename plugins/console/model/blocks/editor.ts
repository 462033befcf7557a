import { batch, type Signal, signal } from '@preact/signals-core'
import { blocksOf, isParagraph, type Line, linesOf, paragraph, sizeOf } from './lines.js'
import { slice } from './runs.js'
import { caret, endsOf, isCollapsed, type Selection, type State, within } from './state.js'
import { typed } from './typing.js'

/** The most states that are kept for undo. */
const mostSteps = 500

const stateOf = (blocks: readonly unknown[]): State => {
  const lines = linesOf(blocks)
  return { lines: lines.length > 0 ? lines : [paragraph()], selection: caret(0, 0) }
}

/** The content of an editor of blocks, with what was before it and after it. */
export class BlocksEditor {
  readonly state: Signal<State>
  readonly #done: State[] = []
  #undone: State[] = []
  /** A typed text that the next key belongs to: one undo takes back a word. */
  #word: State | undefined
  /** Edits that one undo takes back together. */
  #group: 'none' | 'open' | 'begun' = 'none'
  /** The lines of the blocks that it was given. */
  #given: readonly Line[]

  constructor(blocks: readonly unknown[]) {
    this.state = signal(stateOf(blocks))
    this.#given = blocks.length > 0 ? this.state.peek().lines : []
  }

  /** Shows other blocks: they were read, or brought back. */
  load(blocks: readonly unknown[]): void {
    const state = stateOf(blocks)
    this.#done.length = 0
    this.#undone = []
    this.#word = undefined
    this.#given = blocks.length > 0 ? state.lines : []
    this.state.value = { ...state, selection: within(state.lines, this.state.peek().selection) }
  }

  /** The blocks to store, null where nothing is left of them. */
  get blocks(): readonly unknown[] | null {
    const { lines } = this.state.peek()
    const [only] = lines
    const isBare = lines.length === 1 && only && isParagraph(only) && sizeOf(only) === 0
    return isBare && lines !== this.#given ? null : blocksOf(lines)
  }

  apply(edit: (state: State) => State): void {
    const before = this.state.peek()
    const after = edit(before)
    this.#word = undefined
    if (after !== before) this.#step(before, after)
  }

  type(text: string): void {
    const before = this.state.peek()
    const after = typed(before, text)
    const isMore = before === this.#word && isCollapsed(before.selection) && !/^\s/.test(text)
    if (isMore) this.state.value = after
    else this.#step(before, after)
    this.#word = after
  }

  /** Makes one step of all edits until the group ends. */
  group(isOpen: boolean): void {
    this.#group = isOpen ? 'open' : 'none'
  }

  #step(before: State, after: State): void {
    const isStep = after.lines !== before.lines && this.#group !== 'begun'
    if (this.#group === 'open' && isStep) this.#group = 'begun'
    if (isStep) {
      this.#done.push(before)
      if (this.#done.length > mostSteps) this.#done.shift()
      this.#undone = []
    }
    this.state.value = after
  }

  select(selection: Selection): void {
    const state = this.state.peek()
    const { anchor, focus } = within(state.lines, selection)
    const [was, is] = [state.selection, { anchor, focus }]
    if (isSamePlace(was.anchor, is.anchor) && isSamePlace(was.focus, is.focus)) return
    this.state.value = { lines: state.lines, selection: is }
  }

  undo(): void {
    this.#travel(this.#done, this.#undone)
  }

  redo(): void {
    this.#travel(this.#undone, this.#done)
  }

  #travel(from: State[], to: State[]): void {
    const next = from.pop()
    if (!next) return
    this.#word = undefined
    batch(() => {
      to.push(this.state.peek())
      this.state.value = next
    })
  }

  selectAll(): void {
    const { lines } = this.state.peek()
    const line = lines.length - 1
    this.select({ anchor: { line: 0, at: 0 }, focus: { line, at: sizeOf(lines[line] as Line) } })
  }

  /** The blocks of what is selected, as a clipboard takes them. */
  get copied(): readonly unknown[] {
    return blocksOf(partsOf(this.state.peek()))
  }
}

const isSamePlace = (one: { line: number; at: number }, other: { line: number; at: number }): boolean =>
  one.line === other.line && one.at === other.at

function partsOf(state: State): readonly Line[] {
  const [from, to] = endsOf(state)
  const whole = state.lines.slice(from.line, to.line + 1)
  return whole.flatMap((line, offset) => {
    const index = from.line + offset
    const [begin, end] = [index === from.line ? from.at : 0, index === to.line ? to.at : sizeOf(line)]
    if (line.kind !== 'text') return begin < end ? [line] : []
    return begin === 0 && end === sizeOf(line) ? [line] : [{ ...line, runs: slice(line.runs, begin, end) }]
  })
}
