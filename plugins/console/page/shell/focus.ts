import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

type Place = RefObject<HTMLElement | null>

/** The heading of the view. */
export const heading: Place = {
  get current() {
    return document.querySelector<HTMLElement>('main h1')
  },
}

/** The control that had the focus is gone, or a browser takes the focus from it, as it is disabled. */
const isLost = (): boolean => document.activeElement?.matches('body, :disabled') ?? true

/** Gives the focus to `heir` where the control of a part that had it is gone or disabled after a render. */
export function useFocusKept(part: Place, heir: Place = part): void {
  const had = part.current?.contains(document.activeElement) === true
  useLayoutEffect(() => {
    if (had && isLost()) heir.current?.focus({ preventScroll: true })
  })
}

/** Does work that disables the control with the focus, and gives the focus back after that; to the heading, if the control is gone. */
export async function returningFocus<T>(work: () => Promise<T>): Promise<T> {
  const control = document.activeElement
  const done = await work()
  setTimeout(() => {
    if (!isLost()) return
    const isThere = control?.isConnected === true && !control.matches(':disabled')
    const place = isThere ? control : heading.current
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  })
  return done
}
