import assert from 'node:assert/strict'
import { said } from '../browser/settings.js'
import type { Editor } from '../project.js'
import type { Desk } from './desk.js'
import { hot } from './developer.js'
import { reload } from './reloading.js'

/** The row of the panel that lets editors change tags. */
const about = { action: 'plugin::content-manager.explorer.update', subject: 'api::tag.tag' }

interface Permission {
  readonly action: string
  readonly subject: string | null
  readonly fields: readonly string[] | null
  readonly where: readonly string[] | null
}

/** Takes a right from an editor who is signed in and has typed, and gives it back: what was typed is still there. */
export async function takeRight(desk: Desk): Promise<string> {
  const { hour, page } = desk
  const type = desk.client.type(about.subject)
  const id = desk.dice.one(hot(hour, type.uid))
  await desk.edit(type, id, 0.5)
  if (!desk.opened) return 'typed nothing'
  const { ada } = hour.developer
  const { stamp, grant } = await grantOf(ada)
  assert.ok(grant)
  await setGrant(ada, stamp, null)
  try {
    await heard(desk, false)
    const before = hour.ledger.rowNow(type.uid, id)
    await page.keyboard.press('Control+s')
    await page
      .getByRole('region', { name: /problem/ })
      .getByText('You may not change tags.')
      .waitFor()
    assert.deepEqual(hour.ledger.rowNow(type.uid, id), before)
    await desk.changes.getByText('not saved').waitFor()
  } finally {
    await setGrant(ada, (await grantOf(ada)).stamp, grant)
    await heard(desk, true)
  }
  assert.deepEqual((await grantOf(ada)).grant, grant)
  return `right taken and given back, ${await reload(desk)}`
}

async function grantOf(ada: Editor): Promise<{ readonly stamp: string; readonly grant: object | undefined }> {
  const { status, body, text } = await ada.get('/console/roles/2')
  assert.equal(status, 200, text)
  const found = (body.permissions as readonly Permission[]).find(
    one => one.action === about.action && one.subject === about.subject,
  )
  return { stamp: body.stamp, grant: found && { fields: found.fields, where: found.where ?? [] } }
}

async function setGrant(ada: Editor, stamp: string, grant: object | null | undefined): Promise<void> {
  const { status, text } = await ada.ask('PUT', '/console/roles/2', { stamp, permissions: [{ ...about, grant }] })
  assert.equal(status, 200, text)
}

/** Ends when the server goes by the rights as they are stored: for a second it may go by those that it knows. */
async function heard(desk: Desk, isGiven: boolean): Promise<void> {
  for (;;) {
    const { types } = await desk.meta()
    if ((types.find(({ uid }) => uid === about.subject)?.can.update != null) === isGiven) return
  }
}

/** Changes the layout of a type for all editors, at a wide screen. */
export async function changeLayout(desk: Desk): Promise<string> {
  const { page, dice } = desk
  const name = dice.one(['tag', 'memo', 'author'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await desk.go(`/console/layout/${name}`)
  const list = page.getByRole('region', { name: 'List' })
  const size = list.getByRole('combobox', { name: 'Entries on a page' })
  const now = await size.inputValue()
  const next = dice.one(['10', '20', '50'].filter(one => one !== now))
  await size.selectOption(next)
  const cells = page.getByRole('list', { name: 'Rows of the form' }).getByRole('button', { name: / \d+\/12$/ })
  await cells.first().click()
  const text = `Written at ${dice.below(1e6)}`
  await page.getByRole('textbox', { name: 'Description' }).fill(text)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await said(page, 'The layout is saved for all editors.')
  const uid = `api::${name}.${name}`
  const { layout } = (await desk.meta()).types.find(one => one.uid === uid) ?? {}
  assert.equal(layout?.settings.pageSize, Number(next))
  assert.ok(Object.values(layout.fields).some(({ description }) => description === text))
  await page.setViewportSize({ width: desk.width, height: 844 })
  await desk.nav('Home')
  return `changed the layout of ${name}`
}

/** Adds a language of the content, or removes it with the entries in it. */
export async function changeLanguages(desk: Desk): Promise<string> {
  const { page, hour } = desk
  await desk.go('/console/settings/languages')
  const table = page.getByRole('table', { name: 'Languages' })
  await table.getByRole('rowheader', { name: /^English/ }).waitFor()
  const remove = page.getByRole('button', { name: 'Remove Spanish (es)' })
  if (!(await remove.isVisible())) {
    await page.getByRole('button', { name: 'Add language' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add language' })
    await dialog.getByRole('combobox', { name: 'Code' }).fill('es')
    await dialog.getByRole('button', { name: 'Add language' }).click()
    await table.getByRole('rowheader', { name: 'Spanish (es)' }).waitFor()
    return 'added a language'
  }
  const there = hour.ledger.rowsOf('api::article.article').filter(({ locale }) => locale === 'es').length
  await remove.click()
  const dialog = page.getByRole('dialog', { name: /^Remove Spanish/ })
  const all = dialog.getByRole('radio', { name: 'Delete them' })
  await dialog.getByText('No entries are in this language.').or(all).first().waitFor()
  assert.equal(await all.isVisible(), there > 0)
  if (there > 0) await all.check()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await table.getByRole('rowheader', { name: 'Spanish (es)' }).waitFor({ state: 'detached' })
  return `removed a language with ${there} entries`
}
