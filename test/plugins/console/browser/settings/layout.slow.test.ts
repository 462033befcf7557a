import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, said } from '../settings.js'

const path = '/console/layout/article'
const url = '/console/layouts/api::article.article'
const rows = (page: Page) => page.getByRole('list', { name: 'Rows of the form' })
const cell = (page: Page, name: string) => rows(page).getByRole('button', { name: new RegExp(`^${name} \\d+/12$`) })
const row = (page: Page, count: number) => rows(page).getByRole('list', { name: `Row ${count}`, exact: true })
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, 'The layout is saved for all editors.')
}

describe('the layout of a type', inBrowser, () => {
  const served = servedConsole()

  it('has columns, sort and texts that all editors see, until it is reset', () =>
    served.signedIn(
      'ada',
      async page => {
        await heading(page, 'Layout of Article').waitFor()
        const list = page.getByRole('region', { name: 'List' })
        await list.getByRole('button', { name: 'Remove kind' }).click()
        await list.getByRole('combobox', { name: 'Add column' }).selectOption('rating')
        await list.getByRole('button', { name: 'Move rating up' }).click()
        await list.getByRole('combobox', { name: 'Sort by' }).selectOption('title')
        await list.getByRole('combobox', { name: 'Order' }).selectOption('Ascending')
        await list.getByRole('combobox', { name: 'Entries on a page' }).selectOption('10')
        await cell(page, 'summary').click()
        const settings = page.getByRole('region', { name: 'Field summary' })
        await settings.getByRole('textbox', { name: 'Label' }).fill('Teaser')
        await page
          .getByRole('region', { name: 'Field Teaser' })
          .getByRole('textbox', { name: 'Description' })
          .fill('Two lines')
        await page.getByRole('region', { name: 'Preview' }).getByText('Two lines').waitFor()
        await save(page)

        await served.signedIn(
          'edda',
          async other => {
            await other
              .getByRole('navigation', { name: 'Pages' })
              .getByText(/^1–10 of \d+$/)
              .waitFor()
            const heads = await other.locator('table.list thead th').allInnerTexts()
            assert.ok(heads.includes('rating') && !heads.includes('kind'), heads.join())
            await other.locator('th[aria-sort=ascending]', { hasText: 'Headline' }).waitFor()
          },
          { path: '/console/c/article' },
        )
        await heading(page, 'Layout of Article').and(page.locator(':focus')).waitFor()
        await page.getByRole('button', { name: 'Reset' }).click()
        await page.getByRole('dialog', { name: 'Reset' }).getByRole('button', { name: 'Reset' }).click()
        await said(page, 'The layout is the usual one again.')
        await cell(page, 'summary').waitFor()
        await heading(page, 'Layout of Article').and(page.locator(':focus')).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Reset' }).count(), 0)
      },
      { path },
    ))

  it('has fields that are moved by drag, by keys and by their settings', () =>
    served.signedIn(
      'ada',
      async page => {
        await cell(page, 'category').dragTo(cell(page, 'title'))
        await row(page, 1)
          .getByRole('button', { name: /^category/ })
          .waitFor()
        await cell(page, 'category').press('Alt+ArrowDown')
        await said(page, /^category: row \d+, place \d+$/)
        await page.locator('#layout-category:focus').waitFor()
        await cell(page, 'views').click()
        const settings = page.getByRole('region', { name: 'Field views' })
        await settings.getByRole('combobox', { name: 'Width' }).selectOption('12/12')
        await settings.getByRole('combobox', { name: 'Move to row' }).selectOption('1')
        await cell(page, 'score').click()
        await page
          .getByRole('region', { name: 'Field score' })
          .getByRole('button', { name: 'Leave out of the form' })
          .click()
        await page.getByRole('button', { name: 'Add score' }).and(page.locator(':focus')).waitFor()
        await save(page)
        const ada = await Editor.signIn(served.project(), 'ada')
        const { edit } = (await ada.get(url)).body as { edit: readonly (readonly { name: string; size: number }[])[] }
        const names = edit.flat().map(({ name }) => name)
        assert.ok(names.indexOf('views') < names.indexOf('body'), names.join())
        assert.ok(!names.includes('score'))
        assert.equal(edit.flat().find(({ name }) => name === 'views')?.size, 12)
      },
      { path },
    ))

  it('is read again on request where that failed', () =>
    served.signedIn('ada', async page => {
      await page.route(/\/console\/layouts\//, route => route.fulfill({ status: 500 }), { times: 1 })
      await page.goto(served.origin + path)
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).press('Enter')
      await cell(page, 'rating').waitFor()
      await heading(page, 'Layout of Article').and(page.locator(':focus')).waitFor()
    }))

  it('keeps what is typed while it is saved', () =>
    served.signedIn(
      'ada',
      async page => {
        await cell(page, 'rating').click()
        const label = page.getByRole('textbox', { name: 'Label' })
        await label.fill('Stars')
        let goOn = () => {}
        const isHeld = new Promise<void>(resolve => {
          goOn = resolve
        })
        await page.route(/\/console\/layouts\//, async route => {
          if (route.request().method() === 'PUT') await isHeld
          await route.fallback()
        })
        await page.getByRole('button', { name: 'Save' }).click()
        await label.fill('Stars of readers')
        goOn()
        await said(page, 'The layout is saved for all editors.')
        assert.equal(await label.inputValue(), 'Stars of readers')
        await save(page)
        const ada = await Editor.signIn(served.project(), 'ada')
        assert.equal((await ada.get(url)).body.fields.rating.label, 'Stars of readers')
      },
      { path },
    ))

  it('asks before changes are left, and columns of a list are saved for all', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('region', { name: 'List' }).getByRole('checkbox', { name: 'Filters' }).uncheck()
        await page.getByRole('link', { name: 'Back to Article' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
        await heading(page, 'Article').waitFor()
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('checkbox', { name: 'views', exact: true }).check()
        await page.getByRole('button', { name: 'Save for all' }).click()
        await said(page, 'All editors have these columns now.')
        const ada = await Editor.signIn(served.project(), 'ada')
        assert.ok(((await ada.get(url)).body as { list: readonly string[] }).list.includes('views'))
      },
      { path },
    ))

  it('is not there for who may not configure it', () =>
    served.signedIn(
      'anton',
      async page => {
        await heading(page, 'Nothing here').waitFor()
        await page.goto(`${served.origin}/console/c/article`)
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('button', { name: /usual columns?$/ }).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Save for all' }).count(), 0)
      },
      { path },
    ))

  it('has no barriers that axe knows, and says where the screen is too narrow', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await heading(page, 'Layout of Article').waitFor()
      if ((page.viewportSize()?.width ?? 0) < 720)
        await page.getByText('Layouts are changed on a wider screen').waitFor()
      else await cell(page, 'author').click()
      await look('layout')
    }))
})

describe('a layout that code declares', inBrowser, () => {
  const served = servedConsole({
    files: { 'config/console.js': `module.exports = { layouts: { tag: { list: ['name'] } } }` },
  })

  it('is read-only, and says why', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('note').getByText('config/console.js of the app declares this layout').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
        assert.ok(await page.getByRole('combobox', { name: 'Main field' }).isDisabled())
      },
      { path: '/console/layout/tag' },
    ))
})
