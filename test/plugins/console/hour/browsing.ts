import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { giveTo, picture, text } from '../browser/dropped.js'
import type { Desk } from './desk.js'

const ready = (desk: Desk) =>
  desk.page
    .getByRole('navigation', { name: 'Pages' })
    .getByText(/ of |^$/)
    .or(desk.page.getByText(/^Nothing matches|^No .* yet/))
    .first()
    .waitFor()

const lists = ['Article', 'Author', 'Tag', 'Category', 'Memo'] as const

export async function openList(desk: Desk, among: readonly string[] = lists): Promise<string> {
  const name = desk.dice.one(among)
  await desk.nav(name)
  await desk.page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  await ready(desk)
  return name
}

/** Presses a button that may go away meanwhile, as the list behind it changes. */
async function press(button: Locator): Promise<void> {
  if ((await button.isVisible()) && (await button.isEnabled()))
    await button.click({ timeout: 5000 }).catch(() => undefined)
}

/** Searches, filters, sorts and turns pages. */
export async function browse(desk: Desk): Promise<string> {
  const { page, dice } = desk
  const name = await openList(desk)
  const done: string[] = []
  for (let count = 1 + dice.below(3); count > 0; count -= 1) {
    const what = dice.one(['search', 'state', 'language', 'sort', 'next', 'filter'] as const)
    if (what === 'search')
      await page.getByRole('searchbox', { name: 'Search' }).fill(dice.one(['a', 'by', 'x', 'Amber', '%', '']))
    const state = page.getByRole('combobox', { name: 'State' })
    if (what === 'state' && (await state.isVisible()))
      await state.selectOption(dice.one(['All', 'Published', 'Drafts']))
    const language = page.getByRole('combobox', { name: 'Language' })
    if (what === 'language' && (await language.isVisible())) await language.selectOption({ index: dice.below(3) })
    const sort = page.getByRole('button', { name: /^Sort by / })
    if (what === 'sort') await press(sort.first())
    const next = page.getByRole('button', { name: 'Next page' })
    if (what === 'next') await press(next)
    if (what === 'filter') await filter(desk)
    await ready(desk)
    done.push(what)
  }
  return `browsed ${name}: ${done}`
}

async function filter(desk: Desk): Promise<void> {
  const { page, dice } = desk
  const clear = page.getByRole('button', { name: 'Clear filters' })
  if (await clear.first().isVisible()) return press(clear.first())
  await page
    .getByRole('button', { name: /^Filters/ })
    .first()
    .click()
  const group = page.getByRole('group', { name: 'Filters' })
  const value = group.getByRole('textbox', { name: 'Value' })
  await group.getByRole('combobox', { name: 'Field' }).first().waitFor()
  if (await value.first().isVisible()) await value.first().fill(dice.one(['a', 'Amber', '1']))
  await page.getByRole('button', { name: 'Apply' }).click()
}

/** Saves a view of a list, and deletes it. */
export async function saveView(desk: Desk): Promise<string> {
  const { page } = desk
  await desk.go('/console/c/article?state=draft')
  await page.getByRole('button', { name: 'Save view' }).click()
  const name = `View ${desk.dice.below(1e6)}`
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('list', { name: 'Views of Article' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('button', { name: `Change view ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await page.getByText(`The view “${name}” is deleted.`).waitFor()
  return 'saved a view and deleted it'
}

/** Uploads a file, or looks at the folders. */
export async function files(desk: Desk): Promise<string> {
  const { page, dice } = desk
  await desk.nav('Media')
  await page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').first().waitFor()
  if (dice.chance(0.4)) {
    await page.getByRole('searchbox', { name: 'Search files' }).fill(dice.one(['svg', 'png', 'zzz']))
    await page.waitForURL(/q=/)
    return 'searched files'
  }
  const name = `${dice.one(['boat', 'sea'])}-${desk.who}-${dice.below(1e6)}`
  const file = dice.chance(0.5) ? await picture(`${name}.png`) : text(`${name}.txt`)
  await giveTo(page, '.media', 'drop', [file])
  await page
    .getByText('1 of 1 files uploaded')
    .or(page.getByText(/1 file uploaded|1 of 1/))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Hide what is uploaded' }).click()
  await page.getByRole('list', { name: 'Files', exact: true }).getByText(file.name).first().waitFor()
  return `uploaded ${file.name}`
}

/** Opens a section of the settings that the editor has. */
export async function settings(desk: Desk): Promise<string> {
  await desk.go('/console/settings')
  const sections = desk.page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link')
  await desk.page.getByRole('heading', { level: 1 }).first().waitFor()
  const count = await sections.count()
  if (count > 0) await sections.nth(desk.dice.below(count)).click()
  await desk.page.getByRole('heading', { level: 1 }).first().waitFor()
  return `settings: ${new URL(desk.page.url()).pathname}`
}

/** Goes back in the history of the browser, and forward again. */
export async function goBack(desk: Desk): Promise<string> {
  const { page } = desk
  await openList(desk)
  const first = page.url()
  await desk.nav('Home')
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.goBack()
  await page.waitForURL(first)
  await ready(desk)
  await page.goForward()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  assert.notEqual(page.url(), first)
  return 'went back and forward'
}
