/** Moves an item of a list by a key: with Alt, the arrows, Home and End. */
export function moveByKey(event: KeyboardEvent, at: number, count: number, move: (to: number) => void): void {
  const to = placeByKey(event, at, count)
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (to !== at) move(to)
}

/** The place to which a key moves an item, undefined for other keys. */
function placeByKey({ altKey, key }: KeyboardEvent, at: number, count: number): number | undefined {
  if (!altKey) return undefined
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1)
}

/** The focus is where it was, or nowhere: the editor has not gone on to another control meanwhile. */
const stayed = (before: Element | null): boolean => [before, document.body, null].includes(document.activeElement)

/** Moves an item in the page, and leaves the focus in it: an element that is moved or disabled loses it. */
export function keepingFocus(work: () => void): void {
  const { activeElement } = document
  const item = activeElement?.closest('li')
  work()
  setTimeout(() => {
    if (!(activeElement instanceof HTMLElement) || !item || !stayed(activeElement)) return
    const target = activeElement.matches(':disabled')
      ? item.querySelector<HTMLElement>('button:enabled')
      : activeElement
    if (document.activeElement !== target) target?.focus()
  })
}

/** Gives the focus to what stands in place of something that is removed: the same control of the next item, or the list. */
export function focusAfter(list: Element | null | undefined, at: number): void {
  const { activeElement } = document
  setTimeout(() => {
    if (!stayed(activeElement)) return
    const items = list?.querySelectorAll<HTMLElement>(':scope > li') ?? []
    const next = items[Math.min(at, items.length - 1)]
    const target =
      next?.querySelector<HTMLElement>('button, a, input') ??
      list?.closest('.field')?.querySelector<HTMLElement>('input, button')
    target?.focus()
  })
}
