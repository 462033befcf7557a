import { effect } from '@preact/signals'
import type { BlocksEditor } from '../../../model/blocks/editor.js'
import { isText, sizeOf } from '../../../model/blocks/lines.js'
import { marked } from '../../../model/blocks/looks.js'
import { joinedBackward, joinedForward, removed } from '../../../model/blocks/removing.js'
import { atom, type Mark, textOf } from '../../../model/blocks/runs.js'
import { caret, isCollapsed, lineAt, type Place, type Selection, type State } from '../../../model/blocks/state.js'
import { split, typed } from '../../../model/blocks/typing.js'
import { Clipboard } from './clipboard.js'
import { Drawing } from './drawing.js'
import { nextCharacter, offsetIn, placeOf, pointIn, textOfNode } from './places.js'

const formats: Readonly<Record<string, Mark>> = {
  ...{ formatBold: 'bold', formatItalic: 'italic', formatUnderline: 'underline' },
  formatStrikeThrough: 'strikethrough',
}

/**
 * The editable part of an editor. What the browser is about to do is done to the content instead, which is then drawn. Input
 * methods write into the page themselves: it is read afterwards, and drawn again when they are done.
 */
export class Surface {
  readonly #root: HTMLElement
  readonly #editor: BlocksEditor
  readonly #drawing: Drawing
  #isComposing = false

  constructor(root: HTMLElement, editor: BlocksEditor) {
    this.#root = root
    this.#editor = editor
    this.#drawing = new Drawing(root)
  }

