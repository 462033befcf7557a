import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it, vi } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { world } from '../../world.js'
import { servedWorld } from '../served.js'

const path = '/console/c/article'
const grouped = {
  ...world,
  plugins: [
    ...world.plugins.slice(0, 2),
    [admin, { ratelimit: { enabled: false } }] as const,
    [
      contentConsole,
      {
        groups: { Blog: ['tag', 'article'], Empty: [] },
        brand: { name: 'Bakery', logo: 'plugins/console/page/icon.svg', accent: '#ffd000' },
      },
    ] as const,
  ],
  rows: async ({ entries }: Parameters<NonNullable<import('../../../../support/server.js').World['rows']>>[0]) => {
    await entries('api::author.author').create({ name: 'Ada Lind' })
    for (const title of ['Bread that waits', 'A radio that hums'])
      await entries('api::article.article').create({ title, publishedAt: null })
  },
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const colourOf = 'element => getComputedStyle(element).color'
const focused = (page: Page) =>
  page.evaluate<string>(
    `(element => element.closest('aside, nav, main')?.tagName + ' ' + element.textContent)(document.activeElement)`,
  )

describe('the frame of the console', inBrowser, () => {
  const served = servedWorld(grouped)

  it('has the groups of types of the settings, and the other types behind them', () =>
    served.signedIn('Super Admin', async page => {
      const navigation = page.getByRole('navigation', { name: 'Main' })
      assert.deepEqual(await navigation.getByRole('heading', { level: 2 }).allInnerTexts(), ['Blog', 'Content'])
      assert.deepEqual(await navigation.locator('section').first().getByRole('link').allInnerTexts(), [
        'tag',
        'article',
      ])
      assert.deepEqual(await navigation.locator('section').last().getByRole('link').allInnerTexts(), [
        'author',
        'homepage',
      ])
    }))

  it('has the name, the logo and the colour of the settings, before the sign-in', () =>
    served.opened(async page => {
      const logo = page.getByText('Bakery').locator('xpath=..').locator('img')
      await logo.waitFor()
      await logo.evaluate('element => element.decode()')
      const colour = await page
        .getByRole('link', { name: 'Forgot your password?' })
        .evaluate<string, null>(colourOf, null)
      assert.notEqual(colour, 'rgb(47, 85, 199)')
      assert.notEqual(colour, 'rgb(255, 208, 0)')
    }))

  it('folds the navigation to icons with names, and stays so', () =>
    served.signedIn('Super Admin', async page => {
      const navigation = page.getByRole('navigation', { name: 'Main' })
      const isWide = (wanted: boolean) =>
        vi.waitFor(async () => assert.equal(((await navigation.boundingBox())?.width ?? 0) > 140, wanted), 10_000)
      await isWide(true)
      await page.getByRole('button', { name: 'Narrow navigation' }).click()
      await isWide(false)
      await page.reload()
      await heading(page, 'Welcome, Super Admin').waitFor()
      await isWide(false)
      await navigation.getByRole('link', { name: 'author', exact: true }).click()
      await heading(page, 'author').waitFor()
      await page.getByRole('button', { name: 'Narrow navigation', pressed: true }).click()
      await isWide(true)
    }))

  it('takes the focus from region to region with F6, and back', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.getByRole('link', { name: 'Bread that waits' }).click()
        await heading(page, 'Bread that waits').waitFor()
        const path = async (key: string) => {
          await page.keyboard.press(key)
          return (await focused(page)).split(' ')[0]
        }
        await page.locator('main aside').waitFor()
        const there = [await path('F6'), await path('F6'), await path('F6')]
        assert.deepEqual(there.sort(), ['ASIDE', 'MAIN', 'NAV'])
        assert.equal(await path('F6'), await path('F6').then(() => path('Shift+F6')))
        const [before] = (await focused(page)).split(' ')
        assert.notEqual(await path('Shift+F6'), before)
      },
      { path },
    ))

  it('has single letters in lists: search, new, edit, and the table of keys; never in text fields', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
        await page.keyboard.press('/')
        const search = page.getByRole('searchbox', { name: 'Search' })
        await page.locator('.toolbar input:focus').waitFor()
        await page.keyboard.type('ne?')
        assert.equal(await search.inputValue(), 'ne?')
        await search.fill('')
        await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
        await page.getByRole('checkbox', { name: 'Select A radio that hums' }).check()
        await page.keyboard.press('e')
        await heading(page, 'A radio that hums').waitFor()
        await page.goBack()
        await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
        await page.keyboard.press('n')
        await heading(page, 'New article').waitFor()
      },
      { path },
    ))

  it('shows the keys with a key or from the menu, and turns letters off for good', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
        await page.keyboard.press('?')
        const dialog = page.getByRole('dialog', { name: 'Keys' })
        await dialog.getByRole('row', { name: 'n New entry' }).waitFor()
        await dialog.getByRole('checkbox', { name: 'Single letters are shortcuts' }).uncheck()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await page.reload()
        await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
        await page.keyboard.press('n')
        await page.keyboard.press('?')
        await page.getByRole('button', { name: 'Account: Super Admin' }).click()
        await page.getByRole('button', { name: 'Keys', exact: true }).click()
        await dialog.getByRole('checkbox', { name: 'Single letters are shortcuts', checked: false }).check()
        await page.keyboard.press('Escape')
        await heading(page, 'article').waitFor()
        await page.keyboard.press('n')
        await heading(page, 'New article').waitFor()
      },
      { path },
    ))

  it('goes to actions and entries, those first whose types were used last', () =>
    served.signedIn('Super Admin', async page => {
      await page.goto(`${served.origin}/console/c/author`)
      await heading(page, 'author').waitFor()
      await page.keyboard.press('Control+k')
      const box = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
      const options = page.getByRole('dialog').getByRole('option')
      await box.fill('ada')
      await page.getByRole('option', { name: 'Ada Lind author' }).waitFor()
      await box.fill('new')
      await page.getByRole('option', { name: 'New author' }).waitFor()
      assert.deepEqual(await options.allInnerTexts(), ['New author Action', 'New article Action', 'New tag Action'])
      await box.fill('new art')
      await page.getByRole('option', { name: 'New article', selected: true }).waitFor()
      await box.press('Enter')
      await heading(page, 'New article').waitFor()
    }))

  for (const { scheme, width } of looks)
    it(`has no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'Super Admin',
        async page => {
          const found: string[] = []
          const look = async (place: string) => {
            found.push(...(await accessibilityOf(page)).map(line => `${place}: ${line}`))
            await assertFits(page)
          }
          await page.getByRole('link', { name: 'Bread that waits' }).waitFor()
          if (width < 720) await page.getByRole('button', { name: 'Menu' }).click()
          else await page.getByRole('button', { name: 'Narrow navigation' }).click()
          await look('navigation')
          // A link that leads where the page is has been followed as well.
          if (width < 720) {
            await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'article' }).click()
            await page.getByRole('button', { name: 'Menu', expanded: false }).waitFor()
          }
          await page.getByRole('button', { name: /^Account/ }).click()
          await page.getByRole('button', { name: 'Keys', exact: true }).click()
          await page.getByRole('dialog', { name: 'Keys' }).waitFor()
          await look('keys')
          assert.deepEqual(found, [])
        },
        { path, scheme, width },
      ))
})
