import assert from 'node:assert/strict'
import type { TypeMeta } from '../../../../plugins/console/model/meta.js'
import type { Row } from './database-layout.js'
import type { Desk } from './desk.js'
import { hot } from './developer.js'
import { outcomeAt } from './settling.js'

const typeOf = (desk: Desk, name: string): TypeMeta => desk.client.type(`api::${name}.${name}`)

/** One of the types that the account may write. */
export const anyType = (desk: Desk, among: readonly string[]): TypeMeta =>
  desk.dice.one(among.flatMap(name => desk.client.kinds.type(`api::${name}.${name}`) ?? []))

/** The role of an editor lacks a language that was added meanwhile. */
const isSeen = ({ locale }: Row): boolean => locale == null || ['en', 'fr', 'de'].includes(String(locale))

/** An entry without changes, to be published, copied, translated or deleted. */
export async function openArticle(desk: Desk): Promise<number> {
  const type = typeOf(desk, 'article')
  const id = desk.dice.chance(0.6)
    ? desk.dice.one(hot(desk.hour, type.uid))
    : Number(desk.dice.one(desk.hour.ledger.rowsOf(type.uid).filter(isSeen)).id)
  await desk.page.evaluate(`document.querySelector('form.entry-form')?.setAttribute('data-left', '')`)
  await desk.go(`/console/c/article/${id}`)
  await desk.page.locator('form.entry-form:not([data-left])').waitFor()
  return id
}

export async function turn(desk: Desk): Promise<string> {
  const id = await openArticle(desk)
  const { page } = desk
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  const unpublish = page.getByRole('button', { name: 'Unpublish', exact: true })
  await publish.or(unpublish).first().waitFor()
  const isDraft = await publish.isVisible()
  await (isDraft ? publish : unpublish).click()
  const problems = page.getByRole('region', { name: /problem/ })
  await (isDraft ? unpublish : publish).or(problems).first().waitFor()
  if (await problems.isVisible()) return `could not publish article ${id}`
  const row = desk.hour.ledger.rowNow('api::article.article', id)
  assert.equal(row?.published_at === null, !isDraft)
  return isDraft ? `published article ${id}` : `unpublished article ${id}`
}

export async function duplicate(desk: Desk): Promise<string> {
  const id = await openArticle(desk)
  if (!(await desk.more('Duplicate'))) return 'no copy'
  await desk.page.getByRole('form', { name: 'New Article' }).waitFor()
  await desk.page.keyboard.press('Control+s')
  const outcome = await outcomeAt(desk)
  if (outcome !== 'saved') {
    await desk.leave('Discard changes')
    return `no copy of ${id}: ${outcome}`
  }
  await desk.page.waitForURL(/\/article\/\d+$/)
  assert.ok(desk.hour.ledger.has('api::article.article', desk.idHere))
  return `copied article ${id} as ${desk.idHere}`
}

/** Entries that the recording has are left for others to work at. */
export async function remove(desk: Desk): Promise<string> {
  const type = anyType(desk, ['article', 'author', 'category', 'memo', 'profile', 'story'])
  const rows = desk.hour.ledger.rowsOf(type.uid).filter(isSeen).slice(6)
  if (rows.length === 0) return 'nothing to delete'
  const id = Number((desk.dice.chance(0.7) ? rows.at(-1) : desk.dice.one(rows))?.id)
  await desk.page.evaluate(`document.querySelector('form.entry-form')?.setAttribute('data-left', '')`)
  await desk.go(`/console/c/${type.singular}/${id}`)
  await desk.page.locator('form.entry-form:not([data-left])').waitFor()
  if (!(await desk.more('Delete'))) return 'may not delete'
  const dialog = desk.page.getByRole('dialog')
  if (desk.dice.chance(0.2)) {
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    return `did not delete ${type.singular} ${id}`
  }
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  // The heading of an entry may have the name of its type.
  await desk.page.waitForURL(({ pathname }) => pathname === `/console/c/${type.singular}`)
  assert.equal(desk.hour.ledger.has(type.uid, id), false)
  return `deleted ${type.singular} ${id}`
}

/** Adds a language that an article lacks. */
export async function translate(desk: Desk): Promise<string> {
  const id = await openArticle(desk)
  const links = desk.page.getByRole('link', { name: /^\+ add / })
  if ((await links.count()) === 0) return 'has all languages'
  const type = typeOf(desk, 'article')
  await desk.page.evaluate(`document.querySelector('form.entry-form')?.setAttribute('data-left', '')`)
  const link = links.nth(desk.dice.below(await links.count()))
  const form = desk.page.locator('form.entry-form:not([data-left])')
  // Parts of a form that come later move the link, so that it may be missed.
  while (!(await form.isVisible())) {
    if (await link.isVisible()) await link.click()
    await form.waitFor({ timeout: 5000 }).catch(() => undefined)
  }
  const headline = desk.page.getByRole('textbox', { name: 'Headline', exact: true })
  const text = `Translated ${desk.dice.below(1e6)}`
  await headline.fill(text)
  await desk.page.keyboard.press('Control+s')
  const outcome = await outcomeAt(desk)
  assert.equal(outcome, 'saved')
  await desk.page.waitForURL(/\/article\/\d+$/)
  assert.equal(desk.hour.ledger.rowNow(type.uid, desk.idHere)?.title, text)
  return `translated article ${id} as ${desk.idHere}`
}

/** Restores an older state of an article. */
export async function restore(desk: Desk): Promise<string> {
  const id = await openArticle(desk)
  if (!(await desk.more('Versions'))) return 'no versions'
  const { page } = desk
  const buttons = page.getByRole('button', { name: /^Compare version / })
  await buttons.first().or(page.getByText('No version is kept yet.')).first().waitFor()
  const count = await buttons.count()
  if (count === 0) return 'no version yet'
  await buttons.nth(desk.dice.below(count)).click()
  const dialog = page.getByRole('dialog')
  const again = dialog.getByRole('button', { name: 'Restore', exact: true })
  await dialog.getByText('Nothing differs.').or(again).first().waitFor()
  if (!(await again.isVisible()) || !(await again.isEnabled())) {
    await page.keyboard.press('Escape')
    return 'same version'
  }
  await again.click()
  await page.locator('body:not(:has(dialog[open])), dialog[open] [role=alert]').first().waitFor()
  const refusal = dialog.getByRole('alert')
  if (await refusal.isVisible()) {
    const text = await refusal.innerText()
    await page.keyboard.press('Escape')
    return `not restored: ${text}`
  }
  return `restored a version of article ${id}`
}
