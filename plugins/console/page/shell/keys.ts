import { signal } from '@preact/signals'
import { choiceOf } from './choice.js'

/** Single letters are shortcuts: some people have tools that type by speech, and turn them off. */
export const hasLetters = choiceOf('letters', true)

/** The table of keys is shown. */
export const isShowingKeys = signal(false)

/** A key without others that change its meaning, outside of text fields and dialogs. */
const isLetter = (event: KeyboardEvent): boolean =>
  hasLetters.peek() &&
  !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) &&
  !isTyping(event.target) &&
  !hasDialog()

/** Controls in which letters mean something. */
const typed =
  'input:not([type=checkbox], [type=radio], [type=button], [type=file]), textarea, select, [contenteditable]'

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest(typed) !== null

export const hasDialog = (): boolean => document.querySelector('dialog[open]') !== null

/** Does the work of single letters; gives what ends that. */
export function hearLetters(work: Readonly<Record<string, () => void>>): () => void {
  const onKey = (event: KeyboardEvent) => {
    const does = Object.hasOwn(work, event.key) ? work[event.key] : undefined
    if (!does || !isLetter(event)) return
    event.preventDefault()
    does()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** The regions of the page, in their order: the navigation, the work, and what stands beside it. */
const regions = ['.main-nav', 'main', 'main aside'] as const

/** Takes the focus to the next region with F6, and back with the shift key; gives what ends that. */
export function hearRegions(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey || hasDialog()) return
    const there = regions.flatMap(one => [...document.querySelectorAll<HTMLElement>(one)].slice(0, 1)).filter(isShown)
    const inner = [...there].reverse().find(one => one.contains(document.activeElement))
    const at = inner ? there.indexOf(inner) : event.shiftKey ? 0 : -1
    const next = there[(at + (event.shiftKey ? -1 : 1) + there.length) % there.length]
    if (!next) return
    event.preventDefault()
    enter(next)
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

const isShown = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })

/** Gives the focus to the place where a region begins: where the editor is, its heading, or its first control. */
function enter(region: HTMLElement): void {
  const first = region.querySelector<HTMLElement>(
    region.tagName === 'NAV' ? '[aria-current=page], a[href]' : 'h1, button, a[href], input, select, textarea, summary',
  )
  const place = first ?? region
  if (!first || first.tagName === 'H1') place.tabIndex = -1
  place.focus()
  place.scrollIntoView({ block: 'nearest' })
}
