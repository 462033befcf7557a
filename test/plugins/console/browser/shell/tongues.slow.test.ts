import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor, made } from '../../project.js'
import { servedConsole } from '../served.js'

const labels = { de: { article: 'Artikel', 'article.title': 'Titel' }, fr: { article: 'Billet' } }

/** The languages whose texts the page has loaded besides English. */
const loaded = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`performance.getEntriesByType('resource').flatMap(({ name }) =>
    /\\/assets\\/(de|fr|es)-/.exec(name)?.[1] ?? [])`)

const spoken = (page: Page): Promise<string> => page.evaluate('document.documentElement.lang')

describe('the languages of the page', inBrowser, () => {
  const served = servedConsole({ settings: { console: { enabled: true, config: { labels } } } })

  it('are those of the browser before an account has signed in, and then those of the account', async () => {
    const anna = await Editor.signIn(served.project(), 'anna')
    await anna.ask('PUT', '/console/session/account', { language: 'fr-FR' })
    await served.opened(
      async page => {
        await page.getByRole('button', { name: 'Anmelden' }).waitFor()
        assert.equal(await spoken(page), 'de')
        assert.deepEqual(await loaded(page), ['de'])
        await page.getByRole('button', { name: 'Anmelden' }).click()
        await page.getByRole('textbox', { name: 'E-Mail' }).fill(made.accounts.anna?.email ?? '')
        await page.getByLabel('Passwort').fill(made.accounts.anna?.password ?? '')
        await page.getByRole('button', { name: 'Anmelden' }).click()
        await page.getByRole('heading', { name: 'Billet', level: 1 }).waitFor()
        assert.equal(await spoken(page), 'fr')
        await page.getByRole('link', { name: 'Nouvelle entrée' }).waitFor()
      },
      { path: '/console/c/article', locale: 'de-AT' },
    )
  })

  it('are changed in the profile, without a reload, with their labels of types and fields', () =>
    served.signedIn(
      'edda',
      async page => {
        assert.deepEqual([await spoken(page), await loaded(page)], ['en', []])
        const choice = page.getByRole('combobox', { name: 'Language of the page' })
        await choice.waitFor()
        assert.deepEqual(await choice.getByRole('option').allTextContents(), [
          ...['As the browser', 'English', 'Deutsch', 'Español', 'Français'],
        ])
        await page.evaluate(`document.body.dataset.same = 'yes'`)
        await choice.selectOption('Deutsch')
        await page.getByRole('form', { name: 'Account' }).getByRole('button', { name: 'Save' }).click()
        await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
        await page.getByRole('status', { name: 'Meldungen' }).getByText('Gespeichert.').waitFor()
        assert.deepEqual([await spoken(page), await loaded(page)], ['de', ['de']])
        await page.getByRole('link', { name: 'Artikel', exact: true }).click()
        await page.getByRole('button', { name: 'Nach Titel sortieren' }).waitFor()
        assert.equal(await page.evaluate('document.body.dataset.same'), 'yes')
      },
      { path: '/console/settings/profile' },
    ))
})
