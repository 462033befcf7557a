import { signal } from '@preact/signals'

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

/** Goes to an address; `isSame` where it is another state of the same view. */
export function go(to: string, { isSame = false }: { readonly isSame?: boolean } = {}): void {
  history[isSame ? 'replaceState' : 'pushState'](null, '', to)
  address.value = current()
}

/** Follows links to other views without loading the page again. */
export function watchAddress(): void {
  addEventListener('popstate', () => {
    address.value = current()
  })
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !isOwn(link) || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (link.href !== location.href) go(link.href)
  })
}

const isOwn = ({ origin, pathname, target }: HTMLAnchorElement): boolean =>
  origin === location.origin && target === '' && (pathname === base || pathname.startsWith(`${base}/`))
