import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityOf } from '../../../support/pages/accessibility.js'
import { assertFits } from '../../../support/pages/watched-page.js'

/** Controls that are smaller than this many pixels, and boxes that are scrolled sideways, in the dialog that is open or the page. */
const tooSmall = (least: number) => `(() => {
  const place = document.querySelector('dialog[open]') ?? document.body
  const small = [...place.querySelectorAll('button, input, select, textarea, a.button, [role=option], summary')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.hidden, .skip'))
    .map(one => one.matches('[type=checkbox], [type=radio]') ? one.closest('label, .switch, td, th') ?? one : one)
    .filter(one => { const { width, height } = one.getBoundingClientRect(); return Math.round(width) < ${least} || Math.round(height) < ${least} })
    .map(one => {
      const { width, height } = one.getBoundingClientRect()
      return Math.round(width) + 'x' + Math.round(height) + ' ' + one.outerHTML.slice(0, 120)
    })
  const wide = place.scrollWidth > place.clientWidth ? ['scrolls sideways: ' + place.outerHTML.slice(0, 60)] : []
  return [...small, ...wide]
})()`

/** Controls that are too small for what points at them. */
export const smallerThan = (page: Page, least: number): Promise<string[]> => page.evaluate<string[]>(tooSmall(least))

/** All of a phone's page, or of the dialog on it, is there for fingers; axe knows no barrier. */
export async function assertForFingers(page: Page): Promise<void> {
  await assertFits(page)
  assert.deepEqual(await smallerThan(page, 44), [])
  assert.deepEqual(await accessibilityOf(page), [])
  // Each button of a dialog can be brought into view, and nothing lies over it.
  const buttons = page.locator('dialog[open] button:enabled, .popup > .panel button:enabled')
  for (const button of await buttons.all()) await button.tap({ trial: true })
}

/** Controls that reach out of the window or lie over one another; bars at its edges lie over what is scrolled below them. */
const colliding = `(() => {
  const place = document.querySelector('dialog[open], .popup > .panel') ?? document.querySelector('main')
  const options = { visibilityProperty: true, contentVisibilityAuto: true }
  const isSeen = one => one.checkVisibility(options) && !one.closest('.hidden, .skip, .view-head:has(.entry-bar), .chosen-bar, .media-grid > li > input')
  /** The part of an element that no scrolled box around it hides. */
  const seen = one => {
    let { left, right, top, bottom } = one.getBoundingClientRect()
    for (let box = one.parentElement; box !== place; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      top = Math.max(top, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { one, left, right, top, bottom }
  }
  const all = [...place.querySelectorAll('button, input, select, textarea, a, label, h1, h2, legend')]
  const boxes = all.filter(isSeen).map(seen).filter(({ left, right, top, bottom }) => right > left && bottom > top)
  const said = ({ one }) => one.outerHTML.slice(0, 90)
  const outside = boxes.filter(({ left, right }) => left < -1 || right > innerWidth + 1)
  const over = boxes.flatMap((box, at) => boxes.slice(at + 1).filter(next => {
    if (box.one.contains(next.one) || next.one.contains(box.one)) return false
    const across = Math.min(box.right, next.right) - Math.max(box.left, next.left)
    return across > 1 && Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top) > 1
  }).map(next => said(box) + ' lies over ' + said(next)))
  return [...outside.map(box => 'outside: ' + said(box)), ...over]
})()`

/** Controls that reach out of the window, or lie over one another. */
export const collisionsIn = (page: Page): Promise<string[]> => page.evaluate<string[]>(colliding)

/** Everything stands in the window, and next to one another. */
export async function assertApart(page: Page): Promise<void> {
  await assertFits(page)
  assert.deepEqual(await collisionsIn(page), [])
}
