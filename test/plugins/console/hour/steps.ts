import { changeLanguages, changeLayout, takeRight } from './administering.js'
import { browse, files, goBack, saveView, settings } from './browsing.js'
import type { Desk } from './desk.js'
import { type Developer, hot } from './developer.js'
import { anyType, duplicate, remove, restore, translate, turn } from './entries.js'
import { showNews, undo } from './feedback.js'
import type { Hour } from './hour.js'
import { moveFiles } from './library.js'
import { doToMany, exportList } from './many.js'
import { reload } from './reloading.js'
import { outcomeAt, settle } from './settling.js'

type Step = (desk: Desk) => Promise<string>

/** One of the steps, by how often each is taken. */
function chosen(desk: Desk, steps: readonly (readonly [number, Step])[]): Step {
  const all = steps.reduce((sum, [share]) => sum + share, 0)
  let at = desk.dice.below(all)
  for (const [share, step] of steps) {
    at -= share
    if (at < 0) return step
  }
  throw new Error('no step')
}

const stepsOf = ({ isDirty, who }: Desk) =>
  isDirty ? withChanges : [...withoutChanges, ...(who === 'ada' ? ofAda : ofEdda)]

/** The next thing that an editor does. */
export const stepOf = (desk: Desk): Promise<string> => chosen(desk, stepsOf(desk))(desk)

/** Both editors save at once, while a program writes. */
export async function together(hour: Hour, desks: readonly [Desk, Desk], developer: Developer): Promise<string> {
  const stored = await Promise.all(desks.map(desk => desk.stored()))
  await Promise.all([...desks.map(desk => desk.press()), developer.ask('POST', '/tags', { name: 'At once' })])
  const outcomes = await Promise.all(desks.map(desk => outcomeAt(desk)))
  const found: string[] = []
  // Those that were stored come first: the others meet what they have stored.
  for (const isSaved of [true, false])
    for (const [at, desk] of desks.entries())
      if ((outcomes[at] === 'saved') === isSaved)
        found.push(await settle(desk, isSaved ? stored[at] : await desk.stored()))
  hour.figures.steps += 1
  return `at once, ${found.join(' and ')}`
}

const names = [
  'article',
  'article',
  'article',
  'author',
  'tag',
  'category',
  'memo',
  'profile',
  'story',
  'homepage',
  'global',
]

/** Opens one of the entries that everyone works at, or any, and types into it. */
async function edit(desk: Desk): Promise<string> {
  const theirs = desk.hour.otherOf(desk)?.opened
  const same = theirs && desk.client.kinds.type(theirs.type.uid)
  if (same && theirs.id !== undefined && desk.hour.ledger.has(same.uid, theirs.id) && desk.dice.chance(0.4)) {
    // Many changes, so that some meet.
    await desk.edit(same, same.kind === 'singleType' ? undefined : theirs.id, 0.5)
    return `typed into what the other one has open: ${same.singular} ${theirs.id}`
  }
  const type = anyType(desk, names)
  const rows = desk.hour.ledger.rowsOf(type.uid).map(({ id }) => Number(id))
  const ids = desk.dice.chance(0.7) ? hot(desk.hour, type.uid) : rows
  if (ids.length === 0 && type.kind === 'collectionType') return make(desk)
  const id = type.kind === 'singleType' ? undefined : desk.dice.one(ids)
  await desk.edit(type, id)
  return `typed into ${type.singular} ${id ?? ''}`
}

async function make(desk: Desk): Promise<string> {
  const type = anyType(desk, names.slice(0, -2))
  await desk.edit(type, undefined)
  return `typed into a new ${type.singular}`
}

const save: Step = async desk => `save: ${await desk.save()}`

/** Saves and publishes, or the other way round. */
async function publish(desk: Desk): Promise<string> {
  const { opened, page } = desk
  if (!opened?.type.options.drafts) return save(desk)
  const before = await desk.stored()
  await page.keyboard.press('Control+Enter')
  const outcome = await outcomeAt(desk)
  if (outcome !== 'saved') return `publish: ${await settle(desk, before)}`
  const done = page.getByRole('button', { name: 'Unpublish' })
  await done
    .or(page.getByRole('region', { name: /problem/ }))
    .or(page.getByRole('dialog'))
    .first()
    .waitFor()
  return `publish: ${await settle(desk, before)}`
}

const linger: Step = async desk => {
  await desk.page.mouse.wheel(0, 300)
  return 'read'
}

async function saveOffline(desk: Desk): Promise<string> {
  const before = await desk.stored()
  await desk.page.context().setOffline(true)
  await desk.press()
  return `offline: ${await settle(desk, before)}`
}

async function saveAfterSignOut(desk: Desk): Promise<string> {
  const before = await desk.stored()
  await desk.page.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
  await desk.press()
  return `session ended: ${await settle(desk, before)}`
}

async function leaveAndStay(desk: Desk): Promise<string> {
  await desk.leave('Keep editing')
  await desk.changes.getByText('not saved').waitFor()
  return 'stayed'
}

async function discard(desk: Desk): Promise<string> {
  await desk.leave('Discard changes')
  return 'discarded'
}

const withChanges: readonly (readonly [number, Step])[] = [
  [10, save],
  [3, publish],
  [8, linger],
  [2, reload],
  [2, saveOffline],
  [1, saveAfterSignOut],
  [1, leaveAndStay],
  [2, showNews],
  [1, discard],
]

const withoutChanges: readonly (readonly [number, Step])[] = [
  [16, edit],
  [4, make],
  [3, turn],
  [2, duplicate],
  [2, remove],
  [2, translate],
  [2, restore],
  [3, browse],
  [1, saveView],
  [2, files],
  [1, settings],
  [2, doToMany],
  [1, exportList],
  [1, moveFiles],
  [1, undo],
  [2, goBack],
]

/** Of the one who may do everything, and of the other one. */
const ofAda: readonly (readonly [number, Step])[] = [
  [1, changeLayout],
  [1, changeLanguages],
]

const ofEdda: readonly (readonly [number, Step])[] = [[1, takeRight]]
