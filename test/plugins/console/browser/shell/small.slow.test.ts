import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser, schemes } from '../../../../support/pages/served.js'
import { assertForFingers } from '../fitting.js'
import { change, field, formOf } from '../form.js'
import { servedConsole, signIn } from '../served.js'

const phone = { width: 390, height: 844, hasTouch: true }
const dialog = (page: Page) => page.getByRole('dialog')

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
}

describe('a phone', inBrowser, () => {
  const served = servedConsole({ plugins: ['bulk'] })

  for (const scheme of schemes) {
    const onPhone = (path: string, work: (page: Page) => Promise<void>) =>
      served.opened(
        async page => {
          await signIn(page, 'edda')
          await page.getByRole('button', { name: /^Account: / }).waitFor()
          await work(page)
        },
        { path, scheme, ...phone },
      )

    it(`has room for the dialogs of an entry in ${scheme} colours`, () =>
      onPhone('/console/c/article/3', async page => {
        await formOf(page, 'Inlet timber orchid 3')
        await page.getByRole('button', { name: 'More actions' }).tap()
        await assertForFingers(page)
        await page.getByRole('menuitem', { name: 'Copy from another language' }).tap()
        await dialog(page).waitFor()
        await assertForFingers(page)
        await close(page)
        await page.getByRole('button', { name: 'More actions' }).tap()
        await page.getByRole('menuitem', { name: 'Delete' }).tap()
        await page.getByText('This cannot be undone.').waitFor()
        await assertForFingers(page)
        await close(page)
        for (const field of ['cover', 'gallery']) {
          await page.getByRole('button', { name: `Choose for ${field}` }).tap()
          await dialog(page).getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').first().waitFor()
          await assertForFingers(page)
          await close(page)
        }
        await page.getByRole('button', { name: 'Add to blocks' }).tap()
        await assertForFingers(page)
        await close(page)
        const more = page
          .getByRole('group', { name: 'blocks', exact: true })
          .getByRole('button', { name: /^More for / })
        await more.first().tap()
        await assertForFingers(page)
        await page.getByRole('button', { name: /^Move .* to$/ }).tap()
        await assertForFingers(page)
        await close(page)
      }))

    it(`has room for what meets an entry with changes in ${scheme} colours`, () =>
      onPhone('/console/c/article/6', async page => {
        await page.getByRole('form').waitFor()
        await field(page, 'Headline').fill(`Mine in ${scheme}`)
        await page.getByRole('link', { name: '← Article' }).tap()
        await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
        await assertForFingers(page)
        await close(page)
        await change(page, '/articles/6', { title: `Theirs in ${scheme}`, rating: scheme === 'dark' ? 3 : 4 })
        await page.getByRole('button', { name: 'Save' }).tap()
        await page.getByRole('dialog', { name: 'This entry was changed' }).waitFor()
        await assertForFingers(page)
        await close(page)
        await page.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
        await page.getByRole('button', { name: 'Save' }).tap()
        await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
        await assertForFingers(page)
      }))

    it(`has room for an entry that others have deleted in ${scheme} colours`, () => {
      const id = scheme === 'dark' ? 11 : 12
      return onPhone(`/console/c/article/${id}`, async page => {
        await page.getByRole('form').waitFor()
        await field(page, 'Headline').fill('Mine')
        await page.evaluate(path => fetch(path, { method: 'DELETE' }), `/console/api/articles/${id}`)
        await page.getByRole('button', { name: 'Save' }).tap()
        await page.getByRole('dialog', { name: 'This entry was deleted' }).waitFor()
        await assertForFingers(page)
      })
    })

    it(`has room for a list and what opens from it in ${scheme} colours`, () =>
      onPhone('/console/c/article', async page => {
        await page.getByText(/ of \d+$/).waitFor()
        await assertForFingers(page)
        await page.getByRole('button', { name: 'Go to' }).tap()
        await dialog(page).getByRole('option').first().waitFor()
        await assertForFingers(page)
        await page.keyboard.press('Escape')
        await close(page)
        for (const name of ['Columns', /^Account: /]) {
          await page.getByRole('button', { name }).tap()
          await assertForFingers(page)
          await page.keyboard.press('Escape')
        }
        await page.getByRole('button', { name: 'Filters' }).tap()
        await page.getByRole('combobox', { name: 'Field' }).selectOption('author')
        await page.getByRole('combobox', { name: 'Value' }).tap()
        await page.locator('.options [role=option]').first().waitFor()
        await assertForFingers(page)
        await page.getByRole('button', { name: 'Apply' }).tap()
        await page.getByRole('checkbox', { name: 'Select all on this page' }).tap()
        await assertForFingers(page)
        await page.getByRole('button', { name: /^Select all \d+/ }).tap()
        await page.getByRole('button', { name: 'Delete' }).tap()
        await dialog(page).waitFor()
        await assertForFingers(page)
      }))
  }
})
