import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor, made } from '../../project.js'
import { servedConsole, signIn } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/profile'

describe('the settings of the console', inBrowser, () => {
  const served = servedConsole()

  it('have the sections that the account may open, in the navigation, by their addresses and by name', () =>
    served.signedIn('edda', async page => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      await heading(page, 'Profile').waitFor()
      const sections = page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link')
      assert.deepEqual(await sections.allTextContents(), ['Profile'])
      await page.locator('h1:focus').waitFor()
      await page.goto(`${served.origin}/console/settings/accounts`)
      await heading(page, 'Nothing here').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Type, action, setting, or title of an entry' }).fill('profi')
      await page.getByRole('option', { name: 'Profile Settings' }).click()
      await heading(page, 'Profile').waitFor()
      assert.equal(await page.evaluate('location.pathname'), path)
    }))

  it('have the focus where their link was followed before any view was there', () =>
    served.opened(async page => {
      const held: Route[] = []
      await page.route(/\/assets\/home-.*\.js$/, route => void held.push(route))
      await signIn(page, 'edda')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      await heading(page, 'Profile').and(page.locator(':focus')).waitFor()
      await Promise.all(held.map(route => route.continue()))
    }))

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'edda', path, async (page, look) => {
      await page.getByRole('table', { name: 'Sessions' }).waitFor()
      await look('profile')
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('dialog', { name: 'Sign out everywhere' }).waitFor()
      await look('sign out')
      await page.keyboard.press('Escape')
    }))
})

describe('the profile', inBrowser, () => {
  const served = servedConsole()

  it('lists the browsers of the account, ends one of them, and then all', async () => {
    const other = await Editor.signIn(served.project(), 'anton')
    await served.signedIn(
      'anton',
      async page => {
        const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
        await rowOf(page, 'Sessions', 'Chrome, Linux (this browser)').waitFor()
        assert.equal(await rows.count(), 3)
        await page.getByRole('button', { name: 'Sign out Unknown browser' }).click()
        await said(page, 'The session has ended.')
        await rows.nth(2).waitFor({ state: 'detached' })
        assert.equal(await rows.count(), 2)
        assert.equal((await other.get('/console/session')).status, 401)
        await page.getByRole('button', { name: 'Sign out everywhere' }).click()
        const dialog = page.getByRole('dialog', { name: 'Sign out everywhere' })
        await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
      },
      { path },
    )
  })

  it('changes the own name, which the page then has, and nothing that is for others to change', async () => {
    await served.signedIn(
      'tina',
      async page => {
        const form = page.getByRole('form', { name: 'Account' })
        await form.getByRole('textbox', { name: 'First name' }).fill('Christina')
        await form.getByRole('combobox', { name: 'Language of the page' }).selectOption('English')
        await form.getByRole('button', { name: 'Save' }).click()
        await said(page, 'Saved.')
        await page.getByRole('button', { name: /^Account: Christina / }).waitFor()
        await page.getByRole('checkbox', { name: 'Single letters are shortcuts' }).waitFor()
      },
      { path },
    )
    const tina = await Editor.signIn(served.project(), 'tina')
    const { account } = await tina.meta()
    assert.match(account.name, /^Christina /)
    assert.equal(account.language, 'en')
    for (const body of [{ roles: [1] }, { email: 'x@example.test' }, { blocked: false }, { firstname: 1 }]) {
      const { status, text } = await tina.ask('PUT', '/console/session/account', body)
      assert.deepEqual([status, text.includes(Object.keys(body)[0] as string)], [400, true])
    }
  })

  it('changes the password for one that differs from the present one, which has to be known', () =>
    served.signedIn(
      'anna',
      async page => {
        const form = page.getByRole('form', { name: 'Password' })
        const fill = async (current: string, next: string) => {
          await form.getByLabel('Current password').fill(current)
          await form.getByLabel('New password').fill(next)
          await form.getByRole('button', { name: 'Change the password' }).click()
        }
        await fill('wrong', 'eleven elephants')
        await form.getByRole('alert').getByText('Current password is not the current password').waitFor()
        await fill(made.accounts.anna?.password ?? '', 'short')
        await form
          .getByRole('alert')
          .getByText(/New password.*10/)
          .waitFor()
        await fill(made.accounts.anna?.password ?? '', 'eleven elephants')
        await said(page, /^The password is changed/)
        assert.equal(await form.getByLabel('New password').inputValue(), '')
        await page.getByRole('button', { name: /^Account/ }).click()
        await page.getByRole('button', { name: 'Sign out', exact: true }).click()
        await signIn(page, 'anna', 'eleven elephants')
        await page.getByRole('button', { name: /^Account/ }).waitFor()
      },
      { path },
    ))

  it('exports what the server keeps about the account as a file', () =>
    served.signedIn(
      'edda',
      async page => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Export my data' }).click(),
        ])
        assert.equal(file.suggestedFilename(), 'account.json')
        const { account, roles, views } = JSON.parse(readFileSync(await file.path(), 'utf8'))
        assert.deepEqual([account.firstname, roles[0].name, views], ['Edda', 'Editor', []])
      },
      { path },
    ))
})
