import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './controls.js'

/** A dialog above the page, which is open while it is rendered: a key, its button and its parts call `onClose`. */
export function Dialog({
  title,
  closeLabel = 'Close',
  onClose,
  children,
}: {
  title: string
  closeLabel?: string
  onClose: () => void
  children: ComponentChildren
}) {
  const place = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    // Closing gives the focus back to where it was, removing an open dialog does not.
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={place} aria-labelledby={id} onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}>
      <h2 id={id}>{title}</h2>
      {children}
      <Icon class="close" label={closeLabel} sign="×" onClick={onClose} />
    </dialog>
  )
}
