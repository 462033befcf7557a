import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Findings of axe on a page as it stands, one a line. */
export async function accessibilityOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate<Pick<axe.AxeResults, 'violations' | 'passes'>>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  assert.ok(passes.length > 10, 'axe has looked at something')
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))
}

/** Numbers everything on the page that can be used, and counts it. */
const numberUsable = `(() => {
  const all = document.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex="0"]')
  // The Tab key stops at the radio button that is chosen, and arrows go on to the others.
  const isStop = one => one.type !== 'radio' || one.checked
  const shown = [...all].filter(
    one => one.checkVisibility() && one.tabIndex >= 0 && !one.matches(':disabled') && !one.closest('[inert]') && isStop(one))
  for (const [index, one] of shown.entries()) one.dataset.stop = String(index)
  return shown.length
})()`

interface FocusedElement {
  /** Its number among what can be used. */
  readonly stop?: string
  readonly ring: string
  readonly html: string
  readonly text: string
}

/** The element with the focus. */
export const focusedIn = (page: Page): Promise<FocusedElement> =>
  page.evaluate<FocusedElement>(`(() => {
    const one = document.activeElement
    return { stop: one.dataset.stop, ring: getComputedStyle(one).outlineStyle, html: one.outerHTML.slice(0, 80), text: one.textContent }
  })()`)

/** The Tab key reaches everything on the page that can be used, at least so much, and the focus is seen everywhere. */
export async function assertReachable(page: Page, least: number): Promise<void> {
  await page.evaluate('document.activeElement?.blur()')
  const usable = await page.evaluate<number>(numberUsable)
  assert.ok(usable > least, String(usable))
  const reached = new Set<string>()
  const unseen: string[] = []
  // A date has several stops.
  for (let press = 0; press < 2 * usable + 5 && reached.size < usable; press += 1) {
    await page.keyboard.press('Tab')
    const at = await focusedIn(page)
    if (at.stop === undefined) continue
    reached.add(at.stop)
    if (at.ring === 'none') unseen.push(at.html)
  }
  assert.deepEqual(unseen, [])
  assert.equal(reached.size, usable)
}
