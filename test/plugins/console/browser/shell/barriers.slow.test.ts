import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { accessibilityOf, assertReachable } from '../../../../support/pages/accessibility.js'
import { inBrowser, schemes } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { servedConsole, signIn } from '../served.js'

const path = '/console/c/article'
const widths = [1440, 390] as const

describe('barriers in the console', inBrowser, () => {
  const served = servedConsole()

  for (const scheme of schemes)
    for (const width of widths)
      it(`are none that axe knows, in ${scheme} colours at ${width} pixels`, () =>
        served.opened(
          async page => {
            const found: string[] = []
            const look = async (place: string) => {
              found.push(...(await accessibilityOf(page)).map(line => `${place}: ${line}`))
              await assertFits(page)
            }
            await page.getByRole('button', { name: 'Sign in' }).waitFor()
            await look('sign-in')
            await signIn(page, 'edda', 'wrong')
            await page.getByRole('alert').getByText('do not belong').waitFor()
            await look('refused sign-in')
            await signIn(page, 'edda')
            await page.getByText(/ of \d+$/).waitFor()
            await look('list')
            await openParts(page, look)
            await page.goto(`${served.origin}/console`)
            await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
            await look('home')
            if (width < 720) {
              await page.getByRole('button', { name: 'Menu' }).click()
              await look('menu')
            }
            for (const [address, heading] of others) {
              await page.goto(served.origin + address)
              await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
              await look(address)
            }
            assert.deepEqual(found, [])
          },
          { path, scheme, width },
        ))

  /** Opens the parts of a list one after another. */
  async function openParts(page: Page, look: (place: string) => Promise<void>): Promise<void> {
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Field' }).selectOption('author')
    await page.getByRole('combobox', { name: 'Value' }).click()
    await page.locator('.options [role=option]').first().waitFor()
    await look('filters')
    await page.locator('.options [role=option]').first().click()
    await page.getByRole('button', { name: 'Add group' }).click()
    await look('filters with a group')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('toolbar', { name: 'Chosen entries' }).waitFor()
    await look('chosen entries')
    await page.getByRole('button', { name: 'Delete' }).click()
    await look('a question')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await look('columns')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account/ }).click()
    await look('account')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('option').first().waitFor()
    await look('go to')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('zzzz')
    await page.getByText('Nothing matches').waitFor()
    await look('no entries')
  }

  const others = [
    ['/console/c/article/457', 'By edda 1'],
    ['/console/c/nothing', 'Nothing here'],
    ['/console/password', 'New password'],
    ['/console/invitation#none', 'Invitation'],
    ['/console/first-account#none', 'First account'],
  ] as const

  it('are none for the keyboard: everything is reached, and the focus is seen', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByText(/ of \d+$/).waitFor()
        await assertReachable(page, 50)
      },
      { path },
    ))

  it('are none for who reads on: the heading of a new view has the focus, and colours stay as chosen', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('link', { name: 'Tag' }).click()
        await page.getByRole('heading', { name: 'Tag', level: 1 }).waitFor()
        const focused = () => page.evaluate<string>('document.activeElement.textContent')
        assert.equal(await focused(), 'Tag')
        assert.match(await page.title(), /^Tag · /)
        await page.getByRole('button', { name: /^Account/ }).click()
        await page.getByRole('radio', { name: 'Dark' }).check()
        await page.reload()
        await page.getByRole('heading', { name: 'Tag', level: 1 }).waitFor()
        assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
      },
      { path },
    ))
})
