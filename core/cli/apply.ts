import { counted } from '../counted.js'
import { BootError } from '../errors.js'
import { applyChanges } from '../store/change/apply.js'
import { type Change, type Group, groups, type Plan } from '../store/change/change.js'
import type { Engine } from '../store/engine.js'
import { withLease } from '../store/lease.js'
import { persistTables } from '../store/persisted.js'
import { prepareReceipts } from '../store/receipts.js'
import { prepareSteps } from '../store/steps.js'
import { strapiMark } from '../store/strapi-layout.js'
import type { AppOptions } from './app.js'
import { confirm } from './confirm.js'
import { counting, type OpenDatabase, withDatabase } from './database.js'
import { changeJson, changeText } from './plan.js'

export interface ApplyOptions extends AppOptions {
  readonly yes?: true
  readonly only?: string
  readonly json?: true
}

/** `stele apply`: makes the database what the content types ask for, after asking; renames keep what is stored. */
export async function apply(options: ApplyOptions): Promise<void> {
  const chosen = readGroups(options.only)
  await withDatabase(options, 'change', async database => {
    const changes = choose(await database.plan(), chosen)
    if (changes.length > 0) {
      await confirmChanges(changes, options)
      await withLease(database.engine, { patience: 0 }, lease => run(database, changes, chosen, lease, options))
    }
    // Where servers may not make tables, whoever may makes all of them here.
    await prepareSteps(database.engine)
    await prepareReceipts(database.engine)
    tell(changes, await database.plan(), options)
  })
}

/** What Strapi 4 left is taken away only where that is said. */
function readGroups(only: string | undefined): readonly Group[] {
  if (only === undefined) return groups.filter(group => group !== 'strapi')
  return only.split(',').map(word => {
    const group = groups.find(known => known === word.trim())
    if (!group) throw new BootError(`--only takes ${groups.join(', ')}, and "${word}" is none of them`)
    return group
  })
}

function choose({ changes }: Plan, chosen: readonly Group[]): readonly Change[] {
  // Everything else is planned for what there is once things have their names.
  if (!chosen.includes('renames') && changes.some(({ group }) => group === 'renames'))
    throw new BootError('there are renames, and they come first: say --only renames, or leave --only away')
  return changes.filter(({ group }) => chosen.includes(group))
}

async function confirmChanges(changes: readonly Change[], { yes, json }: ApplyOptions): Promise<void> {
  const decided = changes.filter(({ group }) => group !== 'additions')
  if (decided.length === 0) return
  if (!json && !yes) process.stdout.write(changes.map(changeText).join(''))
  const lost = decided.reduce((all, { loses = 0 }) => all + loses, 0)
  const loses =
    lost === 0
      ? 'Nothing that is stored is lost.'
      : `${counted(lost, 'row or value is', 'rows or values are')} lost or changed.`
  await confirm(`This makes ${counted(changes.length, 'change')} to the database. ${loses} Go on?`, yes === true)
}

async function run(
  { engine, compare, plan }: OpenDatabase,
  confirmed: readonly Change[],
  chosen: readonly Group[],
  lease: Parameters<typeof applyChanges>[0]['lease'],
  { json }: ApplyOptions,
): Promise<void> {
  const now = await plan()
  const changes = choose(now, chosen)
  if (JSON.stringify(changes) !== JSON.stringify(confirmed))
    throw new BootError('the database has changed meanwhile; look at `stele plan`, and begin again')
  const { wanted } = await compare()
  const begin = (change: Change) => void (json || process.stdout.write(changeText(change)))
  await applyChanges({ engine, wanted, known: now.known, changes, lease, begin, progress: counting })
  await keepFromStrapi(engine)
}

/** Strapi 4 would drop the tables that it does not know. */
async function keepFromStrapi(engine: Engine): Promise<void> {
  const { tables } = await engine.introspect()
  const own = [...tables.keys()].filter(name => name.startsWith('stele_'))
  if (tables.has(strapiMark)) await persistTables(engine, own)
}

function tell(changes: readonly Change[], left: Plan, { json }: ApplyOptions): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ applied: changes.map(changeJson), prevented: left.prevented })}\n`)
    return
  }
  const made = changes.length === 0 ? 'There was nothing to do.' : `${counted(changes.length, 'change')} made.`
  const prevented = left.prevented.map(({ describe, advice }) => `Prevented: ${describe}; ${advice}\n`)
  process.stdout.write(`${made}\n${prevented.join('')}`)
}
