import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole, signIn } from '../served.js'

const path = '/console/c/article'

/** Titles of the entries that are shown. */
const titles = (page: Page) => page.locator('table.list tbody th').allInnerTexts()
const status = (page: Page, text: string | RegExp) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('status').filter({ hasText: text }).waitFor()

/** Sets one condition on the author, by typing the start of the name. */
async function filterByAuthor(page: Page, typed: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filters' }).click()
  const group = page.getByRole('group', { name: 'Filters' })
  await group.getByRole('combobox', { name: 'Field' }).selectOption('author')
  await group.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'is' })
  await group.getByRole('combobox', { name: 'Value' }).pressSequentially(typed)
  await page.getByRole('option', { name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText(`author is ${name}`).waitFor()
}

describe('the list of a type', inBrowser, () => {
  const served = servedConsole({ plugins: ['bulk'] })

  it('finds articles by their author, searches, sorts and turns pages; the address shows a colleague the same', () =>
    served.signedIn(
      'edda',
      async page => {
        await status(page, /^1–20 of 3\d\d$/)
        await filterByAuthor(page, 'ben b', 'Ben Basin')
        await status(page, /^1–\d+ of \d+$/)
        const authors = await page.locator('table.list td.cell-relation').allInnerTexts()
        assert.ok(authors.length > 1 && authors.every(name => name === 'Ben Basin'), authors.join())
        await page.getByRole('button', { name: 'Clear filters' }).click()
        await status(page, /^1–20 of 3\d\d$/)

        await page.getByRole('button', { name: 'Sort by Headline' }).click()
        await page.locator('th[aria-sort=ascending]', { hasText: 'Headline' }).waitFor()
        await page.getByRole('searchbox', { name: 'Search' }).fill('ember')
        await page.getByRole('button', { name: 'Search everywhere' }).click()
        await status(page, /^1–20 of [12]?\d\d$/)
        const first = await titles(page)
        assert.ok(first.length === 20, first.join())
        await page.getByRole('button', { name: 'Next page' }).click()
        await status(page, /^21–\d+ of/)
        const second = await titles(page)
        assert.ok(second.length > 0 && second.every(title => !first.includes(title)), second.join())
        const { href } = await page.evaluate<{ href: string }>('({ href: location.href })')
        await served.signedIn(
          'ada',
          async other => {
            await status(other, /^21–\d+ of/)
            assert.deepEqual(await titles(other), second)
          },
          { path: href.slice(served.origin.length) },
        )
        await page.getByRole('button', { name: 'Previous page' }).click()
        await status(page, /^1–20 of/)
        assert.deepEqual(await titles(page), first)
        await page.goBack()
        await status(page, /^21–\d+ of/)
      },
      { path },
    ))

  it('opens with one request for the page and two for the total, which count no more than they have to, and shows the text that was typed last', () =>
    served.signedIn(
      'edda',
      async page => {
        await status(page, /^1–20 of 3\d\d$/)
        const asked: string[] = []
        page.on('request', request => {
          if (request.url().includes('/api/')) asked.push(decodeURIComponent(request.url()))
        })
        await page.getByRole('link', { name: 'Author' }).click()
        await status(page, /^1–10 of 40$/)
        assert.deepEqual(asked.map(url => /withCount]=true/.test(url)).sort(), [false, false, true], asked.join('\n'))
        const search = page.getByRole('searchbox', { name: 'Search' })
        await search.fill('Ann')
        await search.fill('Ben Bas')
        await status(page, '1–1 of 1')
        assert.deepEqual(await titles(page), ['Ben Basin'])
      },
      { path },
    ))

  it('is reached by its name, and an entry by its title', () =>
    served.signedIn('edda', async page => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      const box = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
      await box.fill('auth')
      await page.getByRole('option', { name: 'Author', selected: true }).waitFor()
      await box.press('Enter')
      await page.getByRole('heading', { name: 'Author', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Go to' }).click()
      await box.fill('Ben Bas')
      await page.getByRole('option', { name: 'Ben Basin Author' }).first().click()
      await page.getByRole('heading', { name: 'Ben Basin', level: 1 }).waitFor()
    }))

  it('publishes all that match across pages, and says so', () =>
    served.signedIn(
      'edda',
      async page => {
        const writes: (string | undefined)[] = []
        page.on('request', request => {
          const { 'idempotency-key': key } = request.headers()
          if (request.method() === 'POST') writes.push(`${request.url().split('/').at(-1)} ${key?.length}`)
        })
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
        const chosen = page.getByRole('toolbar', { name: 'Chosen entries' })
        const count = Number(/\d+/.exec((await chosen.getByText(/ chosen$/).textContent()) ?? '')?.[0])
        assert.ok(count > 25, String(count))
        await page.getByRole('checkbox', { name: /^Select By edda 1$/ }).uncheck()
        await chosen.getByText(`${count - 1} chosen`).waitFor()
        await chosen.getByRole('button', { name: 'Publish', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: `Publish ${count - 1} entries?` })
        await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
        await page
          .getByRole('status', { name: 'Messages' })
          .getByText(`${count - 1} entries are published.`)
          .waitFor()
        await status(page, '1–1 of 1')
        assert.deepEqual(await titles(page), ['By edda 1'])
        assert.deepEqual(writes, ['bulk 36'])
      },
      { path: `${path}?state=draft` },
    ))

  it('chooses a range with the shift key, by the mouse and by the keyboard', () =>
    served.signedIn(
      'edda',
      async page => {
        await status(page, '1–10 of 40')
        const boxes = page.locator('table.list tbody').getByRole('checkbox')
        const chosen = (count: number) => page.getByRole('toolbar').getByText(`${count} chosen`).waitFor()
        await boxes.nth(1).check()
        await boxes.nth(4).click({ modifiers: ['Shift'] })
        await chosen(4)
        await boxes.nth(6).focus()
        await page.keyboard.press('Space')
        await chosen(5)
        await boxes.nth(9).focus()
        await page.keyboard.press('Shift+Space')
        await chosen(8)
        await boxes.nth(4).click({ modifiers: ['Shift'] })
        await chosen(3)
      },
      { path: '/console/c/author' },
    ))

  it('has the focus on its heading where the buttons for chosen entries go', () =>
    served.signedIn(
      'edda',
      async page => {
        for (const name of ['Choose none', 'Publish']) {
          await page.locator('table.list tbody').getByRole('checkbox').first().check()
          await page.getByRole('toolbar').getByRole('button', { name, exact: true }).press('Enter')
          await page.locator('h1:focus').waitFor()
        }
      },
      { path: `${path}?q=ember` },
    ))

  for (const width of [1440, 390])
    it(`has no message lie on the buttons for chosen entries, at ${width} pixels`, () =>
      served.signedIn(
        'edda',
        async page => {
          const box = page.locator('table.list tbody').getByRole('checkbox')
          const bar = page.getByRole('toolbar', { name: 'Chosen entries' })
          await box.first().check()
          await bar.getByRole('button', { name: 'Publish', exact: true }).click()
          await page.getByText('1 entry is published.').waitFor()
          await status(page, /of \d+$/)
          for (const place of ['first', 'last'] as const) {
            await box[place]().check()
            const covered = await page.evaluate<string[]>(`
              [...document.querySelectorAll('.chosen-bar button')].filter(one => {
                const { left, top, width, height } = one.getBoundingClientRect()
                return document.elementFromPoint(left + width / 2, top + height / 2) !== one
              }).map(one => one.textContent)`)
            assert.deepEqual(covered, [])
          }
        },
        { path: `${path}?q=ember`, width, hasTouch: width === 390 },
      ))

  it('deletes an entry after asking', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('checkbox', { name: 'Select By anton 3' }).check()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog', { name: 'Delete 1 entry?' }).getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByText('1 entry is deleted.').waitFor()
        await page.locator('h1:focus').waitFor()
        await page.getByText('Nothing matches: “By anton 3”.').waitFor()
        await page.getByRole('button', { name: 'Show all' }).click()
        await status(page, /^1–20 of 3\d\d$/)
      },
      { path: `${path}?q=By%20anton%203` },
    ))

  it('has the columns that the editor chooses, in this browser', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('checkbox', { name: 'rating' }).check()
        await page.getByRole('checkbox', { name: 'kind' }).uncheck()
        await page.getByRole('columnheader', { name: 'rating' }).waitFor()
        await page.keyboard.press('Escape')
        await page.reload()
        await page.getByRole('columnheader', { name: 'rating' }).waitFor()
        assert.equal(await page.getByRole('columnheader', { name: 'kind' }).count(), 0)
      },
      { path },
    ))

  it('offers what the account may do, and no more', async () => {
    await served.signedIn(
      'tina',
      async page => {
        await status(page, /of \d+$/)
        assert.equal(await page.getByRole('link', { name: 'New entry' }).count(), 0)
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        const chosen = page.getByRole('toolbar', { name: 'Chosen entries' }).getByRole('button')
        assert.deepEqual((await chosen.allInnerTexts()).slice(-2), ['Change fields', 'Export'])
        assert.deepEqual(await page.getByLabel('Language').locator('option').allInnerTexts(), [
          'English (en)',
          'German (de)',
          'All languages',
        ])
        const types = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
        assert.deepEqual(types, ['Home', 'Article', 'Author', 'Media', 'Settings'])
        await page.goto(`${served.origin}/console/c/tag`)
        await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
      },
      { path },
    )
  })

  it('says what is missing: entries, an entry, and the connection', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('searchbox', { name: 'Search' }).fill('zzzz')
        await page.getByText('Nothing matches: “zzzz”.').waitFor()
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'Show all' }).click()
        const line = page.getByRole('alert').filter({ hasText: 'No connection to the server.' })
        await line.waitFor()
        await page.context().setOffline(false)
        await status(page, /of \d+$/)
        await line.waitFor({ state: 'detached' })
        await page.goto(`${served.origin}${path}/99999`)
        await page.getByText('This entry does not exist, or you may not see it.').waitFor()
      },
      { path },
    ))

  it('asks to sign in again where a session has ended, and goes on', () =>
    served.signedIn(
      'edda',
      async page => {
        await status(page, /of \d+$/)
        await page.evaluate(`fetch('/console/session', { method: 'DELETE' }).then(one => one.status)`)
        await page.getByRole('button', { name: 'Next page' }).click()
        const dialog = page.getByRole('dialog', { name: 'Sign in again' })
        await dialog.waitFor()
        assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'edda@example.test')
        await dialog.getByLabel('Password').fill('Edda-pass-1')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await dialog.waitFor({ state: 'detached' })
        await status(page, /^21–40 of/)
      },
      { path },
    ))

  it('ends the session of who signs out', () =>
    served.signedIn('edda', async page => {
      await page.getByRole('button', { name: 'Account: Edda Editor' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await signIn(page, 'ada')
      await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()
    }))
})

