import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { change } from '../../../../../core/index.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { trash } from '../../../../../plugins/trash/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import type { World } from '../../../../support/server.js'
import { servedWorld } from '../served.js'

const path = '/console/c/note'
const texts = ['Bread that waits', 'A radio that hums', 'Bake at dawn'].map(title => ({
  title,
  text: `${title}: a loaf`,
}))
const removed = ['Gone one', 'Gone two', 'Gone three'].map(title => ({ title, text: 'nothing' }))

const world = {
  types: {
    note: {
      options: { trash: true, draftAndPublish: true, scheduling: true },
      attributes: { title: { type: 'string', required: true }, text: { type: 'text' } },
      search: ['title^10', 'text'],
    },
    front: { kind: 'singleType', options: { trash: true }, attributes: { title: { type: 'string' } } },
    line: { attributes: { name: { type: 'string' } } },
  },
  plugins: [draftAndPublish, trash, [admin, { ratelimit: { enabled: false } }], contentConsole],
  rows: async ({ entries, store }) => {
    for (const data of [...texts, ...removed]) await entries('api::note.note').create({ ...data, publishedAt: null })
    // More entries than are counted without being asked.
    const many = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 100200)'
    await store.transaction(session =>
      change(session, store.knex.raw(`insert into lines (name) ${many} select 'line ' || i from n`)),
    )
  },
} satisfies World

