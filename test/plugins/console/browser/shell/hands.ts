import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** How a person uses a page. */
export interface Hands {
  /** Uses a button, a link or a choice. */
  press(target: Locator): Promise<void>
  /** Replaces the text of a control. */
  write(target: Locator, text: string): Promise<void>
  /** Writes into a box that finds entries, and takes the one with a name. */
  find(box: Locator, text: string, name: string): Promise<void>
  choose(select: Locator, label: string): Promise<void>
  /** Takes an entry of a list up to the first place. */
  toStart(page: Page, title: string): Promise<void>
}

const option = (box: Locator, name: string) => box.page().getByRole('option', { name, selected: true })

/** Fingers on a screen, and the keyboard that it shows. */
export const fingers: Hands = {
  press: target => target.tap(),
  async write(target, text) {
    await target.tap()
    await target.page().keyboard.press('Control+a')
    await target.page().keyboard.type(text)
  },
  async find(box, text, name) {
    await box.tap()
    await box.page().keyboard.type(text)
    await option(box, name).tap()
  },
  // The list of a select is the system's own.
  async choose(select, label) {
    await select.selectOption({ label })
  },
  async toStart(page, title) {
    const up = page.getByRole('button', { name: `Move ${title} up` })
    while (await up.isEnabled()) await up.tap()
  },
}

/** The key that goes on to an element; empty where it has the focus. */
const wayTo = `(() => {
  const { activeElement } = document
  if (wanted === activeElement) return ''
  return activeElement.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab'
})()`

/** Gives an element the focus by the Tab key. */
async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  await target.evaluate(wanted => void Object.assign(globalThis, { wanted }))
  for (let press = 0; press < 400; press += 1) {
    const way = await page.evaluate<string>(wayTo)
    if (way === '') return
    await page.keyboard.press(way)
  }
  assert.fail(`Tab does not reach ${target}`)
}

/** Keys alone. */
export const keys: Hands = {
  async press(target) {
    await tabTo(target)
    const isBox = ['checkbox', 'radio'].includes((await target.getAttribute('type')) ?? '')
    await target.page().keyboard.press(isBox ? 'Space' : 'Enter')
  },
  async write(target, text) {
    await tabTo(target)
    await target.page().keyboard.press('Control+a')
    await target.page().keyboard.type(text)
  },
  async find(box, text, name) {
    await tabTo(box)
    await box.page().keyboard.type(text)
    await option(box, name).waitFor()
    await box.page().keyboard.press('Enter')
  },
  async choose(select, label) {
    await tabTo(select)
    await select.page().keyboard.type(label)
  },
  async toStart(page, title) {
    await tabTo(page.getByRole('button', { name: `Remove ${title}` }))
    await page.keyboard.press('Alt+Home')
  },
}
