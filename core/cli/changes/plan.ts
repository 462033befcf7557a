import { foreignLayout } from '../../boot/foreign.js'
import { type DueStep, dueSteps } from '../../boot/run-once.js'
import { type Change, type Group, groups, type Plan, shownSteps } from '../../layout/change/change.js'
import type { AppOptions } from '../app.js'
import { exitCodes } from '../exit-codes.js'
import { groupName } from '../group-names.js'
import type { Io } from '../io.js'
import { withDatabase } from './database.js'

export interface PlanOptions extends AppOptions {
  readonly json?: true
}

/** `stele plan`: what stands between content types and database, with the SQL. Nothing is changed. */
export async function plan(options: PlanOptions, io: Io): Promise<number> {
  const { found, isForeign, once } = await withDatabase(options, io, 'look', async ({ engine, plan, outline }) => ({
    found: await plan(),
    once: await dueSteps(engine, outline.plugins),
    isForeign: foreignLayout.isHere(await engine.introspect()),
  }))
  io.stdout.write(options.json ? `${JSON.stringify({ ...planJson(found), once })}\n` : planText(found, isForeign, once))
  return hasWork(found) ? exitCodes.pending.code : 0
}

const hasWork = ({ changes, prevented }: Plan): boolean =>
  prevented.length > 0 || changes.some(({ group }) => group !== 'foreign')

export const planJson = ({ changes, prevented, notes }: Plan) => ({
  changes: changes.map(changeJson),
  prevented,
  notes,
})

export const changeJson = (change: Change) => ({
  group: groupName(change.group),
  describe: change.describe,
  statements: shownSteps(change),
  loses: change.loses ?? 0,
})

const { name, versions } = foreignLayout

const titles: Record<Group, string> = {
  renames: 'Renames (stele apply)',
  types: 'Changes of types (stele apply)',
  links: `Tables without an id, as ${versions.withoutIds} made them (stele apply); no row is lost`,
  additions: 'Additions (stele apply, or the next start)',
  withheld: 'Entries that become readable; the start refuses until this is confirmed (stele apply)',
  removals: 'Removals (stele apply)',
  foreign: `Made by ${name} and not in the schema; a plugin of it may use it (stele apply --only ${groupName('foreign')})`,
}

/** What another server lacks too is added when the app starts; what only this server knows waits for the first write. */
const foreignTitles = {
  ...titles,
  additions: `Additions (stele apply; or the next start, and what ${name} has no use for the first write)`,
}

function planText(plan: Plan, isForeign: boolean, once: readonly DueStep[]): string {
  const { changes, prevented, notes } = plan
  const titled = isForeign ? foreignTitles : titles
  const parts = groups.map(group =>
    section(titled[group], changes.filter(change => change.group === group).map(changeText)),
  )
  parts.push(
    section(
      'Prevented by data',
      prevented.map(one => block(`${one.describe}; ${one.advice}`, one.statements)),
    ),
  )
  parts.push(
    section(
      'Left alone',
      notes.map(note => `  ${note}\n`),
    ),
  )
  parts.push(
    section(
      'Once, by the next start',
      once.map(({ plugin, name, since }) => `  ${plugin}: ${name}${since === undefined ? '' : ` (since ${since})`}\n`),
    ),
  )
  if (!hasWork(plan)) parts.unshift('The database is as the content types ask for.\n')
  return parts.filter(part => part !== '').join('\n')
}

const section = (title: string, entries: readonly string[]): string =>
  entries.length === 0 ? '' : `${title}\n${entries.join('')}`

/** A change, and below it the statements that make it. */
export const changeText = (change: Change): string => block(change.describe, shownSteps(change))

const block = (sentence: string, statements: readonly string[]): string =>
  `  ${sentence}\n${statements.map(sql => `    ${sql}${sql.startsWith('--') ? '' : ';'}\n`).join('')}`
