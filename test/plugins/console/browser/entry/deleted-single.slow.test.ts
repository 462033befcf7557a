import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../../../plugins/i18n/index.js'
import { trash } from '../../../../../plugins/trash/index.js'
import { versions } from '../../../../../plugins/versions/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import type { World } from '../../../../support/server.js'
import { assertForFingers } from '../fitting.js'
import { change, field } from '../form.js'
import { servedWorld } from '../served.js'

const localized = { i18n: { localized: true } }
const single = { kind: 'singleType' as const, attributes: { title: { type: 'string' } } }
const world = {
  types: {
    front: { ...single, options: { versions: true, draftAndPublish: true } },
    imprint: { ...single, options: { versions: true, trash: true } },
    about: {
      ...single,
      options: { versions: true },
      pluginOptions: localized,
      attributes: { title: { type: 'string', pluginOptions: localized } },
    },
  },
  plugins: [
    draftAndPublish,
    [i18n, { locales: ['en', 'de'] }],
    trash,
    versions,
    [admin, { ratelimit: { enabled: false } }],
    contentConsole,
  ],
} satisfies World

const remove = (page: Page, path: string) =>
  page.evaluate<number>(
    `fetch('/console/api${path}${path.includes('?') ? '&' : '?'}publicationState=preview', { method: 'DELETE' })
      .then(({ status }) => status)`,
  )
const said = (page: Page, text: string) => page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor()

/** Stores the entry of a single type twice, and deletes it. */
async function deleted(page: Page, path: string, title: string): Promise<void> {
  for (const one of [`${title} before`, title]) assert.equal(await change(page, path, { title: one }), 200)
  assert.equal(await remove(page, path), 200)
}

describe('a single type whose entry was deleted', inBrowser, () => {
  const served = servedWorld(world)

  it('offers it in its empty form, and makes it anew by keys', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        for (const title of ['Hello before', 'Hello']) await change(page, '/front', { title })
        await page.reload()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await said(page, 'Deleted: Hello')
        await page.getByRole('status', { name: 'Changes' }).getByText('Not saved yet').waitFor()
        await page.getByRole('button', { name: 'More actions' }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: 'Deleted' }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('table', { name: 'Deleted: front' }).waitFor()
        assert.match(page.url(), /\/console\/s\/front\/deleted$/)
        await assertFits(page)
        assert.deepEqual(await accessibilityOf(page), [])
        await page.getByRole('button', { name: 'Show Hello' }).press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Hello' })
        await dialog.getByRole('cell', { name: 'Hello', exact: true }).waitFor()
        await dialog.getByRole('combobox', { name: 'Version' }).selectOption('Version 1')
        await dialog.getByRole('cell', { name: 'Hello before' }).waitFor()
        await dialog.getByRole('button', { name: 'Make anew' }).press('Enter')
        await said(page, 'Made anew: Hello.')
        await page.getByRole('form').waitFor()
        assert.match(page.url(), /\/console\/s\/front$/)
        assert.equal(await field(page, 'title').inputValue(), 'Hello before')
        await page.getByText('Draft').first().waitFor()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Versions' }).waitFor()
        assert.equal(await page.getByRole('menuitem', { name: 'Deleted' }).count(), 0)
        await page.goto(`${served.origin}/console/s/front/deleted`)
        await page.getByText('There is no deleted entry to make anew.').waitFor()
        await remove(page, '/front')
      },
      { path: '/console/s/front' },
    ))

  it('is left as it is where an entry has been stored meanwhile', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await deleted(page, '/front', 'Former')
        await page.reload()
        await page.getByRole('button', { name: 'Show Former' }).click()
        const dialog = page.getByRole('dialog', { name: 'Former' })
        await dialog.getByRole('cell', { name: 'Former', exact: true }).waitFor()
        assert.equal(await change(page, '/front', { title: 'Other' }), 200)
        await dialog.getByRole('button', { name: 'Make anew' }).click()
        await dialog.getByRole('alert').getByText('It cannot be made anew any more').waitFor()
        await page.goto(`${served.origin}/console/s/front`)
        await page.getByRole('form').waitFor()
        assert.equal(await field(page, 'title').inputValue(), 'Other')
        await remove(page, '/front')
      },
      { path: '/console/s/front/deleted' },
    ))

  it('offers the one of its language, and none that is in the trash', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await deleted(page, '/about', 'English')
        await page.goto(`${served.origin}/console/s/about/deleted?locale=de`)
        await page.getByText('There is no deleted entry to make anew.').waitFor()
        await deleted(page, '/about?locale=de', 'Deutsch')
        await page.goto(`${served.origin}/console/s/about/deleted?locale=en`)
        await page.getByRole('button', { name: 'Show English' }).waitFor()
        await page.goBack()
        await page.getByRole('button', { name: 'Show Deutsch' }).click()
        const dialog = page.getByRole('dialog', { name: 'Deutsch' })
        await dialog.getByRole('cell', { name: 'Deutsch', exact: true }).waitFor()
        await dialog.getByRole('button', { name: 'Make anew' }).click()
        await said(page, 'Made anew: Deutsch.')
        await page.getByRole('form').waitFor()
        assert.match(page.url(), /\/console\/s\/about\?locale=de$/)
        assert.equal(await field(page, 'title').inputValue(), 'Deutsch')
        await page.goto(`${served.origin}/console/s/about/deleted?locale=en`)
        await page.getByRole('button', { name: 'Show English' }).waitFor()
        await deleted(page, '/imprint', 'Kept')
        await page.goto(`${served.origin}/console/s/imprint/deleted`)
        await page.getByText('There is no deleted entry to make anew.').waitFor()
      },
      { path: '/console/s/about' },
    ))

  it('offers it to Super Admins alone', () =>
    served.signedIn(
      'Editor',
      async page => {
        await page.getByRole('form').waitFor()
        assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0)
        await page.goto(`${served.origin}/console/s/front/deleted`)
        await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
      },
      { path: '/console/s/front' },
    ))

  it('is made anew on a phone', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await deleted(page, '/front', 'Small')
        await page.reload()
        await page.getByRole('button', { name: 'More actions' }).tap()
        await page.getByRole('menuitem', { name: 'Deleted' }).tap()
        await page.getByRole('table', { name: 'Deleted: front' }).waitFor()
        await assertForFingers(page)
        await page.getByRole('button', { name: 'Show Small' }).tap()
        await page.getByRole('dialog').locator('td').getByText('Small', { exact: true }).waitFor()
        await assertForFingers(page)
        await page.getByRole('button', { name: 'Make anew' }).tap()
        await said(page, 'Made anew: Small.')
      },
      { path: '/console/s/front', scheme: 'dark', width: 390, hasTouch: true },
    ))
})