describe('a list without the plugin bulk', inBrowser, () => {
  const served = servedConsole()

  it('names what failed, and tries it again', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('checkbox', { name: 'Select By anton 1' }).check()
        await page.getByRole('checkbox', { name: 'Select By anton 2' }).check()
        await page.evaluate(`fetch('/console/api/articles/451', { method: 'DELETE' }).then(one => one.text())`)
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        const failures = page.getByRole('region', { name: 'What failed' })
        await failures.getByText('1 entry is published. 1 failed.').waitFor()
        await failures.getByRole('row', { name: /^By anton \d Not Found$/ }).waitFor()
        await failures.getByRole('button', { name: 'Try these again' }).click()
        await failures.getByText('0 entries are published. 1 failed.').waitFor()
        await failures.getByRole('button', { name: 'Dismiss' }).click()
        await failures.waitFor({ state: 'detached' })
      },
      { path: `${path}?q=By%20anton` },
    ))

  it('publishes chosen entries one by one, four at once at most', () =>
    served.signedIn(
      'edda',
      async page => {
        let [running, most, all] = [0, 0, 0]
        const isWrite = (url: string) => url.includes('/actions/publish')
        page.on('request', request => {
          if (!isWrite(request.url())) return
          all += 1
          running += 1
          most = Math.max(most, running)
        })
        page.on('requestfinished', request => {
          if (isWrite(request.url())) running -= 1
        })
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page
          .getByRole('toolbar', { name: 'Chosen entries' })
          .getByRole('button', { name: 'Publish', exact: true })
          .click()
        await page.getByText('20 entries are published.').waitFor()
        assert.equal(all, 20)
        assert.ok(most <= 4, String(most))
      },
      { path: `${path}?state=draft` },
    ))
})
