import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { assertForFingers } from '../fitting.js'
import { change, formOf } from '../form.js'
import { servedConsole } from '../served.js'

const table = (page: Page) => page.getByRole('table', { name: 'Deleted: Article' })
const remove = (page: Page, id: number) =>
  page.evaluate<number>(`fetch('/console/api/articles/${id}', { method: 'DELETE' }).then(({ status }) => status)`)

/** Opens the list of deleted entries by its link, and looks at one of them. */
async function lookAt(page: Page, title: string) {
  await page.getByRole('button', { name: `Show ${title}` }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('table', { name: 'Values' }).waitFor()
  return dialog
}

describe('the deleted entries of a type', inBrowser, () => {
  const served = servedConsole({ settings: { versions: { enabled: true, config: { all: true } } } })

  it('are listed for Super Admins, looked at by version, and made anew once', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('link', { name: 'Deleted', exact: true }).click()
        await page.getByRole('heading', { name: 'Deleted: Article' }).waitFor()
        await page.getByText('No deleted entry has versions.').waitFor()
        assert.match(page.url(), /\/console\/c\/article\/deleted$/)
        await change(page, '/articles/5', { title: 'Ångström anew', views: 5 })
        assert.equal(await remove(page, 5), 200)
        await page.reload()
        await table(page).waitFor()
        const dialog = await lookAt(page, 'Ångström anew')
        assert.equal(await dialog.getByRole('row', { name: 'views 5', exact: true }).count(), 1)
        await dialog.getByRole('combobox', { name: 'Version' }).selectOption('Version 1')
        await dialog.getByRole('cell', { name: 'Ångström 5' }).waitFor()
        await dialog.getByRole('combobox', { name: 'Version' }).selectOption('Version 2')
        await dialog.getByRole('cell', { name: 'Ångström anew' }).waitFor()
        await dialog.getByRole('button', { name: 'Make anew' }).click()
        await page.getByRole('status', { name: 'Messages' }).getByText('Made anew: Ångström anew.').waitFor()
        await formOf(page, 'Ångström anew')
        assert.match(page.url(), /\/console\/c\/article\/\d+$/)
        assert.doesNotMatch(page.url(), /article\/5$/)
        await page.goto(`${served.origin}/console/c/article/deleted`)
        await page.getByText('No deleted entry has versions.').waitFor()
      },
      { path: '/console/c/article' },
    ))

  it('are neither shown nor offered to other editors', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('heading', { name: 'Article' }).waitFor()
        await page.getByRole('table').waitFor()
        assert.equal(await page.getByRole('link', { name: 'Deleted', exact: true }).count(), 0)
        const status = await page.evaluate<number>(
          `fetch('/console/api/articles/versions/deleted').then(({ status }) => status)`,
        )
        assert.equal(status, 403)
        await page.goto(`${served.origin}/console/c/article/deleted`)
        await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
      },
      { path: '/console/c/article' },
    ))

  for (const [at, { scheme, width }] of looks.entries())
    it(`have no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'ada',
        async page => {
          const id = 20 + at
          await page.getByRole('table').waitFor()
          await change(page, `/articles/${id}`, { title: `Gone ${id}` })
          assert.equal(await remove(page, id), 200)
          await page.goto(`${served.origin}/console/c/article/deleted`)
          await table(page).waitFor()
          const look = async () => {
            if (width === 390) return assertForFingers(page)
            await assertFits(page)
            assert.deepEqual(await accessibilityOf(page), [])
          }
          await look()
          await lookAt(page, `Gone ${id}`)
          await look()
        },
        { path: '/console/c/article', scheme, width, hasTouch: width === 390 },
      ))
})
