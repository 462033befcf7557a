import assert from 'node:assert/strict'
import type { Desk } from './desk.js'

/** Moves some files of the library to another folder. */
export async function moveFiles(desk: Desk): Promise<string> {
  const { page, dice, hour } = desk
  await desk.nav('Media')
  await page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').first().waitFor()
  const stored = hour.ledger.rowsOf('plugin::upload.file')
  const labels = await page
    .getByRole('checkbox', { name: /^Select / })
    .evaluateAll(boxes => boxes.map(box => box.getAttribute('aria-label') ?? ''))
  // The list is read again meanwhile, so that a box has another place then.
  const found = labels.flatMap(label => {
    const rows = stored.filter(({ name }) => label === `Select ${name}`)
    const box = page.getByRole('checkbox', { name: label, exact: true })
    return rows.length === 1 ? [{ box, id: Number(rows[0]?.id) }] : []
  })
  const chosen = dice.some(found, 0.3).slice(0, 3)
  if (chosen.length === 0) return 'no file to move'
  for (const { box } of chosen) await box.check()
  await page.getByRole('toolbar', { name: 'Chosen files' }).getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: /^Move / })
  const select = dialog.getByRole('combobox', { name: 'Folder' })
  const options = await select.locator('option').allInnerTexts()
  const at = dice.below(options.length)
  await select.selectOption({ index: at })
  const value = await select.inputValue()
  const moved = page.waitForResponse(response => response.url().endsWith('/upload/move'))
  await dialog.getByRole('button', { name: 'Move' }).click()
  const reply = await moved
  assert.equal(reply.status(), 200, await reply.text())
  await dialog.waitFor({ state: 'detached' })
  const folder = value === '' ? undefined : hour.ledger.rowNow('plugin::upload.folder', Number(value))
  for (const { id } of chosen)
    assert.equal(hour.ledger.rowNow('plugin::upload.file', id)?.folder_path, folder?.path ?? '/', `file ${id}`)
  return `moved files: ${chosen.map(({ id }) => id)} to ${(options[at] ?? '').trim()}`
}
