import { signal } from '@preact/signals'
import type { Clip } from '../../model/form/copy.js'

const place = 'stele-console-clip'

/** The component that was copied last, in any tab. */
export const clip = signal<unknown>(parsed(localStorage.getItem(place)))

export function copyToClip(copied: Clip): void {
  clip.value = copied
  localStorage.setItem(place, JSON.stringify(copied))
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === place) clip.value = parsed(newValue)
})

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
