import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Shows an element above the whole page without moving it in the document, which would take the text of a control, its undo and
 * its focus along. Escape leaves it, and the Tab key stays in it.
 */
export function useFullScreen(place: RefObject<HTMLElement | null>) {
  const isFull = useSignal(false)
  useLayoutEffect(() => {
    const { current } = place
    if (!isFull.value || !current) return
    const focused = document.activeElement
    current.showPopover()
    if (focused instanceof HTMLElement && current.contains(focused)) focused.focus()
    return () => {
      const last = document.activeElement
      if (current.matches(':popover-open')) current.hidePopover()
      // Hidden elements lose the focus, also for a moment.
      setTimeout(() => last instanceof HTMLElement && last.isConnected && last.focus())
    }
  }, [isFull.value])
  const onKey = (event: KeyboardEvent) => {
    // Dialogs above it have keys of their own.
    const isWithin = (event.target as Element).closest('dialog') === place.current?.closest('dialog')
    if (!isFull.value || !isWithin) return
    if (event.key === 'Tab') keepWithin(event, place.current)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    isFull.value = false
  }
  const toggle = () => {
    isFull.value = !isFull.value
  }
  return { isFull: isFull.value, onKey, toggle, props: isFull.value ? { popover: 'manual' as const } : {} }
}

function keepWithin(event: KeyboardEvent, place: HTMLElement | null): void {
  const all = [...(place?.querySelectorAll<HTMLElement>('button, textarea, a[href], [tabindex="0"]') ?? [])]
  const shown = all.filter(one => one.checkVisibility())
  const [first, last] = [shown[0], shown.at(-1)]
  const [end, begin] = event.shiftKey ? [first, last] : [last, first]
  if (document.activeElement !== end) return
  event.preventDefault()
  begin?.focus()
}
