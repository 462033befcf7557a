import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { heading, rowOf, said } from '../settings.js'

const focused = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':focus'))

/** Holds the first of the requests that match, whose response is the one of that time. */
async function holdFirst(page: Page, url: RegExp, wanted: (route: Route) => boolean = () => true) {
  let held: (() => Promise<void>) | undefined
  let arrived = () => {}
  const isHeld = new Promise<void>(resolve => {
    arrived = resolve
  })
  await page.route(url, async route => {
    if (held || !wanted(route)) return route.fallback()
    const response = await route.fetch()
    // The page may have given the request up by then.
    held = () => route.fulfill({ response }).catch(() => undefined)
    arrived()
  })
  return { isHeld, release: () => held?.() }
}

describe('a section of the settings', inBrowser, () => {
  const served = servedConsole({
    settings: {
      events: { config: { privateAddresses: ['127.0.0.1'] } },
      audit: { config: { secret: 'a secret of this test, long enough' } },
    },
  })
  const opened = (path: string, work: (page: Page) => Promise<void>) =>
    served.signedIn('ada', work, { path: `/console/settings/${path}` })

  it('keeps what is typed about an account that is blocked meanwhile, and the focus where it is', () =>
    opened('accounts/4', async page => {
      const name = page.getByRole('textbox', { name: 'First name' })
      await name.fill('Annika')
      await page.getByRole('button', { name: 'Block' }).press('Enter')
      await focused(page, 'Unblock').waitFor()
      assert.equal(await name.inputValue(), 'Annika')
      await page.getByRole('button', { name: 'Unblock' }).press('Enter')
      await focused(page, 'Block').waitFor()
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await heading(page, 'Annika Author').waitFor()
      await focused(page, 'Save').waitFor()
    }))

  it('keeps what is typed about a token that gets another key, and revokes it without a question about that', () =>
    opened('tokens/new', async page => {
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('full')
      await page.getByRole('button', { name: 'Create the token' }).click()
      await page.getByRole('alert').getByText('Name: This attribute must be unique').waitFor()
      await name.fill('calendar')
      await page.getByRole('button', { name: 'Create the token' }).click()
      const key = page.getByRole('region', { name: 'Key' })
      await key.and(page.locator(':focus')).waitFor()
      await page.getByRole('link', { name: '← API tokens' }).click()
      await page.getByRole('link', { name: 'calendar' }).click()
      const description = page.getByRole('textbox', { name: 'Description' })
      await description.fill('for dates')
      for (const does of ['Regenerate', 'Revoke']) {
        await page.getByRole('button', { name: does }).click()
        await page
          .getByRole('dialog', { name: `${does} calendar` })
          .getByRole('button', { name: does })
          .click()
        if (does === 'Revoke') continue
        await key.waitFor()
        assert.equal(await description.inputValue(), 'for dates')
      }
      await rowOf(page, 'API tokens', 'full').waitFor()
    }))

  it('has the focus on its heading where the button that saved a role has nothing more to save', () =>
    opened('roles/3', async page => {
      await page.getByRole('textbox', { name: 'Description' }).fill('Writes.')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await said(page, 'Saved.')
      await heading(page, 'Author').and(page.locator(':focus')).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
    }))

  it('sends no webhook whose header has a value and no name', () =>
    opened('webhooks/new', async page => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('build')
      await page.getByRole('textbox', { name: 'Address' }).fill('https://ci.example.com/hook')
      await page.getByRole('checkbox', { name: 'entry.update' }).check()
      await page.getByRole('button', { name: 'Add a header' }).click()
      await page.getByRole('textbox', { name: 'Value of header 1' }).fill('TOPSECRET')
      await page.getByRole('button', { name: 'Save' }).click()
      const header = page.getByRole('textbox', { name: 'Name of header 1' })
      await header.and(page.locator(':focus:invalid')).waitFor()
      await header.fill('X-Key')
      await page.getByRole('button', { name: 'Save' }).click()
      await heading(page, 'build').waitFor()
    }))

  it('shows the deliveries in the state that was chosen last, whichever response comes first, and why there are none', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const made = await ada.ask('POST', '/console/api/events/webhooks', {
      data: { name: 'closed', url: 'http://127.0.0.1:9/', events: ['entry.create'] },
    })
    assert.equal((await ada.ask('POST', '/console/api/tags', { data: { name: 'Rye' } })).status, 200)
    await opened(`webhooks/${encodeURIComponent(made.body.data.key)}`, async page => {
      const row = rowOf(page, 'Deliveries', 'entry.create')
      while ((await row.count()) === 0) {
        const read = page.waitForResponse(/deliveries/)
        await page.getByRole('button', { name: 'Reload' }).click()
        await read
      }
      const all = await holdFirst(page, /deliveries\?/, route => !route.request().url().includes('state='))
      const state = page.getByRole('combobox', { name: 'State' })
      await page.getByRole('button', { name: 'Reload' }).click()
      await all.isHeld
      await state.selectOption('Delivered')
      await page.getByText('No deliveries.').waitFor()
      await all.release()
      await page.evaluate('new Promise(done => setTimeout(done, 100))')
      assert.equal(await row.count(), 0)
      await page.route(/deliveries\?/, route =>
        route.fulfill({ status: 400, json: { error: { message: 'Not while this test runs' } } }),
      )
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('alert').getByText('Not while this test runs').waitFor()
    })
  })

  it('leaves the one that was opened since where it is, when something is deleted', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const made = await ada.ask('POST', '/console/api/events/webhooks', {
      data: { name: 'left', url: 'http://127.0.0.1:9/', events: ['entry.create'] },
    })
    await opened(`webhooks/${encodeURIComponent(made.body.data.key)}`, async page => {
      await page.getByRole('button', { name: 'Delete' }).click()
      const sent = await holdFirst(page, /\/webhooks\//, route => route.request().method() === 'DELETE')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await sent.isHeld
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Languages' }).click()
      await heading(page, 'Languages').waitFor()
      await sent.release()
      await said(page, /left/)
      await page.evaluate('new Promise(done => setTimeout(done, 100))')
      assert.match(page.url(), /\/settings\/languages$/)
    })
  })

  it('adds earlier records once, however often they are asked for', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    for (let count = 0; count < 40; count += 1)
      await ada.ask('PUT', '/console/api/tags/1', { data: { name: `Tag ${count}` } })
    await opened('activity', async page => {
      const more = page.getByRole('button', { name: 'More' })
      await more.waitFor()
      await more.evaluate((button: { click(): void }) => {
        button.click()
        button.click()
      })
      const rows = page.getByRole('table', { name: 'Activity' }).locator('tbody tr')
      await rows.nth(30).waitFor()
      await page.waitForLoadState('networkidle')
      const texts = await rows.filter({ hasText: 'Tag 1' }).allInnerTexts()
      assert.ok((await rows.count()) <= 50, `${await rows.count()} of ${texts.length}`)
    })
  })

  it('asks for the type where records of an entry are wanted', () =>
    opened('activity', async page => {
      await page.getByRole('spinbutton', { name: 'Entry' }).fill('1')
      await page.getByRole('button', { name: 'Apply' }).click()
      const type = page.getByRole('combobox', { name: 'Type' })
      await type.and(page.locator(':focus:invalid')).waitFor()
      await type.selectOption('Tag')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/type=api::tag.tag&entry=1/)
    }))

  it('asks before own names are left that are not saved', () =>
    opened('profile', async page => {
      await page.getByRole('textbox', { name: 'First name' }).fill('Augusta')
      await page.getByRole('link', { name: 'Languages' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
      await page.getByRole('form', { name: 'Account' }).getByRole('button', { name: 'Save' }).click()
      await said(page, 'Saved.')
      await page.getByRole('link', { name: 'Languages' }).click()
      await heading(page, 'Languages').waitFor()
    }))

  it('shows the last state, whichever response comes first, and the focus goes from a row to its table', () =>
    opened('languages', async page => {
      await rowOf(page, 'Languages', /^German/).waitFor()
      const first = await holdFirst(page, /\/i18n\/locales$/, route => route.request().method() === 'GET')
      await page.getByRole('button', { name: /^Make default: German/ }).press('Enter')
      await first.isHeld
      await page.getByRole('button', { name: /^Make default: French/ }).press('Enter')
      await rowOf(page, 'Languages', /^French/)
        .getByText('yes')
        .waitFor()
      await page.getByRole('region', { name: 'Languages' }).and(page.locator(':focus')).waitFor()
      await first.release()
      await page.evaluate('new Promise(done => setTimeout(done, 100))')
      assert.equal(
        await rowOf(page, 'Languages', /^French/)
          .getByText('yes')
          .count(),
        1,
      )
    }))
})
