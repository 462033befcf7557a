import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { made } from '../project.js'
import type { Desk, Told } from './desk.js'
import { lostIn, type Side } from './expected.js'

const outcomes = ['saved', 'changed', 'deleted', 'ended', 'problems', 'offline'] as const
export type Outcome = (typeof outcomes)[number]

/** What was chosen, by attribute. */
type Sides = ReadonlyMap<string, Side>

/** Waits for what comes of a save. */
export async function outcomeAt(desk: Desk): Promise<Outcome> {
  const { page } = desk
  const signs: Record<Outcome, Locator> = {
    changed: desk.dialog('This entry was changed'),
    deleted: desk.dialog(/^This entry was deleted/),
    ended: desk.dialog('Sign in again'),
    problems: page.getByRole('region', { name: /problem/ }),
    offline: page.getByRole('alert').filter({ hasText: 'No connection to the server' }),
    saved: desk.changes.getByText('All changes are saved'),
  }
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    for (const name of outcomes) {
      if (!(await signs[name].first().isVisible())) continue
      // What a form says of itself stands behind a dialog, too.
      if (name === 'saved' && (await page.locator('dialog[open]').count()) > 0) continue
      return name
    }
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  throw new Error(`${desk.who}: nothing came of a save at ${page.url()}: ${await desk.changes.textContent()}`)
}

/** Answers what the page asks until the entry is stored, or the editor has decided otherwise. */
export async function settle(desk: Desk, before: Told | undefined, sides: Sides = new Map()): Promise<string> {
  const outcome = await outcomeAt(desk)
  if (outcome === 'ended') {
    await signInAgain(desk)
    return `signed in again, ${await settle(desk, before, sides)}`
  }
  if (outcome === 'offline') {
    await desk.page.context().setOffline(false)
    await desk.page
      .getByRole('button', { name: 'Retry now' })
      .click({ timeout: 5000 })
      .catch(() => undefined)
    await desk.page.getByText('No connection to the server').first().waitFor({ state: 'hidden' })
    return `was offline, ${await settle(desk, before, sides)}`
  }
  if (outcome === 'problems') {
    const text = (
      await desk.page
        .getByRole('region', { name: /problem/ })
        .first()
        .innerText()
    ).replaceAll('\n', ' ')
    await desk.leave('Discard changes')
    desk.hour.figures.refused += 1
    return `refused: ${text}`
  }
  if (outcome === 'deleted') return saveAsNew(desk)
  if (outcome === 'changed') return meet(desk, before)
  await compare(desk, before ?? {}, sides)
  return 'saved'
}

async function signInAgain(desk: Desk): Promise<void> {
  const dialog = desk.dialog('Sign in again')
  await dialog.getByLabel('Password').fill(made.accounts[desk.who]?.password ?? '')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  desk.hour.figures.signIns += 1
}

async function saveAsNew(desk: Desk): Promise<string> {
  const dialog = desk.dialog(/^This entry was deleted/)
  if (desk.dice.chance(0.5)) {
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    desk.opened = undefined
    return 'discarded what was deleted'
  }
  const { opened } = desk
  assert.ok(opened)
  await dialog.getByRole('button', { name: 'Save as a new entry' }).click()
  await dialog.waitFor({ state: 'detached' })
  desk.opened = { ...opened, id: undefined, base: {} }
  const outcome = await outcomeAt(desk)
  if (outcome === 'problems') {
    await desk.leave('Discard changes')
    return 'refused as a new entry'
  }
  assert.equal(outcome, 'saved')
  await compare(desk, {}, new Map())
  return 'saved as a new entry'
}

/** Chooses between two changes. */
async function meet(desk: Desk, before: Told | undefined): Promise<string> {
  const { opened, dice } = desk
  assert.ok(opened)
  desk.hour.figures.conflicts += 1
  const dialog = desk.dialog('This entry was changed')
  const theirs = before ?? (await desk.state())
  const way = dice.below(10)
  if (way === 0) {
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await desk.changes.getByText('All changes are saved').waitFor()
    desk.opened = undefined
    return 'met, took theirs'
  }
  if (way === 1) {
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await dialog.waitFor({ state: 'detached' })
    return keepEditing(desk)
  }
  const sides = await choose(desk, dialog)
  await dialog.getByRole('button', { name: 'Save both' }).click()
  await dialog.waitFor({ state: 'detached' })
  desk.hour.figures.merged += 1
  return `met ${[...sides].map(([name, side]) => `${name} ${side}`)}, ${await settle(desk, theirs, sides)}`
}

/** What the browser had kept is in the form only once it is chosen, and is offered until then. */
async function keepEditing(desk: Desk): Promise<string> {
  const unsaved = desk.changes.getByText('not saved')
  const offered = desk.page.getByRole('region', { name: 'Changes that were not saved' })
  await unsaved.or(offered).first().waitFor()
  if (await unsaved.isVisible()) return 'met, kept editing'
  await offered.getByRole('button', { name: 'Discard' }).first().click()
  desk.opened = undefined
  return 'met, discarded what was kept'
}

/** Takes a side for each attribute that both have changed; those in parts go with the whole. */
async function choose(desk: Desk, dialog: Locator): Promise<Sides> {
  const fields = desk.opened?.type.layout.fields ?? {}
  const names = new Map(Object.entries(fields).map(([name, { label }]) => [label, name]))
  const sides = new Map<string, Side>()
  const rows = dialog.locator('tr:has(input[type=radio])')
  for (let at = 0; at < (await rows.count()); at += 1) {
    const label = (await rows.nth(at).locator('th').innerText()).trim()
    const start = [...names.keys()].filter(one => label.startsWith(one)).sort((a, b) => b.length - a.length)[0] ?? ''
    const name = names.get(start)
    if (name === undefined) continue
    const side = sides.get(name) ?? desk.dice.one(['mine', 'theirs'] as const)
    sides.set(name, side)
    await rows
      .nth(at)
      .getByRole('radio', { name: side === 'mine' ? 'Yours' : 'Theirs' })
      .check()
  }
  return sides
}

/** Compares what is stored with what was typed and chosen. */
async function compare(desk: Desk, before: Told, sides: Sides): Promise<void> {
  const { opened } = desk
  assert.ok(opened)
  await desk.page.waitForURL(url => opened.type.kind === 'singleType' || /\/\d+$/.test(url.pathname))
  const after = await desk.state()
  const { base, mine, type } = opened
  const lost = lostIn({
    ...{ base, mine, before: Object.keys(before).length === 0 ? base : before, after },
    sideOf: name => sides.get(name) ?? 'mine',
    isThere: ref => desk.hour.isThere(ref),
  })
  assert.deepEqual(lost, [], `${desk.who} ${type.uid} ${opened.id ?? desk.idHere}`)
  desk.opened = undefined
  desk.hour.figures.saves += 1
}
