import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { openList } from './browsing.js'
import type { Desk } from './desk.js'
import { hot } from './developer.js'

/** A row of a list: its entry, its title, and its box. */
interface Listed {
  readonly id: number
  readonly title: string
  readonly box: Locator
}

async function listed(desk: Desk): Promise<Listed[]> {
  const rows = await desk.page.locator('table.list tbody tr:not(.skeleton)').all()
  return Promise.all(
    rows.map(async row => {
      const link = row.locator('th a').first()
      const id = Number(/\/(\d+)/.exec((await link.getAttribute('href')) ?? '')?.[1])
      return { id, title: (await link.innerText()).trim(), box: row.getByRole('checkbox') }
    }),
  )
}

const bar = (desk: Desk) => desk.page.getByRole('toolbar', { name: 'Chosen entries' })

/** Publishes, unpublishes or deletes some entries of a list. Those that everyone works at are not deleted. */
export async function doToMany(desk: Desk): Promise<string> {
  const { page, dice, hour } = desk
  const what = dice.one(['Publish', 'Unpublish', 'Delete'] as const)
  const name = await openList(desk, what === 'Delete' ? ['Article', 'Tag', 'Memo'] : ['Article'])
  const uid = `api::${name.toLowerCase()}.${name.toLowerCase()}`
  const kept = new Set(what === 'Delete' ? hot(hour, uid) : [])
  const rows = (await listed(desk)).filter(({ id }) => !kept.has(id))
  const chosen = dice.some(rows, 0.2).slice(0, what === 'Delete' ? 2 : 5)
  if (chosen.length === 0) return `chose nothing of ${name}`
  // A list that was open already keeps what was chosen in it.
  const none = bar(desk).getByRole('button', { name: 'Choose none' })
  if (await none.isVisible()) await none.click()
  for (const { box } of chosen) await box.check()
  const sent = page.waitForResponse(one => one.request().method() === 'POST' && one.url().endsWith('/bulk'))
  const button = bar(desk).getByRole('button', { name: what, exact: true })
  if (!(await button.isVisible())) {
    sent.catch(() => undefined)
    await none.click()
    return `may not ${what.toLowerCase()} many of ${name}`
  }
  await button.click()
  if (what === 'Delete') await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const { results } = (await (await sent).json()) as { results: readonly { status: number }[] }
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor({ state: 'detached' })
  assert.equal(results.length, chosen.length)
  const ids = chosen.map(({ id }) => id).sort((one, other) => one - other)
  for (const [at, id] of ids.entries()) {
    if (results[at]?.status !== 200) continue
    const row = hour.ledger.rowNow(uid, id)
    if (what === 'Delete') assert.equal(row, undefined, `${uid} ${id} is there`)
    else assert.equal(row?.published_at !== null, what === 'Publish', `${uid} ${id}`)
  }
  const failed = results.filter(({ status }) => status !== 200).length
  return `${what} of many: ${name} ${ids}${failed > 0 ? `, ${failed} failed` : ''}`
}

/** Exports what a page of a list shows, and reads the file. */
export async function exportList(desk: Desk): Promise<string> {
  const { page, dice } = desk
  const name = await openList(desk)
  const rows = await listed(desk)
  if (rows.length === 0) return `nothing to export of ${name}`
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(desk).getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: /^Export / })
  const format = dice.one(['CSV', 'JSON'] as const)
  await dialog.getByRole('radio', { name: format }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  const text = readFileSync(await download.path(), 'utf8')
  await download.delete()
  if (format === 'JSON') assert.equal((JSON.parse(text) as readonly unknown[]).length, rows.length)
  // A list shows a text in one line.
  const inOneLine = text.replace(/(\\[nrt]|\s)+/g, ' ')
  for (const { id, title } of rows) {
    // An entry without a title is shown by its number.
    if (title === `#${id}`) continue
    const written = format === 'CSV' ? title.replaceAll('"', '""') : JSON.stringify(title).slice(1, -1)
    assert.ok(inOneLine.includes(written), `the export of ${name} lacks ${title}`)
  }
  return `exported ${name} as ${format}`
}
