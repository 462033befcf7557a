import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { field, hide, isSaved } from '../form.js'
import { servedConsole } from '../served.js'

const asked = (page: Page) => page.getByRole('dialog', { name: 'Sign out without saving?' })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}

const isSignedOut = (page: Page) => page.getByRole('heading', { name: 'Sign in' }).waitFor()

describe.skipIf(noBrowser)('signing out', { timeout: 60_000 }, () => {
  const served = servedConsole()
  const path = '/console/c/article/4'

  it('asks where the form has changes, and not twice', () =>
    served.signedIn(
      'edda',
      async page => {
        await field(page, 'views').fill('41')
        await signOut(page)
        await asked(page).waitFor()
        assert.deepEqual(await accessibilityOf(page), [])
        await asked(page).getByRole('button', { name: 'Keep editing' }).click()
        assert.equal(await field(page, 'views').inputValue(), '41')
        await hide(page, 1)
        await signOut(page)
        // A further question, of the browser itself, would be answered with no: Playwright dismisses it.
        await asked(page).getByRole('button', { name: 'Sign out and discard' }).click()
        await isSignedOut(page)
        await hide(page, 0)
      },
      { path },
    ))

  it('asks where another window has changes, which are saved after signing in again', () =>
    served.signedIn(
      'edda',
      async page => {
        const other = await page.context().newPage()
        await other.goto(served.origin + path)
        await field(other, 'views').fill('42')
        await hide(other, 1)
        await signOut(page)
        await asked(page).getByRole('button', { name: 'Sign out and discard' }).click()
        await isSignedOut(page)
        await other.keyboard.press('Control+s')
        const dialog = other.getByRole('dialog', { name: 'Sign in again' })
        await dialog.getByLabel('Password').fill('Edda-pass-1')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await isSaved(other)
        assert.equal(await field(other, 'views').inputValue(), '42')
      },
      { path },
    ))

  it('is said to have failed where the server has not done it, and leaves what is kept', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.route('**/console/session', (route, request) =>
          request.method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.fallback(),
        )
        await field(page, 'views').fill('44')
        await hide(page, 1)
        await signOut(page)
        await asked(page).getByRole('button', { name: 'Sign out and discard' }).click()
        await page.getByText('Signing out failed: you are still signed in.').waitFor()
        assert.equal(await field(page, 'views').inputValue(), '44')
        await hide(page, 1)
      },
      { path },
    ))

  it('does not ask where everything is saved', () =>
    served.signedIn('edda', async page => {
      await signOut(page)
      await isSignedOut(page)
    }))
})

describe.skipIf(noBrowser)('a browser that keeps no drafts', { timeout: 60_000 }, () => {
  const served = servedConsole({ settings: { console: { config: { keepDrafts: false } } } })

  it('is so by the settings, and offers nothing when the form is opened again', () =>
    served.signedIn(
      'edda',
      async page => {
        await field(page, 'views').fill('43')
        await hide(page, 0)
        await page.clock.install()
        await page.clock.fastForward(10_000)
        await hide(page, 0)
        page.on('dialog', dialog => void dialog.accept())
        await page.reload()
        await field(page, 'views').waitFor()
        assert.equal(await page.getByRole('region', { name: 'Changes that were not saved' }).count(), 0)
        assert.notEqual(await field(page, 'views').inputValue(), '43')
      },
      { path: '/console/c/article/5' },
    ))
})
