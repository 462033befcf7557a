import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

type Place = RefObject<HTMLElement | null>

/** Gives the focus to `heir` where the control of a part that had it is gone after a render. */
export function useFocusKept(part: Place, heir: Place = part): void {
  const had = part.current?.contains(document.activeElement) === true
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) heir.current?.focus({ preventScroll: true })
  })
}

/** Does work that disables the control with the focus, which a browser takes the focus from, and gives it back after that. */
export async function returningFocus<T>(work: () => Promise<T>): Promise<T> {
  const control = document.activeElement
  const done = await work()
  setTimeout(() => {
    if (control instanceof HTMLElement && control.isConnected && document.activeElement === document.body)
      control.focus({ preventScroll: true })
  })
  return done
}
