import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import type { World } from '../../../../support/server.js'
import { assertForFingers } from '../fitting.js'
import { change, field, formOf, isSaved, status } from '../form.js'
import { servedWorld } from '../served.js'

const world = {
  types: {
    note: {
      options: { draftAndPublish: true, scheduling: true },
      attributes: { title: { type: 'string', required: true }, text: { type: 'text' } },
    },
    plain: { options: { draftAndPublish: true, scheduling: false }, attributes: { title: { type: 'string' } } },
  },
  plugins: [draftAndPublish, [admin, { ratelimit: { enabled: false } }], contentConsole],
  rows: async ({ entries }) => {
    for (const title of ['Bread', 'Radio', 'Dawn']) await entries('api::note.note').create({ title, publishedAt: null })
    await entries('api::plain.plain').create({ title: 'Plain', publishedAt: null })
  },
} satisfies World

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Schedule: / })
const side = (page: Page) => page.getByRole('complementary')

async function open(page: Page, group: 'Publish' | 'Unpublish') {
  if (!(await dialogOf(page).isVisible()))
    await side(page).getByRole('button', { name: 'Schedule', exact: true }).click()
  return dialogOf(page).getByRole('group', { name: group, exact: true })
}

async function write(page: Page, group: 'Publish' | 'Unpublish', date: string, time: string) {
  const place = await open(page, group)
  await place.getByLabel('Date').fill(date)
  await place.getByLabel('Time').fill(time)
  return place
}

const plan = (page: Page) => dialogOf(page).getByRole('button', { name: 'Schedule' })

/** The times that the server has. */
const stored = (page: Page, id: number) =>
  page.evaluate<(string | null)[]>(`
    fetch('/console/api/notes/${id}?publicationState=preview').then(one => one.json())
      .then(({ data: { attributes } }) => [attributes.publishedAt, attributes.publishAt, attributes.unpublishAt])`)

describe('the schedule of an entry', inBrowser, () => {
  const served = servedWorld(world)

  it('is written in the zone of the browser, with the same in UTC, shown beside the form, and cancelled', () =>
    served.signedIn(
      'Editor',
      async page => {
        await formOf(page, 'Bread')
        const start = await write(page, 'Publish', '2020-02-03', '04:05')
        await start.getByText('This time is past.').waitFor()
        assert.ok(await plan(page).isDisabled())
        await start.getByLabel('Time').fill('')
        await start.getByText('Choose a date and a time.').waitFor()
        await write(page, 'Publish', '2100-02-03', '04:05')
        const local = '2100-02-03T04:05'
        const instant = await page.evaluate<string>(`new Date('${local}').toISOString()`)
        await start.getByText(/^In UTC: Feb [23], 2100/).waitFor()
        const end = await write(page, 'Unpublish', '2100-02-03', '04:00')
        await end.getByText('Unpublishing must be later than publishing.').waitFor()
        await write(page, 'Unpublish', '2100-03-03', '04:00')
        await plan(page).click()
        await side(page).getByText('Will be published').waitFor()
        await side(page).getByText('Will be unpublished').waitFor()
        const [publishedAt, publishAt, unpublishAt] = await stored(page, 1)
        assert.deepEqual([publishedAt, publishAt], [null, instant])
        assert.match(String(unpublishAt), /^2100-03-0[23]T/)
        await page.locator('.entry-line').getByText('Scheduled').waitFor()
        await isSaved(page)
        // What is typed meanwhile stays in the form.
        await field(page, 'text').fill('typed')
        await side(page).getByRole('button', { name: 'Cancel schedule' }).click()
        await side(page).getByText('Will be published').waitFor({ state: 'detached' })
        await status(page, '1 change is not saved')
        assert.deepEqual(await stored(page, 1), [null, null, null])
        await page.keyboard.press('Control+s')
        await isSaved(page)
      },
      { path: '/console/c/note/1' },
    ))

  it('saves what is in the form before, and compares it with what others have stored', () =>
    served.signedIn(
      'Editor',
      async page => {
        await formOf(page, 'Radio')
        await field(page, 'text').fill('mine')
        assert.equal(await change(page, '/notes/2', { title: 'A radio' }), 200)
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Schedule' }).click()
        await dialogOf(page).waitFor()
        await write(page, 'Publish', '2100-02-03', '04:05')
        await dialogOf(page).getByText('What is not saved is saved before.').waitFor()
        await plan(page).click()
        const conflict = page.getByRole('dialog', { name: 'This entry was changed' })
        await conflict.getByRole('button', { name: 'Save both' }).click()
        await isSaved(page)
        assert.deepEqual(await stored(page, 2), [null, null, null])
        await field(page, 'title').fill('')
        await write(page, 'Publish', '2100-02-03', '04:05')
        await plan(page).click()
        await page.getByRole('region', { name: '1 problem' }).waitFor()
        await field(page, 'title').fill('The radio')
        await write(page, 'Publish', '2100-02-03', '04:05')
        await plan(page).click()
        await side(page).getByText('Will be published').waitFor()
        await formOf(page, 'The radio')
        await isSaved(page)
        assert.notEqual((await stored(page, 2))[1], null)
        // Another editor has changed it since: nothing is planned over that.
        assert.equal(await change(page, '/notes/2', { text: 'theirs' }), 200)
        await side(page).getByRole('button', { name: 'Cancel schedule' }).click()
        await conflict.getByRole('button', { name: 'Take theirs' }).click()
        assert.notEqual((await stored(page, 2))[1], null)
      },
      { path: '/console/c/note/2' },
    ))

  it('is not offered without the permission to publish, and not where the type has none', () =>
    served.signedIn(
      'Author',
      async page => {
        const id = await page.evaluate<number>(`
          fetch('/console/api/notes', { method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ data: { title: 'Own' } }) }).then(one => one.json()).then(one => one.data.id)`)
        await page.goto(`${served.origin}/console/c/note/${id}`)
        await formOf(page, 'Own')
        assert.equal(await page.getByRole('button', { name: 'Schedule', exact: true }).count(), 0)
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
        assert.equal(await page.getByRole('menuitem', { name: 'Schedule' }).count(), 0)
      },
      { path: '/console' },
    ))

  for (const { scheme, width } of looks)
    it(`has no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'Editor',
        async page => {
          await formOf(page, 'Dawn')
          const start = await write(page, 'Publish', '2020-02-03', '04:05')
          await start.getByText('This time is past.').waitFor()
          await write(page, 'Unpublish', '2100-02-03', '04:05')
          if (width === 390) await assertForFingers(page)
          else {
            await assertFits(page)
            assert.deepEqual(await accessibilityOf(page), [])
          }
        },
        { path: '/console/c/note/3', scheme, width, hasTouch: width === 390 },
      ))
})
