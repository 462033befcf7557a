import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type DroppedFile, filesOf, withoutFolders } from './dropped.js'

const isBehindDialog = () => document.querySelector('dialog[open]') !== null

/** Files may be dropped anywhere in the view, and pasted; the signal tells that some are above it. */
export function useDrop(
  isAllowed: boolean,
  send: (files: readonly DroppedFile[]) => Promise<void>,
  onUnreadable: () => void,
) {
  const isOver = useSignal(false)
  useEffect(() => {
    if (!isAllowed) return undefined
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      isOver.value = true
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      isOver.value = false
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (isBehindDialog()) return
      void filesOf(event.dataTransfer).then(send, onUnreadable)
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0 && !isBehindDialog()) void send(withoutFolders(files))
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste)
    }
  }, [isAllowed])
  return isOver
}
