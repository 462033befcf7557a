import { strict as assert } from 'node:assert'
import type { Page, Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { DatabaseSync } from '../../../../support/sqlite.js'
import { field, isSaved } from '../form.js'
import { type Person, servedConsole } from '../served.js'

const line = (page: Page) => page.getByText('No connection to the server. Your changes are kept here')
const message = (page: Page, text: string | RegExp) =>
  page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor()

type Way = (route: Route) => Promise<void>

const lost: Way = route => route.abort()
const refused =
  (status: number, headers: Readonly<Record<string, string>> = {}): Way =>
  route =>
    route.fulfill({ status, headers })
/** The server does what it is asked to, and its response is lost. */
const unheard: Way = async route => {
  await route.fetch()
  await route.abort()
}

/** Lets the first saves, publications or readings of articles go wrong, each in its way, and counts all of them. */
async function intercept(page: Page, method: string, ways: readonly Way[]): Promise<() => number> {
  let count = 0
  await page.route(/\/console\/api\/articles\/\d+/, async route => {
    if (route.request().method() !== method) return route.fallback()
    const way = ways[count]
    count += 1
    return way ? way(route) : route.fallback()
  })
  return () => count
}

describe.skipIf(noBrowser)('what keeps a request of the form from being done', { timeout: 60_000 }, () => {
  const served = servedConsole()
  const opened = (id: number, work: (page: Page) => Promise<void>, who: Person = 'edda') =>
    served.signedIn(who, work, { path: `/console/c/article/${id}` })

  /** Changes the form and saves it. */
  const save = async (page: Page, views: string) => {
    await field(page, 'views').fill(views)
    await page.keyboard.press('Control+s')
  }

  const unreachable: readonly (readonly [string, Way])[] = [
    ['a lost connection', lost],
    ['a 502', refused(502)],
    ['a 503 of a proxy', refused(503)],
    ['a 504', refused(504)],
  ]
  for (const [index, [says, way]] of unreachable.entries())
    it(`is ${says}: a line says so, and saving goes on`, () =>
      opened(4 + index, async page => {
        await page.clock.install()
        const saves = await intercept(page, 'PUT', [way, way])
        await save(page, '71')
        await line(page).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(), true)
        await page.getByRole('button', { name: 'Retry now' }).click()
        while ((await line(page).count()) > 0) await page.clock.fastForward(5000)
        await isSaved(page)
        assert.equal(saves(), 3)
      }))

  it('is a lost response: what was saved is no change by others', () =>
    opened(14, async page => {
      const saves = await intercept(page, 'PUT', [unheard])
      await save(page, '141')
      await isSaved(page)
      assert.deepEqual([saves(), await field(page, 'views').inputValue()], [2, '141'])
      await intercept(page, 'POST', [unheard])
      await page.getByRole('button', { name: 'Unpublish' }).click()
      await message(page, /^A draft again/)
      await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
    }))

  it('is a server that is busy: it is waited for silently, three times', () =>
    opened(9, async page => {
      await page.clock.install()
      const busy = refused(503, { 'Retry-After': '7' })
      const saves = await intercept(page, 'PUT', [busy, busy, busy])
      await save(page, '91')
      while (saves() < 4) {
        await page.clock.fastForward(1000)
        assert.equal(await line(page).count(), 0)
      }
      await isSaved(page)
    }))

  it('is a limit: the page waits as told, and says so', () =>
    opened(10, async page => {
      await page.clock.install()
      const saves = await intercept(page, 'PUT', [refused(429, { 'Retry-After': '30' })])
      await save(page, '101')
      const said = page.getByText('Too many requests. Going on in 30 seconds.')
      while ((await said.count()) === 0) await page.clock.fastForward(1000)
      assert.equal(saves(), 1)
      await page.clock.fastForward(30_000)
      await isSaved(page)
      assert.equal(saves(), 2)
    }))

  it('is a session that has ended: after signing in the form is saved', () =>
    opened(11, async page => {
      await field(page, 'views').fill('111')
      await page.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
      await page.keyboard.press('Control+s')
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.getByLabel('Password').fill('Edda-pass-1')
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await isSaved(page)
      assert.equal(await field(page, 'views').inputValue(), '111')
    }))

  it('is a permission that was taken away: permissions are read again, and the button is gone', () =>
    opened(12, async page => {
      const database = new DatabaseSync(served.database())
      database.exec(`pragma busy_timeout = 5000; update admin_permissions set subject = 'api::none.none'
        where action = 'plugin::content-manager.explorer.publish' and subject = 'api::article.article'`)
      database.close()
      const button = page.getByRole('button', { name: /^(Unp|P)ublish$/ })
      const said = page.getByText(/^You may not (un)?publish articles\.$/)
      // A permission is valid for up to a second more.
      while ((await said.count()) === 0 && (await button.count()) > 0) {
        await button.click()
        await page.evaluate('new Promise(requestAnimationFrame)')
      }
      await said.waitFor()
      await button.waitFor({ state: 'detached' })
    }))
})
