import type { BlocksEditor } from '../../../model/blocks/editor.js'
import { canIndent, type Direction, indented, shifted } from '../../../model/blocks/kinds.js'
import { marked } from '../../../model/blocks/looks.js'
import type { Mark } from '../../../model/blocks/runs.js'
import { lineAt } from '../../../model/blocks/state.js'

const marks: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', u: 'underline' }
const directions: Readonly<Record<string, Direction>> = {
  ...{ ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last' },
}

/** Editors that the next Tab leaves, as Escape was pressed before. */
const leaving = new WeakSet<BlocksEditor>()

/** Does what a key does in an editor; other keys are those of the browser, or of the page. */
export function keyOf(event: KeyboardEvent, editor: BlocksEditor, onLink: () => void): void {
  if (event.isComposing || (event.currentTarget as HTMLElement).contentEditable !== 'true') return
  const done = actionOf(event, editor, onLink)
  if (event.key === 'Escape') leaving.add(editor)
  else if (event.key !== 'Shift') leaving.delete(editor)
  if (!done) return
  event.preventDefault()
  event.stopPropagation()
  done()
}

function actionOf(event: KeyboardEvent, editor: BlocksEditor, onLink: () => void): (() => void) | undefined {
  const { key, shiftKey, altKey } = event
  const isControl = event.ctrlKey || event.metaKey
  const direction = altKey && !isControl ? directions[key] : undefined
  if (direction) return () => editor.apply(state => shifted(state, direction))
  if (altKey) return undefined
  if (key === 'Tab' && !isControl) return indentOf(editor, !shiftKey)
  if (!isControl) return undefined
  const letter = key.toLowerCase()
  const mark = shiftKey ? undefined : marks[letter]
  if (mark) return () => editor.apply(state => marked(state, mark))
  if (letter === 'k') return onLink
  if (letter === 'z') return () => (shiftKey ? editor.redo() : editor.undo())
  if (letter === 'y') return () => editor.redo()
  return undefined
}

function indentOf(editor: BlocksEditor, isInward: boolean): (() => void) | undefined {
  const state = editor.state.peek()
  const depth = lineAt(state, state.selection.focus.line).lists.length
  const canDo = isInward ? canIndent(state) : depth > 1
  return canDo && !leaving.has(editor) ? () => editor.apply(now => indented(now, isInward)) : undefined
}
