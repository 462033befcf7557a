import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, said } from '../settings.js'

const path = '/console/c/article'
const views = (page: Page) => page.getByRole('list', { name: 'Views of Article' })
const ready = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByText(/ of \d+$/)
    .waitFor()

async function saveDrafts(page: Page, name: string, isShared = false): Promise<void> {
  await ready(page)
  await page.getByRole('combobox', { name: 'State' }).selectOption('Drafts')
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  if (isShared) await dialog.getByRole('checkbox', { name: 'For all editors' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await said(page, `The view “${name}” is saved.`)
}

describe('saved views of a list', inBrowser, () => {
  const served = servedConsole()

  it('stand in the navigation, are renamed and deleted, and are the own ones', () =>
    served.signedIn(
      'edda',
      async page => {
        assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0)
        await saveDrafts(page, 'My drafts')
        await views(page).getByRole('link', { name: 'My drafts' }).waitFor()
        await page.getByRole('combobox', { name: 'State' }).selectOption('All')
        await views(page).getByRole('link', { name: 'My drafts' }).click()
        assert.match(page.url(), /\/c\/article\?state=draft$/)
        await page.getByRole('combobox', { name: 'State' }).selectOption('All')
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('my dr')
        await page.getByRole('option', { name: 'My drafts Article' }).click()
        await page.waitForURL(/\/c\/article\?state=draft$/)
        await page.getByRole('button', { name: 'Change view My drafts' }).click()
        const dialog = page.getByRole('dialog', { name: 'Change view My drafts' })
        await dialog.getByRole('textbox', { name: 'Name' }).fill('To do')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await views(page).getByRole('link', { name: 'To do' }).waitFor()
        await served.signedIn(
          'tom',
          async other => {
            await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Article' }).waitFor()
            assert.equal(await views(other).count(), 0)
          },
          { path },
        )
        await page.getByRole('button', { name: 'Change view To do' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
        await said(page, 'The view “To do” is deleted.')
        await views(page).waitFor({ state: 'detached' })
      },
      { path },
    ))

  it('are shared by who may configure the list, and read by all', () =>
    served.signedIn(
      'ada',
      async page => {
        await saveDrafts(page, 'Drafts of all', true)
        await served.signedIn(
          'anton',
          async other => {
            await views(other).getByRole('link', { name: 'Drafts of all' }).click()
            await other.getByRole('combobox', { name: 'State' }).waitFor()
            assert.equal(await other.getByRole('button', { name: 'Change view Drafts of all' }).count(), 0)
          },
          { path },
        )
      },
      { path },
    ))

  it('have no barriers that axe knows', () =>
    assertWithoutBarriers(served, 'ada', `${path}?state=draft&q=by`, async (page, look) => {
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('dialog', { name: 'Save view' }).waitFor()
      await look('save-view')
      await page.keyboard.press('Escape')
    }))
})
