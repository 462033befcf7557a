import { strict as assert } from 'node:assert'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { noBrowser, startBrowser } from '../../../support/browser.js'

const site = 'http://localhost:1/'
const desk = fileURLToPath(new URL('./desk/desk.tsx', import.meta.url))

describe.skipIf(noBrowser)('parts that pages share', { timeout: 180_000 }, () => {
  let browser: Browser
  let code: string
  beforeAll(async () => {
    browser = await startBrowser()
    const jsx = { runtime: 'automatic', importSource: 'preact' } as const
    const bundle = await rolldown({ input: desk, transform: { jsx }, logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'esm' })
    code = output[0].code
    await bundle.close()
  })
  afterAll(() => browser?.close())

  /** A page that is made of them, with words of its own. */
  async function opened(work: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    await page.route(`${site}**`, route =>
      route.fulfill(
        route.request().url().endsWith('.js')
          ? { contentType: 'text/javascript', body: code }
          : { contentType: 'text/html', body: '<body><script type="module" src="/desk.js"></script></body>' },
      ),
    )
    try {
      await page.goto(site)
      await page.getByRole('group', { name: 'Filters' }).waitFor()
      await work(page)
    } finally {
      await page.close()
    }
  }

  const query = async (page: Page) => (await page.locator('output').textContent()) ?? ''

  it('build filters in the words of the page, with entries that are picked in place of a field', () =>
    opened(async page => {
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByLabel('Field 1', { exact: true }).selectOption('Author')
      assert.deepEqual(await page.getByLabel('Operator 1').locator('option').allTextContents(), ['is', 'is empty'])
      const box = page.getByRole('combobox', { name: 'Value 1' })
      await box.pressSequentially('ru')
      await page.getByRole('option', { name: 'Carla Ruiz', selected: true }).waitFor()
      assert.equal(await page.getByRole('listbox').getByRole('option').count(), 1)
      await box.press('Enter')
      assert.equal(await query(page), '{"author":{"$eq":"3"}}')
      await page.getByLabel('Operator 1').selectOption('is empty')
      assert.equal(await query(page), '{"author":{"$null":true}}')
    }))

  it('follow a relation to a field, whose usual operator comes first', () =>
    opened(async page => {
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByLabel('Field 1', { exact: true }).selectOption('Author')
      await page.getByLabel('Field of author 1').selectOption('Name')
      await page.getByRole('textbox', { name: 'Value 1' }).fill('Lind')
      assert.equal(await query(page), '{"author":{"name":{"$contains":"Lind"}}}')
      await page.getByRole('button', { name: 'Add group' }).click()
      assert.equal(await page.getByRole('button', { name: 'Add group' }).count(), 1, 'no deeper than the page says')
      const group = page.getByRole('group', { name: 'Filters' }).last()
      await group.getByLabel('Field 1', { exact: true }).selectOption('Title')
      await group.getByRole('textbox', { name: 'Value 1' }).fill('Ink')
      assert.equal(await query(page), '{"author":{"name":{"$contains":"Lind"}},"title":{"$contains":"Ink"}}')
      await page.getByRole('combobox', { name: 'Match' }).first().selectOption('any')
      assert.equal(
        await query(page),
        '{"$or":[{"author":{"name":{"$contains":"Lind"}}},{"title":{"$contains":"Ink"}}]}',
      )
      await page.getByRole('button', { name: 'Remove group 2' }).click()
      assert.equal(await query(page), '{"author":{"name":{"$contains":"Lind"}}}')
    }))

  it('say where nothing is found', () =>
    opened(async page => {
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByLabel('Field 1', { exact: true }).selectOption('Author')
      await page.getByRole('combobox', { name: 'Value 1' }).pressSequentially('zz')
      await page.getByRole('status').getByText('No author has that name').waitFor()
    }))

  it('open a dialog in its first field, and give the focus back however it is closed', () =>
    opened(async page => {
      const lamp = page.getByRole('button', { name: 'Lamp' })
      const dialog = page.getByRole('dialog', { name: 'Lamp' })
      for (const close of [
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: 'Close' }).click(),
      ]) {
        await lamp.click()
        await dialog.waitFor()
        assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Colour')
        await close()
        await dialog.waitFor({ state: 'detached' })
        assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Lamp')
      }
    }))
})
