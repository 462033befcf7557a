import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { addTo, change, field, formOf, hide, isSaved, status, titlesIn } from '../form.js'
import { changedRows, rowsIn } from '../rows.js'
import { servedConsole } from '../served.js'

describe.skipIf(noBrowser)('an entry in the console', { timeout: 180_000 }, () => {
  const served = servedConsole()

  it('is saved with what was changed and published, and nothing else in the database is touched', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Xylem orchid delta Ångström 4')
        const before = rowsIn(served.database())
        await field(page, 'Headline').fill('Bread that waits')
        await addTo(page, 'tags', 'Yarr')
        await page.getByRole('button', { name: 'Move Yarrow up' }).focus()
        await page.keyboard.press('Alt+Home')
        const tags = await titlesIn(page, 'tags')
        assert.equal(tags[0], 'Yarrow')
        await page.getByRole('button', { name: /^Open Quote: / }).click()
        const quote = page.getByRole('group', { name: 'Quote 4' })
        await quote.getByRole('textbox', { name: 'title' }).fill('A quote')
        await status(page, '3 changes are not saved')
        await page.keyboard.press('Control+Enter')
        await page.getByRole('button', { name: 'Unpublish' }).waitFor()
        await isSaved(page)
        await page.getByRole('button', { name: 'Close Quote: A quote' }).waitFor()
        const { gone, fresh } = changedRows(before, rowsIn(served.database()))
        const tablesOf = (lines: readonly string[]) => [...new Set(lines.map(line => line.split(':')[0]))].sort()
        assert.deepEqual(tablesOf(gone), ['articles', 'articles_tags_links', 'components_shared_quotes'])
        assert.deepEqual(tablesOf(fresh), ['articles', 'articles_tags_links', 'components_shared_quotes'])
        const [article] = fresh.filter(line => line.startsWith('articles:')).map(line => JSON.parse(line.slice(10)))
        assert.deepEqual([article.id, article.title, article.updated_by_id], [4, 'Bread that waits', 2])
        const [old] = gone.filter(line => line.startsWith('articles:')).map(line => JSON.parse(line.slice(10)))
        assert.equal(article.created_by_id, old.created_by_id)
        for (const line of [...gone, ...fresh].filter(line => line.startsWith('articles_tags_links')))
          assert.equal(JSON.parse(line.slice(21)).article_id, 4)
        await page.reload()
        await formOf(page, 'Bread that waits')
        assert.deepEqual(await titlesIn(page, 'tags'), tags)
      },
      { path: '/console/c/article/4' },
    ))

  it('says what is missing, with a link to the field', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        await field(page, 'Headline').fill('')
        const seo = page.getByRole('group', { name: 'blocks' })
        await seo
          .getByRole('button', { name: /^Close Seo: / })
          .first()
          .click()
        await page.getByRole('button', { name: 'Save' }).click()
        const region = page.getByRole('region', { name: '1 problem' })
        await region.waitFor()
        assert.equal(await page.evaluate('document.activeElement.id'), 'problems')
        await region.getByRole('link', { name: 'Headline: A value is missing.' }).press('Enter')
        await page.keyboard.type('Written')
        assert.equal(await field(page, 'Headline').inputValue(), 'Written')
        await region.waitFor({ state: 'detached' })
      },
      { path: '/console/c/article/5' },
    ))

  it('that another editor has changed is compared, and nothing of either is lost', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Cedar xylem ripple grove 6')
        await field(page, 'Headline').fill('My headline')
        await field(page, 'views').fill('42')
        assert.equal(await change(page, '/articles/6', { title: 'Their headline', rating: 3 }), 200)
        await page.keyboard.press('Control+s')
        const dialog = page.getByRole('dialog', { name: 'This entry was changed' })
        const headline = dialog.getByRole('group', { name: 'Headline' })
        await dialog.getByText('1 of your changes meets one of theirs.').waitFor()
        assert.equal(await headline.getByRole('radio', { name: 'Yours' }).isChecked(), true)
        await headline.getByRole('radio', { name: 'Theirs' }).check()
        await dialog.getByRole('button', { name: 'Save both' }).click()
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Their headline')
        assert.equal(await field(page, 'views').inputValue(), '42')
        assert.equal(await field(page, 'rating').inputValue(), '3')
        // Publishing goes on where it met such a change.
        const isPublished = (await page.getByRole('button', { name: 'Unpublish' }).count()) > 0
        if (isPublished) await page.getByRole('button', { name: 'Unpublish' }).click()
        await field(page, 'views').fill('43')
        assert.equal(await change(page, '/articles/6', { rating: 4 }), 200)
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await dialog.getByRole('button', { name: 'Save both and publish' }).click()
        await page.getByRole('button', { name: 'Unpublish' }).waitFor()
        assert.deepEqual(
          [await field(page, 'views').inputValue(), await field(page, 'rating').inputValue()],
          ['43', '4'],
        )
      },
      { path: '/console/c/article/6' },
    ))

  it('offers what was not saved after a reload, and asks before it is left', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Pebble über Ångström 7')
        await field(page, 'Headline').fill('Typed and not saved')
        // The browser keeps it when the page is hidden; a reload hides it as well.
        page.on('dialog', dialog => void dialog.accept())
        await hide(page, 1)
        await page.reload()
        const region = page.getByRole('region', { name: 'Changes that were not saved' })
        await region.waitFor()
        // They wait for a decision, whatever is typed and saved meanwhile.
        await field(page, 'views').fill('7')
        await region.getByText('Save what you have typed since, then restore them.').waitFor()
        assert.equal(await region.getByRole('button', { name: 'Restore' }).isDisabled(), true)
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.reload()
        await region.getByRole('button', { name: 'Restore' }).click()
        await status(page, '1 change is not saved')
        assert.equal(await field(page, 'views').inputValue(), '7')
        assert.equal(await field(page, 'Headline').inputValue(), 'Typed and not saved')
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Author' }).click()
        const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
        await dialog.getByRole('button', { name: 'Keep editing' }).click()
        assert.match(page.url(), /\/article\/7$/)
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Author' }).click()
        await dialog.getByRole('button', { name: 'Discard changes' }).click()
        await page.getByRole('heading', { name: 'Author', level: 1 }).waitFor()
      },
      { path: '/console/c/article/7' },
    ))

  it('that is open in two tabs keeps what was typed in each, and offers both', () =>
    served.signedIn(
      'edda',
      async page => {
        const context = page.context()
        const tab = async () => {
          const one = await context.newPage()
          await one.goto(`${served.origin}/console/c/article/10`)
          await one.getByRole('form').waitFor()
          return one
        }
        const [first, second] = [await tab(), await tab()]
        await field(first, 'views').fill('11')
        await hide(first, 1)
        await field(second, 'views').fill('12')
        await hide(second, 2)
        const third = await tab()
        const region = third.getByRole('region', { name: 'Changes that were not saved' })
        const restore = region.getByRole('button', { name: 'Restore' })
        await restore.nth(1).waitFor()
        await restore.first().click()
        await status(third, '1 change is not saved')
        assert.equal(await field(third, 'views').inputValue(), '12')
        await restore.nth(1).waitFor({ state: 'detached' })
        await third.keyboard.press('Control+s')
        await isSaved(third)
        await restore.click()
        const dialog = third.getByRole('dialog', { name: 'This entry was changed' })
        await dialog.getByRole('button', { name: 'Keep editing' }).click()
        // Closed without a choice, they are offered as before.
        await restore.click()
        await dialog.getByRole('button', { name: 'Save both' }).click()
        await restore.waitFor({ state: 'detached' })
        await isSaved(third)
        assert.equal(await field(third, 'views').inputValue(), '11')
      },
      { path: '/console/c/article/10' },
    ))

  it('that was deleted meanwhile is saved as a new one', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Amber Cirrus xylem 11')
        const slug = await field(page, 'slug').inputValue()
        assert.notEqual(slug, '')
        await field(page, 'Headline').fill('Not lost')
        await page.clock.install()
        // The server takes its time, so that all that the form would do meanwhile is done.
        await page.route(/\/articles\?/, async route => {
          await page.clock.runFor(2000)
          await route.continue()
        })
        await page.evaluate(() => fetch('/console/api/articles/11', { method: 'DELETE' }))
        await page.keyboard.press('Control+s')
        const dialog = page.getByRole('dialog', { name: 'This entry was deleted' })
        await dialog.getByRole('button', { name: 'Save as a new entry' }).click()
        await isSaved(page)
        await formOf(page, 'Not lost')
        assert.doesNotMatch(page.url(), /\/11$/)
        assert.equal(await field(page, 'slug').inputValue(), slug)
      },
      { path: '/console/c/article/11' },
    ))

  it('leads to the next one of its list', () =>
    served.signedIn(
      'edda',
      async page => {
        const titles = page.getByRole('table', { name: 'Article' }).getByRole('rowheader').getByRole('link')
        await titles.first().waitFor()
        const next = (await titles.nth(1).textContent()) ?? ''
        await titles.first().click()
        await page.getByRole('form').waitFor()
        await field(page, 'views').fill('3')
        await page.keyboard.press('Control+Shift+Enter')
        await formOf(page, next)
      },
      { path: '/console/c/article' },
    ))

  it('keeps what was typed when the session has ended', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Grove orchid 8')
        await field(page, 'Headline').fill('Typed before the end')
        await page.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
        await page.keyboard.press('Control+s')
        const dialog = page.getByRole('dialog', { name: 'Sign in again' })
        await dialog.waitFor()
        await dialog.getByLabel('Password').fill('Edda-pass-1')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await isSaved(page)
        await page.getByRole('heading', { name: 'Typed before the end' }).waitFor()
      },
      { path: '/console/c/article/8' },
    ))

  it('is read-only where the editor may not write it, and says so', () =>
    served.signedIn(
      'tina',
      async page => {
        await formOf(page, 'Lagoon 9')
        await status(page, 'You may read this entry, not change it.')
        assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
        assert.equal(await field(page, 'Headline').getAttribute('readonly'), '')
        const german = await page.evaluate(async () => {
          const found = await fetch('/console/api/articles?locale=de&publicationState=preview&fields=id')
          return ((await found.json()) as { data: { id: number }[] }).data[0]?.id
        })
        await page.goto(`${served.origin}/console/c/article/${german}`)
        await page.getByRole('button', { name: 'Save' }).waitFor()
        assert.equal(await field(page, 'slug').getAttribute('readonly'), '')
        assert.equal(await field(page, 'Headline').getAttribute('readonly'), null)
        assert.match((await page.getByRole('form').textContent()) ?? '', /You may read this field, not change it\./)
        assert.equal(await page.getByRole('combobox', { name: 'author: add' }).count(), 0)
        assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).count(), 0)
        await field(page, 'Headline').fill('Translated')
        await page.keyboard.press('Control+s')
        await isSaved(page)
      },
      { path: '/console/c/article/9' },
    ))
})
