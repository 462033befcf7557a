import assert from 'node:assert/strict'
import type { Desk } from './desk.js'
import { hideUntilKept } from './kept-drafts.js'
import { settle } from './settling.js'

/** Loads the page again, and takes back what the browser has kept. */
export async function reload(desk: Desk): Promise<string> {
  const { page, opened } = desk
  assert.ok(opened)
  if (!opened.form.isNew.peek() && opened.id !== undefined && !desk.hour.ledger.has(opened.type.uid, opened.id))
    return `save: ${await desk.save()}`
  if (onlyPassword(desk)) return `save: ${await desk.save()}`
  await hideUntilKept(page)
  await page.reload()
  const region = page.getByRole('region', { name: 'Changes that were not saved' })
  await region.getByRole('button', { name: 'Restore' }).first().click()
  desk.hour.figures.restored += 1
  const dialog = desk.dialog('This entry was changed')
  await desk.changes.getByText('not saved').or(dialog).first().waitFor()
  if (await dialog.isVisible()) return `reload: ${await settle(desk, await desk.stored())}`
  return 'reload: restored'
}

/** A password is not kept. */
const onlyPassword = ({ opened }: Desk): boolean => JSON.stringify(opened?.base) === JSON.stringify(opened?.mine)
