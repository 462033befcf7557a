import assert from 'node:assert/strict'
import type { Desk } from './desk.js'
import { openArticle } from './entries.js'
import { settle } from './settling.js'

/** Shows what others have done with the entry that is open, and takes it in. */
export async function showNews(desk: Desk): Promise<string> {
  const { opened, page, hour } = desk
  const id = opened?.type.uid === 'api::article.article' ? opened.id : undefined
  if (id === undefined || !hour.ledger.has('api::article.article', id)) return 'no news'
  await hour.developer.change(id)
  await page
    .getByRole('status', { name: 'Saved by others' })
    .getByText(/^Ada.* saved|changed|saved/)
    .waitFor()
  const before = await desk.stored()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  return `news: ${await settle(desk, before)}`
}

/** Removes an entry of a relation, takes it back and does it again; then it is as it was, or stored. */
export async function undo(desk: Desk): Promise<string> {
  const id = await openArticle(desk)
  const { page, dice, hour } = desk
  const tags = page.getByRole('list', { name: 'tags', exact: true })
  const removes = tags.getByRole('button', { name: /^Remove / })
  const count = await removes.count()
  if (count === 0) return 'nothing to undo'
  await removes.nth(dice.below(count)).click()
  await desk.changes.getByText('not saved').waitFor()
  if (dice.chance(0.5)) await page.getByRole('button', { name: 'Undo', exact: true }).click()
  else await page.keyboard.press('Control+z')
  await desk.changes.getByText('All changes are saved').waitFor()
  assert.equal(await removes.count(), count)
  if (dice.chance(0.5)) return `undid a change of article ${id}`
  await page.keyboard.press('Control+Shift+z')
  await desk.changes.getByText('not saved').waitFor()
  const linksOf = () => hour.ledger.linksNow('articles_tags_links', 'article_id', id)
  const before = linksOf()
  await page.keyboard.press('Control+s')
  await desk.changes.getByText('All changes are saved').waitFor()
  assert.equal(linksOf(), before - 1)
  return `undid and redid a change of article ${id}`
}
