import { knownSteps, type OnceRecord, onceIn } from '../../../boot/run-once.js'
import { foreignLayout } from '../../../foreign/known.js'
import { type Change, type Group, groups, type Plan, shownSteps } from '../../../layout/change/change.js'
import { type RecordedStep, readChangedBy, stepText, unknownSteps } from '../../../layout/changed-by.js'
import type { AppOptions } from '../app.js'
import { exitCodes } from '../exit-codes.js'
import { groupName } from '../group-names.js'
import type { Io } from '../io.js'
import { withDatabase } from './database.js'

export interface PlanOptions extends AppOptions {
  readonly json?: true
}

/** `stele plan`: the differences between content types and database, with the SQL. It changes nothing. */
export async function plan(options: PlanOptions, io: Io): Promise<number> {
  const { found, ...rest } = await withDatabase(options, io, 'look', async ({ engine, plan, outline }) => {
    const changedBy = await readChangedBy(engine)
    const steps = await onceIn(engine, outline.plugins)
    const history: History = {
      version: changedBy.version,
      once: steps.filter(({ done }) => done === undefined),
      done: steps.filter(({ done }) => done !== undefined),
      unknown: unknownSteps(changedBy, knownSteps(outline.plugins)),
    }
    return { found: await plan(), history, isForeign: foreignLayout.isHere(await engine.introspect()) }
  })
  const { history } = rest
  io.stdout.write(
    options.json ? `${JSON.stringify({ ...planJson(found), ...historyJson(history) })}\n` : planText(found, rest),
  )
  // Until a version is started that has these steps, no change is possible.
  if (history.unknown.length > 0) return exitCodes.data.code
  return hasWork(found) ? exitCodes.pending.code : 0
}

/** Changes to a database by versions of stele and of plugins, past and pending. */
interface History {
  readonly version: string | undefined
  readonly once: readonly OnceRecord[]
  readonly done: readonly OnceRecord[]
  readonly unknown: readonly RecordedStep[]
}

const historyJson = ({ version, once, done, unknown }: History) => ({
  version,
  once: once.map(({ done: _, ...step }) => step),
  done,
  unknown,
})

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
  misplaced: 'Values that are stored beside their place (stele apply); none is lost',
  withheld: 'Entries that become readable; the start refuses until this is confirmed (stele apply)',
  removals: 'Removals (stele apply)',
  foreign: `Made by ${name} and not in the schema; a plugin of it may use it (stele apply --only ${groupName('foreign')})`,
}

/**
 * In another server's database additions that both lack are applied at the start; those that only this server needs wait
 * for the first write.
 */
const foreignTitles = {
  ...titles,
  additions: `Additions (stele apply; or the next start, and what ${name} has no use for the first write)`,
}

function planText(plan: Plan, { isForeign, history }: { isForeign: boolean; history: History }): string {
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
  const { version, once, done, unknown } = history
  parts.push(
    section(
      'Done by a newer version, which this one must not follow: the start refuses',
      unknown.map(step => `  ${stepText(step)}\n`),
    ),
    section(
      'Once, by the next start',
      once.map(step => `  ${stepText(step)}\n`),
    ),
    section(
      'Done once',
      done.map(step => `  ${stepText(step)}: ${step.done?.toISOString().slice(0, 10)}\n`),
    ),
    version === undefined ? '' : `Stele ${version} changed this database last.\n`,
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
