import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { addTo, field, formOf, isSaved } from '../form.js'
import { servedConsole } from '../served.js'

const article = 'api::article.article'

describe.skipIf(noBrowser)('an entry as others see it', { timeout: 180_000 }, () => {
  const served = servedConsole({
    plugins: ['explorer'],
    settings: {
      console: { enabled: true, config: { preview: { article: '/api/articles/{id}?slug={slug}&of={locale}' } } },
    },
  })
  const made = async (data: object): Promise<number> =>
    Number(
      (
        await served
          .project()
          .app.entries(article)
          .create({ locale: 'en', publishedAt: null, ...data } as never)
      ).id,
    )

  /** The address that an action opens in a tab of its own. */
  async function openedBy(page: Page, action: string): Promise<string> {
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
    const tab = await opened
    await tab.waitForURL(url => url.href !== 'about:blank')
    const url = tab.url()
    await tab.close()
    return url.slice(served.origin.length)
  }

  it('is previewed at the address of the settings, as it is stored, and looked at in the explorer', async () => {
    const id = await made({ title: 'Rye & wheat', slug: 'rye-and-wheat' })
    await served.signedIn('ada', async page => {
      await page.goto(`${served.origin}/console/c/article/${id}`)
      await formOf(page, 'Rye & wheat')
      assert.equal(await openedBy(page, 'Preview'), `/api/articles/${id}?slug=rye-and-wheat&of=en`)
      await field(page, 'slug').fill('rye-alone')
      assert.match(await openedBy(page, 'Preview'), /slug=rye-and-wheat/)
      await page.keyboard.press('Control+s')
      await isSaved(page)
      assert.match(await openedBy(page, 'Preview'), /slug=rye-alone/)
      assert.equal(await openedBy(page, 'Open in the explorer'), `/explorer#${article}`)
      await page.goto(`${served.origin}/console/c/tag/1`)
      await page.getByRole('form').waitFor()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      assert.equal(await page.getByRole('menuitem', { name: 'Preview' }).count(), 0)
    })
  })

  it('is not previewed where the address lacks a value, and editors are not sent to the explorer', async () => {
    const id = await made({ title: 'Without address', slug: null })
    await served.signedIn('edda', async page => {
      await page.goto(`${served.origin}/console/c/article/${id}`)
      await formOf(page, 'Without address')
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      assert.equal(await page.getByRole('menuitem', { name: /Preview|explorer/ }).count(), 0)
    })
  })

  it('names the drafts that it would lack, before it is published and after', async () => {
    await made({ title: 'Not yet one' })
    await made({ title: 'Not yet two' })
    const id = await made({ title: 'Leads to drafts' })
    await served.signedIn('edda', async page => {
      await page.goto(`${served.origin}/console/c/article/${id}`)
      await formOf(page, 'Leads to drafts')
      const side = page.getByRole('complementary', { name: 'About this entry' })
      assert.equal(await side.getByText('as missing').count(), 0)
      await addTo(page, 'related', 'Not yet one')
      await side.getByText('Published entries will show 1 draft as missing: Not yet one').waitFor()
      await addTo(page, 'related', 'Not yet two')
      assert.deepEqual(await accessibilityOf(page), [])
      const requests: string[] = []
      page.on('request', request => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const missing = 'Published entries will show 2 drafts as missing: Not yet one, Not yet two'
      await page.getByRole('status', { name: 'Messages' }).getByText(missing).waitFor()
      await page.getByRole('button', { name: 'Unpublish' }).waitFor()
      const written = requests.filter(one => one.includes('/console/api/articles/'))
      assert.deepEqual(written, [`PUT /console/api/articles/${id}`, `POST /console/api/articles/${id}/actions/publish`])
    })
  })
})
