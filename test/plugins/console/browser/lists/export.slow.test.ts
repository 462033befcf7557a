import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, said } from '../settings.js'

const path = '/console/c/article'
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Chosen entries' })
const ready = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByText(/ of \d+$/)
    .waitFor()

async function openDialog(page: Page) {
  await bar(page).getByRole('button', { name: 'Export' }).click()
  return page.getByRole('dialog', { name: /^Export / })
}

/** The text of the file that the browser is given. */
async function fileOf(page: Page, format: string): Promise<{ readonly name: string; readonly text: string }> {
  const dialog = await openDialog(page)
  await dialog.getByRole('radio', { name: format }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

describe('the export of a list', inBrowser, () => {
  const served = servedConsole()

  it('writes chosen entries, and all that match in the order of the list, with all that their columns have', () =>
    served.signedIn(
      'edda',
      async page => {
        await ready(page)
        const titles = await page.locator('table.list tbody th').allInnerTexts()
        for (const title of titles.slice(0, 2))
          await page
            .getByRole('checkbox', { name: `Select ${title}`, exact: true })
            .first()
            .check()
        const { name, text } = await fileOf(page, 'CSV')
        assert.match(name, /^articles-\d{4}-\d\d-\d\d\.csv$/)
        const lines = text.replace('\ufeff', '').trimEnd().split('\r\n')
        assert.equal(lines.length, 3)
        await said(page, '2 entries are exported.')

        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
        const total = Number(
          /\d+/.exec(
            await bar(page)
              .getByText(/^\d+ chosen$/)
              .innerText(),
          )?.[0],
        )
        const all = JSON.parse((await fileOf(page, 'JSON')).text) as readonly Record<string, unknown>[]
        assert.equal(all.length, total)
        const main = Object.keys(all[0] ?? {}).find(key => all[0]?.[key] === titles[0]) ?? ''
        assert.deepEqual(
          all.slice(0, titles.length).map(entry => entry[main]),
          titles,
        )
      },
      { path },
    ))

  it('has more of a relation than the list shows', () =>
    served.signedIn(
      'ada',
      async page => {
        await ready(page)
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('checkbox', { name: 'articles' }).check()
        await page.keyboard.press('Escape')
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
        const all = JSON.parse((await fileOf(page, 'JSON')).text) as readonly { articles: readonly unknown[] }[]
        const most = Math.max(...all.map(({ articles }) => articles.length))
        assert.ok(most > 12, String(most))
      },
      { path: '/console/c/author' },
    ))

  it('is stopped by its button, and says why there is no file', () =>
    served.signedIn(
      'edda',
      async page => {
        await ready(page)
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
        const dialog = await openDialog(page)
        // The server does not respond before the button is pressed.
        let go = () => {}
        const pressed = new Promise<void>(resolve => {
          go = resolve
        })
        await page.route(/\/console\/api\/articles\?/, async route => {
          await pressed
          await route.abort()
        })
        await dialog.getByRole('button', { name: 'Export' }).click()
        await dialog.getByRole('progressbar', { name: 'Progress' }).waitFor()
        await dialog.getByRole('button', { name: 'Stop' }).click()
        await said(page, 'Stopped. There is no file.')
        go()
        await page.unrouteAll({ behavior: 'wait' })

        await page.route(/\/console\/api\/articles\?/, route =>
          route.fulfill({ status: 400, json: { error: { message: 'Too much for one request' } } }),
        )
        await dialog.getByRole('button', { name: 'Export' }).click()
        await dialog.getByRole('alert').getByText('so that there is no file. Too much for one request').waitFor()
        await page.unrouteAll({ behavior: 'wait' })
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await dialog.waitFor({ state: 'detached' })
      },
      { path },
    ))

  it('has no barriers that axe knows', () =>
    assertWithoutBarriers(served, 'edda', path, async (page, look) => {
      await ready(page)
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await openDialog(page)
      await look('export')
      await page.keyboard.press('Escape')
    }))
})
