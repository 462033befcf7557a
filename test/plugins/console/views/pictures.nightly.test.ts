import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, it } from 'vitest'
import { inBrowser } from '../../../support/pages/served.js'
import type { View } from '../../../support/pages/watched-page.js'
import { change, field, formOf } from '../browser/form.js'
import { servedWorld } from '../browser/served.js'
import { magazine } from './magazine.js'

/** The folder of the manual's pictures; they are written with `npm run pictures`, and only taken otherwise. */
const place = new URL('../../../../plugins/console/pictures/', import.meta.url)
const isWritten = process.env.STELE_TEST_PICTURES === 'write'

const made = Date.parse('2026-05-04T08:00:00Z')
const seen = made + 2 * 3_600_000
const desktop = { width: 1200, height: 750 }
const phone = { width: 390, height: 780, hasTouch: true }

describe('the pictures of the manual', inBrowser, () => {
  const served = servedWorld(magazine(() => made))
  const sizes: number[] = []

  /** Takes the picture of a page: the same content at the same time gives the same picture. */
  async function take(page: Page, name: string): Promise<void> {
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.evaluate('document.fonts.ready')
    const picture = await sharp(await page.screenshot({ animations: 'disabled' }))
      .webp({ lossless: true, effort: 6 })
      .toBuffer()
    sizes.push(picture.length)
    if (!isWritten) return
    mkdirSync(place, { recursive: true })
    writeFileSync(new URL(`${name}.webp`, place), picture)
  }

  const picture = (name: string, path: string, open: (page: Page) => Promise<void>, view: Partial<View> = desktop) =>
    it(`has ${name}`, () =>
      served.signedIn(
        'Super Admin',
        async page => {
          await page.clock.setFixedTime(seen)
          await page.goto(`${served.origin}/console${path}`)
          await open(page)
          await take(page, name)
        },
        view,
      ))

  it('has sign-in', () =>
    served.opened(
      async page => {
        const users = served.server().app.entries('admin::user')
        const names = [
          ['Ada', 'Lind'],
          ['Ben', 'Okafor'],
          ['Carla', 'Núñez'],
        ]
        for (const [at, [firstname, lastname]] of names.entries()) await users.update(at + 1, { firstname, lastname })
        await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
        await take(page, 'sign-in')
      },
      { ...desktop, height: 480 },
    ))

  picture('list', '/c/article', async page => {
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['id', 'slug']) await page.getByRole('checkbox', { name, exact: true }).uncheck()
    for (const name of ['author', 'cover']) await page.getByRole('checkbox', { name, exact: true }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Field' }).selectOption('minutes')
    await page.getByRole('combobox', { name: 'Operator' }).selectOption('is at least')
    await page
      .getByRole('spinbutton', { name: 'Value' })
      .or(page.getByRole('textbox', { name: 'Value' }))
      .fill('3')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText(/ of 7$/).waitFor()
    for (const title of ['Salt', 'Rye, slowly']) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
  })

  picture('entry', '/c/article/1', page => formOf(page, 'Bread that waits for you'))

  picture('conflict', '/c/article/2', async page => {
    await formOf(page, 'A radio that hums')
    assert.equal(await change(page, '/articles/2', { title: 'A radio, humming', minutes: 14 }), 200)
    await field(page, 'title').fill('A radio that sings')
    await field(page, 'summary').fill('What a kitchen sounds like at five, and why.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('table').waitFor()
  })

  picture('side-by-side', '/c/article/1?beside=de', page => page.getByRole('form', { name: 'German' }).waitFor())

  picture('versions', '/c/article/3', async page => {
    await formOf(page, 'Rye, slowly')
    const summary = 'Three days, two flours, and one loaf that keeps for a week.'
    assert.equal(await change(page, '/articles/3', { summary, minutes: 18 }), 200)
    await page.goto(`${served.origin}/console/c/article/3/versions`)
    await page.getByRole('button', { name: 'Compare version 1' }).click()
    await page.getByRole('dialog').getByRole('table').waitFor()
  })

  picture('media', '/media', async page => {
    await page.locator('.media-grid li').first().waitFor()
    await page.getByRole('treeitem', { name: /^Bread/ }).press('ArrowRight')
    await page.getByRole('checkbox', { name: 'Select mill.svg' }).check()
  })

  picture(
    'role',
    '/settings/roles/3',
    async page => {
      await page.getByRole('combobox', { name: 'As this role' }).selectOption('Article')
      await page
        .getByRole('status', { name: 'Try it' })
        .getByText(/^shows/)
        .waitFor()
    },
    { ...desktop, height: 1120 },
  )

  picture('webhooks', '/settings/webhooks', page => page.getByRole('link', { name: 'site', exact: true }).waitFor())

  picture('schema', '/schema/article', async page => {
    await page.getByRole('heading', { name: 'Attributes' }).waitFor()
  })

  picture('blocks', '/c/story/1', page => page.getByRole('textbox', { name: 'body', exact: true }).waitFor())

  picture('phone', '/c/article/1', page => formOf(page, 'Bread that waits for you'), phone)

  picture('dark', '', page => page.getByRole('heading', { level: 1 }).waitFor(), { ...desktop, scheme: 'dark' })

  afterAll(() => {
    assert.ok(sizes.length > 12, `${sizes.length} pictures`)
    for (const size of sizes) assert.ok(size > 2000, 'something is on each picture')
  })
})
