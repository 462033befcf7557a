import type { Page } from 'playwright-core'

/** Words that reach out of their controls. */
const cutOff = `[...document.querySelectorAll('button, a.button, label, legend, summary, th, h1, h2')]
  .filter(one => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && !one.closest('.hidden, .skip'))
  .filter(one => getComputedStyle(one).textOverflow !== 'ellipsis')
  .filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.scrollWidth + ' of ' + one.clientWidth + ': ' + one.outerHTML.slice(0, 120))`

export const cutIn = (page: Page): Promise<string[]> => page.evaluate<string[]>(cutOff)

/** Boxes that are scrolled sideways, but for those of tables, pictures and code, which WCAG leaves out. */
const sideways = `(() => {
  const { scrollWidth } = document.documentElement
  return scrollWidth > innerWidth ? [scrollWidth + ' of ' + innerWidth + ' pixels'] : []
})()`

export const sidewaysIn = (page: Page): Promise<string[]> => page.evaluate<string[]>(sideways)

/** Elements that have the focus and are not to be seen, as something lies over them. */
const obscured = `(() => {
  const place = document.querySelector('dialog[open], .popup > .panel') ?? document.body
  const before = document.activeElement
  const all = [...place.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex="0"]')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 && !one.matches(':disabled, .skip'))
  const found = all.filter(one => {
    document.activeElement?.blur()
    one.focus()
    if (document.activeElement !== one) return false
    const box = one.getBoundingClientRect()
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
    const x = [left + 2, (left + right) / 2, right - 2]
    const y = [top + 2, (top + bottom) / 2, bottom - 2]
    return !x.some(x => y.some(y => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (one.contains(hit) || hit.contains(one) && hit.closest('label, th, td, li, form, .field, section') !== null)
    }))
  })
  before?.focus()
  return found.map(one => one.outerHTML.slice(0, 120))
})()`

export const obscuredIn = (page: Page): Promise<string[]> => page.evaluate<string[]>(obscured)

/** The distances of text that readers may set (WCAG 1.4.12). */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`

/** Sets the distances of text, or takes them back: sheets that a script makes are no matter of the policy. */
export const space = (page: Page, isOn: boolean): Promise<void> =>
  page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(spacing)})
    document.adoptedStyleSheets = ${isOn} ? [sheet] : []
  })()`)

/** The page as it is in a language from right to left, but for the words. */
export const turn = (page: Page, direction: 'rtl' | 'ltr'): Promise<void> =>
  page.evaluate(`document.documentElement.dir = '${direction}'`)

/** The middle of an element, as a share of the width of what it stands in. */
export const middleOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const one = document.querySelector('${selector}')
    const [inner, outer] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()]
    return ((inner.left + inner.right) / 2 - outer.left) / outer.width
  })()`)

/** A page whose title does not say what its heading says, or whose language is not said. */
const untitled = `(() => {
  const heading = document.querySelector('main h1, .message h1')?.textContent.trim() ?? ''
  const isTitled = heading !== '' && document.title.startsWith(heading)
  return isTitled && document.documentElement.lang !== '' ? [] : ['"' + document.title + '" of ' + heading]
})()`

export const untitledIn = (page: Page): Promise<string[]> => page.evaluate<string[]>(untitled)