const titles = (page: Page) => page.locator('table.list tbody .title').allInnerTexts()
const choose = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select ${title}` }).check()
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Chosen entries' })
const status = (page: Page, text: string | RegExp) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('status').filter({ hasText: text }).waitFor()
const said = (page: Page, text: string) => page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor()

async function remove(page: Page, ...which: readonly string[]): Promise<void> {
  for (const title of which) await choose(page, title)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete \d/ })
  await dialog.getByText('It can be restored from the trash.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await said(page, 'deleted.')
}

describe('the list of an app with a trash, an index of words and dates', inBrowser, () => {
  const served = servedWorld(world)

  it('shows the trash as a state, and restores from it or deletes for good once the title is typed', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await remove(page, 'Gone one', 'Gone two', 'Gone three')
        await status(page, '1–3 of 3')
        await page.getByLabel('State').selectOption('Trash')
        await status(page, '1–3 of 3')
        assert.match(page.url(), /state=trash/)
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('checkbox', { name: 'deletedAt' }).waitFor()
        assert.equal(await page.getByText(/^trash/).count(), 0)
        await page.keyboard.press('Escape')
        await page.locator('th[aria-sort=descending]', { hasText: 'deletedAt' }).waitFor()
        await page.getByRole('link', { name: 'Gone one' }).click()
        await page.getByText('This entry is in the trash, and shown as it was deleted.').waitFor()
        const title = page.getByRole('textbox', { name: 'title' })
        assert.deepEqual([await title.inputValue(), await title.isEditable()], ['Gone one', false])
        for (const name of ['Save', 'Publish']) assert.equal(await page.getByRole('button', { name }).count(), 0)
        await page.getByRole('link', { name: 'Trash' }).click()
        await status(page, '1–3 of 3')
        await page.getByRole('link', { name: 'Gone one' }).click()
        await page.getByRole('button', { name: 'Restore' }).click()
        await said(page, 'Restored: Gone one.')
        await page.getByRole('button', { name: 'Save' }).waitFor()
        assert.ok(await title.isEditable())
        await page.goto(`${served.origin}${path}?state=trash`)
        await status(page, '1–2 of 2')

        await choose(page, 'Gone two')
        await bar(page).getByRole('button', { name: 'Delete for good' }).click()
        const dialog = page.getByRole('dialog', { name: 'Delete 1 entry for good?' })
        const sure = dialog.getByRole('button', { name: 'Delete for good' })
        await dialog.getByLabel('Type “Gone two” to confirm').fill('Gone')
        assert.ok(await sure.isDisabled())
        await dialog.getByRole('textbox').press('Enter')
        await dialog.getByRole('textbox').fill('Gone two')
        await sure.click()
        await said(page, '1 entry is deleted for good.')
        await status(page, '1–1 of 1')
        assert.deepEqual(await titles(page), ['Gone three'])
        await page.getByLabel('State').selectOption('All')
        await status(page, '1–4 of 4')
        assert.ok((await titles(page)).includes('Gone one'))
      },
      { path },
    ))

  it('shows what was deleted last of a single type, and restores it once no other one is there', () =>
    served.signedIn(
      'Editor',
      async page => {
        const title = page.getByRole('textbox', { name: 'title' })
        const make = async (text: string) => {
          await title.fill(text)
          await page.getByRole('button', { name: 'Save' }).click()
          await said(page, 'Saved')
        }
        const more = (action: string) =>
          page
            .getByRole('button', { name: 'More actions' })
            .click()
            .then(() => page.getByRole('menuitem', { name: action }).click())
        await make('First')
        await more('Delete')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.goto(`${served.origin}/console/s/front`)
        await make('Second')
        await more('Trash')
        await page.getByText('This entry is in the trash').waitFor()
        assert.deepEqual([await title.inputValue(), await title.isEditable()], ['First', false])
        await page.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('region', { name: '1 problem' }).getByText('There is another entry by now').waitFor()
        await page.getByRole('link', { name: 'front' }).last().click()
        await more('Delete')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.goto(`${served.origin}/console/s/front?trash=only`)
        await page.getByRole('button', { name: 'Restore' }).click()
        await said(page, 'Restored: Second.')
        await page.getByRole('button', { name: 'Save' }).waitFor()
        assert.equal(await title.inputValue(), 'Second')
      },
      { path: '/console/s/front' },
    ))

  it('offers a purge to Super Admins alone', () =>
    served.signedIn(
      'Editor',
      async page => {
        await status(page, '1–1 of 1')
        await choose(page, 'Gone three')
        assert.deepEqual(await bar(page).getByRole('button').allInnerTexts(), ['Choose none', 'Restore'])
        await bar(page).getByRole('button', { name: 'Restore' }).click()
        await page.getByText('The trash is empty.').waitFor()
        await page.getByLabel('State').selectOption('Scheduled')
        await page.getByText('Nothing matches: Scheduled.').waitFor()
      },
      { path: `${path}?state=trash` },
    ))

  it('lists what will be published at a time as scheduled', () =>
    served.signedIn(
      'Editor',
      async page => {
        const { server } = served
        await server()
          .app.entries('api::note.note')
          .create({ title: 'To come', text: 'later', publishAt: '2100-01-01T08:00:00.000Z' })
        await page.getByLabel('State').selectOption('Scheduled')
        await status(page, '1–1 of 1')
        assert.deepEqual(await titles(page), ['To come'])
        await page.locator('.cell-state', { hasText: 'Scheduled' }).waitFor()
      },
      { path },
    ))

  it('finds words by the index as they are typed, the best match first, and marks them', () =>
    served.signedIn(
      'Editor',
      async page => {
        const search = page.getByRole('searchbox', { name: 'Search' })
        await search.fill('brea')
        await status(page, '1–1 of 1')
        assert.deepEqual(await page.locator('.title mark').allInnerTexts(), ['Bread'])
        // A word of a text that is no column stands below the title.
        await search.fill('loaf radio')
        await status(page, '1–1 of 1')
        await page.locator('.title mark', { hasText: 'radio' }).waitFor()
        await search.fill('loaf')
        await status(page, '1–3 of 3')
        assert.equal(await page.locator('mark', { hasText: 'loaf' }).count(), 3)
      },
      { path },
    ))

  it('searches without an index by the start of the title, and anywhere on request or where no title begins so', () =>
    served.signedIn(
      'Editor',
      async page => {
        const asked: string[] = []
        page.on('request', request => asked.push(decodeURIComponent(request.url())))
        const search = page.getByRole('searchbox', { name: 'Search' })
        await search.fill('line 10019')
        await status(page, '1–11 of 11')
        await page.getByText('name begins with “line 10019”.').waitFor()
        assert.ok(!asked.some(url => url.includes('_q=')), asked.join('\n'))
        await search.fill('100199')
        await status(page, '1–1 of 1')
        assert.equal(await page.getByText('begins with').count(), 0)
        await search.fill('line 100199')
        await page.getByRole('button', { name: 'Search everywhere' }).click()
        await status(page, '1–1 of 1')
        assert.match(page.url(), /q=line%20100199&in=all/)
      },
      { path: '/console/c/line' },
    ))

  it('counts no more than 100,000 entries unless it is asked to', () =>
    served.signedIn(
      'Editor',
      async page => {
        const counts: string[] = []
        page.on('request', request => {
          if (/withCount(\]|%5D)=true/.test(request.url())) counts.push(request.url())
        })
        await page.reload()
        await status(page, '1–25 of over 100,000')
        assert.deepEqual(counts, [])
        await page.getByRole('button', { name: 'Count all' }).click()
        await status(page, '1–25 of 100,200')
        assert.equal(counts.length, 1)
        await page.getByLabel('Entries on a page').selectOption('100 per page')
        await status(page, '1–100 of 100,200')
        assert.equal(counts.length, 1)
      },
      { path: '/console/c/line' },
    ))

  it('counts all that match before it does something with them', () =>
    served.signedIn(
      'Editor',
      async page => {
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: 'Select all that match' }).click()
        await bar(page).getByText('100,200 chosen').waitFor()
      },
      { path: '/console/c/line' },
    ))

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
          await status(page, '1–3 of 3')
          await look('marked words')
          await page.goto(`${served.origin}/console/c/line?q=line%201`)
          await page.getByRole('button', { name: 'Search everywhere' }).waitFor()
          await look('the start of titles')
          await page.goto(`${served.origin}${path}`)
          await remove(page, 'Bake at dawn')
          await page.goto(`${served.origin}${path}?state=trash`)
          await status(page, '1–1 of 1')
          await page.getByRole('link', { name: 'Bake at dawn' }).click()
          await page.getByText('This entry is in the trash').waitFor()
          await look('an entry in the trash')
          await page.getByRole('link', { name: 'Trash' }).click()
          await status(page, '1–1 of 1')
          await choose(page, 'Bake at dawn')
          await look('trash')
          await bar(page).getByRole('button', { name: 'Delete for good' }).click()
          await page.getByRole('dialog').waitFor()
          await look('the question')
          await page.keyboard.press('Escape')
          await bar(page).getByRole('button', { name: 'Restore' }).click()
          await page.getByText('The trash is empty.').waitFor()
          assert.deepEqual(found, [])
        },
        { path: `${path}?q=loaf`, scheme, width },
      ))
})
