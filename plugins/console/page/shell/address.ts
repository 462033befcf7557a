import { batch, signal } from '@preact/signals'

interface Address {
  readonly path: string
  readonly search: string
  readonly hash: string
}

const current = (): Address => ({ path: location.pathname, search: location.search, hash: location.hash })

/** The address of the page: what is shown follows from it. */
export const address = signal(current())

/** The path that all views stand below. */
export const base = '/console'

/** The number of addresses that were gone to: a form is a new one at each. */
export const visit = signal(0)

/** Tells afterwards whether the view is still the same: work that ends in another one goes nowhere. */
export function inThisVisit(): () => boolean {
  const begun = visit.peek()
  return () => visit.peek() === begun
}

/** Goes to an address; `isSame` where it is another state of the same view. */
export function go(to: string, { isSame = false }: { readonly isSame?: boolean } = {}): void {
  const next = new URL(to, location.href)
  if (next.pathname === location.pathname && isSame) show(next, isSame)
  else mayLeave(() => show(next, isSame))
}

/** Gives the same view another address: a new entry has been stored. */
export function goIn(to: string): void {
  history.replaceState(null, '', to)
  address.value = current()
}

/** Goes to an address, whatever is left behind. */
export function leaveFor(to: string): void {
  holds = undefined
  go(to)
}

function show(to: URL, isSame: boolean): void {
  history[isSame ? 'replaceState' : 'pushState'](null, '', to)
  change()
}

/** The element that had the focus when the address was left. */
let leftWith: Element | null = null

/** True if the focus is where the last view has left it, and not where the editor has gone while the next one was loaded. */
export const isFocusLeft = (): boolean =>
  document.activeElement === document.body || document.activeElement === leftWith

function change(): void {
  leftWith = document.activeElement
  batch(() => {
    visit.value += 1
    address.value = current()
  })
}

/** True while there is something in the view that would be lost. */
let holds: (() => boolean) | undefined

/** The view would lose something, if the page were left now. */
export const holdsSomething = (): boolean => holds?.() === true

/** The editor has decided to leave: the browser does not ask again. */
export function letGo(): void {
  holds = undefined
}

/** The question whether to leave a view: its dialog says which. */
export const leaving = signal<{ readonly leave: () => void; readonly stay: () => void } | undefined>(undefined)

/** Asks before the view is left, as long as it holds what would be lost; the result ends that. */
export function guardLeaving(isHolding: () => boolean): () => void {
  holds = isHolding
  const onUnload = (event: BeforeUnloadEvent) => holdsSomething() && event.preventDefault()
  addEventListener('beforeunload', onUnload)
  return () => {
    if (holds === isHolding) holds = undefined
    removeEventListener('beforeunload', onUnload)
  }
}

function mayLeave(work: () => void): void {
  if (!holds?.()) {
    work()
    return
  }
  const settle = () => {
    leaving.value = undefined
  }
  leaving.value = {
    leave: () => {
      settle()
      holds = undefined
      work()
    },
    stay: settle,
  }
}

/** Follows links to other views without loading the page again. */
export function watchAddress(): void {
  addEventListener('popstate', () => {
    const to = current()
    if (!holds?.()) return change()
    // The browser is there already: it goes back until the editor has decided.
    const { path, search, hash } = address.peek()
    history.pushState(null, '', path + search + hash)
    mayLeave(() => show(new URL(to.path + to.search + to.hash, location.href), false))
  })
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !isOwn(link) || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (link.href !== location.href) go(link.href)
  })
}

const isOwn = ({ origin, pathname, target, download }: HTMLAnchorElement): boolean =>
  origin === location.origin &&
  target === '' &&
  download === '' &&
  (pathname === base || pathname.startsWith(`${base}/`))
