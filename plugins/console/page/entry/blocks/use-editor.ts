import { effect } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { BlocksEditor } from '../../../model/blocks/editor.js'
import type { Cell } from '../../../model/form/cell.js'
import { isSame } from '../../../model/form/plain.js'

const blocksIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isNothing = (value: unknown): boolean => blocksIn(value).length === 0

/** The editor of a field: what is typed goes into the field, and what comes into the field by other ways is shown. */
export function useEditor(cell: Cell): BlocksEditor {
  const editor = useMemo(() => new BlocksEditor(blocksIn(cell.value.peek())), [cell])
  const known = useRef(cell.value.peek())
  const drawn = useRef(editor.state.peek().lines)
  // Both at once, and not with the next frame: a save may follow a key.
  useLayoutEffect(() => {
    // Other blocks than those in the editor were read, or brought back.
    const stopReading = effect(() => {
      const { value } = cell.value
      if (value === known.current) return
      const isAsBefore = isSame(value, known.current)
      known.current = value
      if (!isAsBefore) editor.load(blocksIn(value))
    })
    const stopWriting = effect(() => {
      const { lines } = editor.state.value
      if (lines === drawn.current) return
      drawn.current = lines
      const read = cell.read.peek()
      const value = editor.blocks ?? (isNothing(read) ? read : null)
      const isUnchanged = isSame(value, known.current) || (isNothing(value) && isNothing(known.current))
      if (isUnchanged) return
      known.current = value
      cell.value.value = value
    })
    return () => {
      stopReading()
      stopWriting()
    }
  }, [editor])
  return editor
}
