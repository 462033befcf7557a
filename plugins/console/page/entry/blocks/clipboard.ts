import type { BlocksEditor } from '../../../model/blocks/editor.js'
import { freshLines, linesOfText, pasted } from '../../../model/blocks/inserting.js'
import { type Line, linesOf, typeOf } from '../../../model/blocks/lines.js'
import { removed } from '../../../model/blocks/removing.js'
import { textOf } from '../../../model/blocks/runs.js'
import { endsOf, isCollapsed, lineAt } from '../../../model/blocks/state.js'
import { typed } from '../../../model/blocks/typing.js'
import { linesOfHtml } from './pasting.js'

/** The form in which an editor of blocks passes them on to another one. */
const ownFormat = 'application/x-stele-blocks'

/** Copies and pastes between an editor and the clipboard. */
export class Clipboard {
  readonly #root: HTMLElement
  readonly #editor: BlocksEditor

  constructor(root: HTMLElement, editor: BlocksEditor) {
    this.#root = root
    this.#editor = editor
  }

  start(signal: AbortSignal): void {
    this.#root.addEventListener('copy', event => this.#copy(event), { signal })
    this.#root.addEventListener(
      'cut',
      event => {
        if (this.#copy(event)) this.#editor.apply(removed)
      },
      { signal },
    )
    this.#root.addEventListener(
      'paste',
      event => {
        event.preventDefault()
        // The event comes to texts that are only read, too.
        if (event.clipboardData && this.#root.isContentEditable) this.#paste(event.clipboardData)
      },
      { signal },
    )
  }

  #copy(event: ClipboardEvent): boolean {
    const { selection } = this.#editor.state.peek()
    const shown = document.getSelection()
    if (isCollapsed(selection) || !event.clipboardData || !shown?.rangeCount) return false
    event.preventDefault()
    const box = document.createElement('div')
    box.append(shown.getRangeAt(0).cloneContents())
    const blocks = this.#editor.copied
    event.clipboardData.setData(ownFormat, JSON.stringify(blocks))
    event.clipboardData.setData('text/html', new XMLSerializer().serializeToString(box))
    const texts = linesOf(blocks).map(({ kind, runs }) => (kind === 'text' ? textOf(runs) : ''))
    event.clipboardData.setData('text/plain', texts.join('\n'))
    return this.#root.isContentEditable
  }

  #paste(data: DataTransfer): void {
    const state = this.#editor.state.peek()
    const text = data.getData('text/plain').replace(/\r\n?/g, '\n')
    const isCode = typeOf(lineAt(state, endsOf(state)[0].line)) === 'code'
    if (isCode) this.#editor.apply(now => typed(now, text))
    else {
      const lines = ownLines(data.getData(ownFormat)) ?? linesOfHtml(data.getData('text/html'))
      const put = lines.length > 0 ? lines : text === '' ? [] : linesOfText(text)
      this.#editor.apply(now => pasted(now, freshLines(put)))
    }
  }
}

function ownLines(json: string): readonly Line[] | undefined {
  try {
    const blocks: unknown = JSON.parse(json)
    return Array.isArray(blocks) ? linesOf(blocks) : undefined
  } catch {
    return undefined
  }
}
