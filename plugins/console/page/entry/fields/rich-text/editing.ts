import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import type { Related } from '../../../../model/form/plain.js'
import { filesAsMarkdown } from '../../../../model/markdown/files.js'
import { continued } from '../../../../model/markdown/lists.js'
import { type Edit, type Mark, marked } from '../../../../model/markdown/marks.js'
import { canUpload } from '../../../files/file-type.js'
import { Upload } from '../../../files/uploads.js'
import { keys } from './tools.js'

/** Changes of a Markdown text beside typing: marks, lists that go on, files. */
export function useEditing(area: RefObject<HTMLTextAreaElement | null>, isReadOnly: boolean) {
  const uploads = useSignal<readonly Upload[]>([])
  const forget = (upload: Upload) => {
    uploads.value = uploads.peek().filter(one => one !== upload)
  }
  const edit = ({ from, to, text, select }: Edit) => {
    const control = area.current
    if (!control || isReadOnly) return
    control.focus()
    control.setSelectionRange(from, to)
    // The browser's own editing, so that its undo knows of it.
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
    control.setSelectionRange(...select)
  }
  const mark = (mark: Mark) => {
    const control = area.current
    if (control) edit(marked(control.value, control.selectionStart, control.selectionEnd, mark))
  }
  const insert = (files: readonly Related[]) => {
    const control = area.current
    if (!control) return
    const { value, selectionStart: from, selectionEnd: to } = control
    // Files that come one by one stand below each other.
    const text = `${value[from - 1] === ')' ? '\n' : ''}${filesAsMarkdown(files.map(({ values }) => values))}`
    edit({ from, to, text, select: [from + text.length, from + text.length] })
  }
  const send = (content: File) =>
    new Upload(content, 0, {
      onDone: (upload, file) => {
        forget(upload)
        insert([file])
      },
      onDescribed: () => {},
    })
  const takesFiles = !isReadOnly && canUpload()
  const take = (event: Event, data: DataTransfer | null) => {
    if (!takesFiles || !data || data.files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    uploads.value = [...uploads.peek(), ...[...data.files].map(send)]
  }
  return {
    uploads: uploads.value,
    forget,
    mark,
    insert,
    /** Handlers of the textarea. */
    on: {
      onKeyDown: (event: KeyboardEvent) => {
        const change = changeBy(event, area.current)
        if (!change) return
        event.preventDefault()
        event.stopPropagation()
        if (typeof change === 'string') mark(change)
        else edit(change)
      },
      onDrop: (event: DragEvent) => take(event, event.dataTransfer),
      onDragOver: (event: DragEvent) => {
        if (takesFiles && event.dataTransfer?.types.includes('Files')) event.preventDefault()
      },
      onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    },
  }
}

/** The mark that a key sets, or the line that it begins; undefined for keys of the browser. */
function changeBy(event: KeyboardEvent, control: HTMLTextAreaElement | null): Mark | Edit | undefined {
  const { key, ctrlKey, metaKey, shiftKey, isComposing } = event
  if (ctrlKey || metaKey) return keys[key]
  if (key !== 'Enter' || shiftKey || isComposing || !control) return undefined
  const { value, selectionStart, selectionEnd } = control
  return selectionStart === selectionEnd ? continued(value, selectionStart) : undefined
}
