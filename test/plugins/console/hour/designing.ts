import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { rowOf } from '../browser/settings.js'
import type { Desk } from './desk.js'
import { hot } from './developer.js'
import type { Hour } from './hour.js'

const uid = 'api::tag.tag'
const table = 'tags'

const press = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true }).click()

/**
 * Draws another attribute in the designer and has the server write it, or has the one removed that it has drawn before. The
 * server runs as in development meanwhile, as no other one writes files; the pages of both editors live through it.
 */
export async function design(hour: Hour, desk: Desk): Promise<string> {
  const former = hour.drawn
  const name = former ?? `drawn_${hour.figures.designed}`
  await hour.server.develop(() => (former === undefined ? draw(desk, name) : removeDrawn(desk, name)))
  hour.drawn = former === undefined ? name : undefined
  hour.figures.designed += 1
  const columns = hour.ledger.columnsNow(table)
  assert.equal(columns.includes(name), former === undefined, columns.join())
  assert.deepEqual(hour.ledger.lookPast(table, name), [], `rows changed when the schema was written`)
  if (former !== undefined) return `designed: removed ${name}`
  return `designed: added ${name}, ${await typeInto(hour, desk, name)}`
}

async function draw(desk: Desk, name: string): Promise<void> {
  const { page } = desk
  await openType(desk)
  await press(page, 'Add attribute')
  const dialog = page.getByRole('dialog', { name: 'Add attribute' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await press(dialog, 'Draw')
  await rowOf(page, 'Attributes', new RegExp(`^${name}`)).waitFor()
  await press(page, 'See the plan')
  await press(page, 'Write files')
  await isWritten(page)
}

async function removeDrawn(desk: Desk, name: string): Promise<void> {
  const { page } = desk
  await openType(desk)
  await press(page, `Remove ${name}`)
  await press(page.getByRole('dialog', { name: `Remove ${name}` }), 'Remove')
  await rowOf(page, 'Attributes', new RegExp(`^${name}`)).waitFor({ state: 'detached' })
  await press(page, 'See the plan')
  await page.getByRole('checkbox', { name: 'Remove from the database what is not needed any more' }).check()
  // Each value of the attribute is lost, and there is one at least.
  await page.getByRole('checkbox', { name: / lost, and I do not need / }).check()
  await press(page, 'Write files')
  const loss = page.getByRole('dialog', { name: 'Lose values?' })
  await loss.getByRole('textbox', { name: 'Type Tag to go on' }).fill('Tag')
  await press(loss, 'Write files')
  await isWritten(page)
}

async function openType(desk: Desk): Promise<void> {
  await desk.go('/console/schema/tag')
  await desk.page.getByRole('heading', { name: 'Tag', level: 1, exact: true }).waitFor()
}

const isWritten = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Written: / })
    .waitFor({ timeout: 120_000 })

/** A page that is loaded afterwards has the attribute in its form. */
async function typeInto(hour: Hour, desk: Desk, name: string): Promise<string> {
  const { page } = desk
  const id = desk.dice.one(hot(hour, uid))
  await page.goto(`${hour.server.origin}/console/c/tag/${id}`)
  await page.getByRole('textbox', { name, exact: true }).fill(`Into ${name}`)
  await page.keyboard.press('Control+s')
  await desk.changes.getByText('All changes are saved').waitFor()
  assert.equal(hour.ledger.rowNow(uid, id)?.[name], `Into ${name}`)
  return `typed into it of tag ${id}`
}