  /** Shows the content until the returned function is called. */
  start(): () => void {
    const stopping = new AbortController()
    const { signal } = stopping
    const root = this.#root
    root.addEventListener('beforeinput', event => this.#before(event), { signal })
    root.addEventListener('input', () => this.#after(), { signal })
    root.addEventListener('compositionstart', () => this.#compose(), { signal })
    root.addEventListener('compositionend', () => this.#composed(), { signal })
    // Text that is moved by the mouse is copied and pasted instead.
    root.addEventListener('dragstart', event => event.preventDefault(), { signal })
    // The event of a new selection may come after what is done to the selection.
    for (const type of ['keydown', 'copy', 'cut', 'paste'])
      root.addEventListener(type, () => this.#readSelection(), { signal, capture: true })
    root.addEventListener('keydown', event => this.#pass(event), { signal })
    root.addEventListener('focus', () => this.#showSelection(), { signal })
    document.addEventListener('selectionchange', () => this.#readSelection(), { signal })
    new Clipboard(root, this.#editor).start(signal)
    const stop = effect(() => this.#draw(this.#editor.state.value))
    return () => {
      stop()
      stopping.abort()
    }
  }

  focus(): void {
    this.#root.focus()
    this.#showSelection()
  }

  /** Browsers pass by blocks that are no text with the arrows for lines. */
  #pass(event: KeyboardEvent): void {
    const { key, shiftKey, altKey, ctrlKey, metaKey, isComposing } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const { lines, selection } = this.#state
    if (step === undefined || shiftKey || altKey || ctrlKey || metaKey || isComposing) return
    const { line: index } = selection.focus
    const next = lines[index + step]
    const isBeside = next && (!isText(next) || !isText(lineAt(this.#state, index)))
    if (!isBeside || !this.#isAtEdge(step)) return
    event.preventDefault()
    const to = caret(index + step, 0)
    this.#editor.apply(state => ({ lines: state.lines, selection: to }))
    this.#reveal()
  }

  /** The caret is in the last row of its line, or in the first. */
  #isAtEdge(step: number): boolean {
    const line = this.#drawing.elementOf(lineAt(this.#state, this.#state.selection.focus.line))
    const row = this.#caretRect()
    const whole = line?.getBoundingClientRect()
    if (!row || !whole) return true
    return step > 0 ? whole.bottom - row.bottom < row.height : row.top - whole.top < row.height
  }

  #caretRect(): DOMRect | undefined {
    const [node, offset] = this.#point(this.#state.selection.focus)
    const range = document.createRange()
    range.setStart(node, offset)
    const [rect = (node instanceof Element ? node : node.parentElement)?.getBoundingClientRect()] =
      range.getClientRects()
    return rect
  }

  get #state(): State {
    return this.#editor.state.peek()
  }

  #draw(state: State): void {
    if (this.#isComposing) return
    this.#drawing.draw(state.lines)
    this.#drawing.point(lineAt(state, state.selection.focus.line))
    if (this.#root.contains(document.activeElement)) this.#showSelection()
  }

  #before(event: InputEvent): void {
    // Input methods cannot be stopped.
    if (this.#isComposing || event.isComposing || !event.cancelable) return
    event.preventDefault()
    this.#readSelection()
    this.#do(event)
    this.#reveal()
  }

  #do(event: InputEvent): void {
    const { inputType: type } = event
    const editor = this.#editor
    const format = formats[type]
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? ''
    if (format) editor.apply(state => marked(state, format))
    else if (type === 'insertText') editor.type(text)
    else if (type === 'insertParagraph') editor.apply(split)
    else if (type === 'insertLineBreak') editor.apply(state => typed(state, '\n'))
    else if (type.startsWith('insert') && text !== '') {
      const range = this.#targetOf(event)
      if (range) editor.select(range)
      editor.apply(state => typed(state, text.replace(/\r\n?/g, '\n')))
    } else if (type.startsWith('delete')) this.#delete(event)
    else if (type === 'historyUndo') editor.undo()
    else if (type === 'historyRedo') editor.redo()
  }

  #delete(event: InputEvent): void {
    const editor = this.#editor
    const { selection } = this.#state
    if (!isCollapsed(selection)) {
      editor.apply(removed)
      return
    }
    const { line: index, at } = selection.focus
    const line = lineAt(this.#state, index)
    const isForward = event.inputType.endsWith('Forward')
    if (!isForward && (at === 0 || !isText(line))) editor.apply(joinedBackward)
    else if (isForward && (at === sizeOf(line) || !isText(line))) editor.apply(joinedForward)
    else {
      const target = this.#targetOf(event)
      const near = isForward ? target?.focus : target?.anchor
      const edge = isForward ? sizeOf(line) : 0
      // The browser knows what a character and a word are; it does not go beyond the line.
      const wanted = near === undefined || near.line !== index ? edge : near.at
      const to = target && wanted !== at ? wanted : nextCharacter(textOf(line.runs), at, isForward)
      const removing: Selection = { anchor: { line: index, at }, focus: { line: index, at: to } }
      editor.apply(({ lines }) => removed({ lines, selection: removing }))
    }
  }

  #targetOf(event: InputEvent): Selection | undefined {
    const [range] = event.getTargetRanges()
    if (!range) return undefined
    const anchor = this.#place(range.startContainer, range.startOffset)
    const focus = this.#place(range.endContainer, range.endOffset)
    return anchor && focus ? { anchor, focus } : undefined
  }

  #place(node: Node, offset: number): Place | undefined {
    return placeOf(this.#root, [node, offset], { state: this.#state, lineOf: this.#drawing.numberOf })
  }

  /** The browser, an input method or an extension has written into the page. */
  #after(): void {
    const selection = document.getSelection()
    const focus = selection?.focusNode
    const place = focus ? this.#place(focus, selection.focusOffset) : undefined
    if (place) this.#readLine(place, focus as Node, selection?.focusOffset ?? 0)
    this.#draw(this.#state)
  }

  #readLine({ line: index }: Place, node: Node, offset: number): void {
    const line = lineAt(this.#state, index)
    const element = this.#drawing.elementOf(line)
    if (!element) return
    const [was, is] = [textOf(line.runs), textOfNode(element, atom)]
    const end = offsetIn(element, node, offset)
    const shortest = Math.min(was.length, is.length)
    let head = 0
    while (head < shortest && was[head] === is[head]) head += 1
    let tail = 0
    while (tail < shortest - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1
    if (was !== is) {
      const put = is.slice(head, is.length - tail)
      const place = (at: number): Place => ({ line: index, at })
      const look = this.#state.look
      const selection = { anchor: place(head), focus: place(was.length - tail) }
      this.#editor.apply(({ lines }) => {
        const next = { lines, selection, ...(look && { look }) }
        const typing = put === '' ? removed(next) : typed(next, put)
        return { ...typing, selection: caret(index, end) }
      })
    }
    this.#drawing.taint(lineAt(this.#state, index))
  }

  /** Lets the text of an input method take the place of what is selected, in the page as in the content. */
  #compose(): void {
    this.#readSelection()
    this.#editor.group(true)
    if (!isCollapsed(this.#state.selection)) this.#editor.apply(removed)
    this.#isComposing = true
  }

  #composed(): void {
    this.#isComposing = false
    this.#after()
    this.#editor.group(false)
  }

  #readSelection(): void {
    const selection = document.getSelection()
    if (this.#isComposing || !selection?.anchorNode || !selection.focusNode) return
    const anchor = this.#place(selection.anchorNode, selection.anchorOffset)
    const focus = this.#place(selection.focusNode, selection.focusOffset)
    if (anchor && focus) this.#editor.select({ anchor, focus })
  }

  #point({ line, at }: Place): readonly [Node, number] {
    const element = this.#drawing.elementOf(lineAt(this.#state, line))
    return element ? pointIn(element, at) : [this.#root, 0]
  }

  #showSelection(): void {
    const selection = document.getSelection()
    const { anchor, focus } = this.#state.selection
    const [[node, offset], [last, end]] = [this.#point(anchor), this.#point(focus)]
    const isThere =
      selection?.anchorNode === node &&
      selection.anchorOffset === offset &&
      selection.focusNode === last &&
      selection.focusOffset === end
    if (!isThere) selection?.setBaseAndExtent(node, offset, last, end)
  }

  /** Scrolls to the caret where it is not seen. */
  #reveal(): void {
    const rect = this.#caretRect()
    if (!rect) return
    const frame = this.#root.getBoundingClientRect()
    const [top, bottom] = [Math.max(frame.top, 0), Math.min(frame.bottom, innerHeight)]
    if (rect.bottom > frame.bottom) this.#root.scrollTop += rect.bottom - frame.bottom + 8
    else if (rect.top < frame.top) this.#root.scrollTop -= frame.top - rect.top + 8
    else if (rect.bottom > bottom - margin) scrollBy(0, rect.bottom - bottom + margin)
    else if (rect.top < top) scrollBy(0, rect.top - top - margin)
  }
}

/** The bar at the end of a phone covers this much of the page. */
const margin = 72
