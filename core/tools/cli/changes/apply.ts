import { knownSteps } from '../../../boot/run-once.js'
import type { Engine } from '../../../engines/engine.js'
import { BootError } from '../../../errors.js'
import { foreignLayout } from '../../../foreign/known.js'
import { prepareReceipts } from '../../../idempotency/receipts.js'
import { counted } from '../../../kit/counted.js'
import { applyChanges } from '../../../layout/change/apply.js'
import { type Change, type Group, groups, type Plan } from '../../../layout/change/change.js'
import { refuseNewer } from '../../../layout/changed-by.js'
import { withLease } from '../../../layout/lease.js'
import { prepareSteps } from '../../../layout/marks.js'
import { hasCounts } from '../../../plugin/declared.js'
import { prepareCounts } from '../../../services/counts/counts.js'
import type { AppOptions } from '../app.js'
import { confirm } from '../confirm.js'
import { groupName, groupNames } from '../group-names.js'
import type { Io } from '../io.js'
import { type OpenDatabase, withDatabase } from './database.js'
import { changeJson, changeText } from './plan.js'
import { mustBePlanned } from './planned.js'

export interface ApplyOptions extends AppOptions {
  readonly yes?: true
  readonly only?: string
  /** A file with the changes that are expected. */
  readonly plan?: string
  readonly json?: true
}

/** The options of a run, with its terminal. */
interface Order extends ApplyOptions {
  readonly io: Io
}

/** `stele apply`: changes the database to the requirements of the content types, after asking; renames keep the stored values. */
export async function apply(options: ApplyOptions, io: Io): Promise<void> {
  const order = { ...options, io }
  const chosen = readGroups(options.only)
  await withDatabase(options, io, 'change', async database => {
    await refuseNewer(database.engine, knownSteps(database.outline.plugins))
    const changes = choose(await database.plan(), chosen)
    if (options.plan !== undefined) mustBePlanned(changes, options.plan, chosen.map(groupName), io)
    if (changes.length > 0) {
      await confirmChanges(changes, order)
      if (changes.some(({ group }) => group === 'withheld')) await prepareSteps(database.engine)
      await withLease(database.engine, { maxWait: 0 }, lease => run(database, { ...order, changes, chosen, lease }))
    }
    // This command creates all tables, for servers that may not create any.
    await prepareSteps(database.engine)
    await prepareReceipts(database.engine, foreignLayout)
    if (hasCounts(database.outline.plugins)) await prepareCounts(database.engine, foreignLayout)
    tell(changes, await database.plan(), order)
  })
}

/** Groups to apply; another server's leftovers are removed only if `--only` names their group. */
function readGroups(only: string | undefined): readonly Group[] {
  if (only === undefined) return groups.filter(group => group !== 'foreign')
  return only.split(',').map(word => {
    const group = groups.find(known => groupName(known) === word.trim())
    if (!group)
      throw new BootError(`--only takes ${groupNames.join(', ')}, and "${word}" is none of them`, { kind: 'usage' })
    return group
  })
}

function choose({ changes }: Plan, chosen: readonly Group[]): readonly Change[] {
  // The rest is planned for the database that these groups leave.
  for (const first of ['renames', 'links', 'withheld'] as const)
    if (!chosen.includes(first) && changes.some(({ group }) => group === first))
      throw new BootError(
        `there are changes of the group ${first}, and they come first: say --only ${first}, or leave --only away`,
        { kind: 'usage' },
      )
  return changes.filter(({ group }) => chosen.includes(group))
}

async function confirmChanges(changes: readonly Change[], { yes, json, io }: Order): Promise<void> {
  const decided = changes.filter(({ group }) => group !== 'additions')
  if (decided.length === 0) return
  if (!json && !yes) io.stdout.write(changes.map(changeText).join(''))
  const lost = decided.reduce((all, { loses = 0 }) => all + loses, 0)
  const loses =
    lost === 0
      ? 'Nothing that is stored is lost.'
      : `${counted(lost, 'row or value is', 'rows or values are')} lost or changed.`
  await confirm(`This makes ${counted(changes.length, 'change')} to the database. ${loses} Go on?`, yes === true, io)
}

interface ConfirmedOrder extends Order {
  readonly changes: readonly Change[]
  readonly chosen: readonly Group[]
  readonly lease: Parameters<typeof applyChanges>[0]['lease']
}

async function run(database: OpenDatabase, confirmed: ConfirmedOrder): Promise<void> {
  const { engine, compare, plan, counting } = database
  const { chosen, lease, json, io } = confirmed
  const now = await plan()
  const changes = choose(now, chosen)
  if (JSON.stringify(changes) !== JSON.stringify(confirmed.changes))
    throw new BootError('the database has changed meanwhile; look at `stele plan`, and begin again', { kind: 'busy' })
  const { wanted } = await compare()
  const begin = (change: Change) => void (json || io.stdout.write(changeText(change)))
  await applyChanges({ engine, wanted, known: now.known, changes, lease, begin, progress: counting })
  await protectOwn(engine)
}

/** Protects stele's tables, as another server would drop tables that it does not know. */
async function protectOwn(engine: Engine): Promise<void> {
  const { tables } = await engine.introspect()
  const own = [...tables.keys()].filter(name => name.startsWith('stele_'))
  if (foreignLayout.isHere({ tables })) await foreignLayout.protect(engine, own)
}

function tell(changes: readonly Change[], left: Plan, { json, io }: Order): void {
  if (json) {
    io.stdout.write(`${JSON.stringify({ applied: changes.map(changeJson), prevented: left.prevented })}\n`)
    return
  }
  const made = changes.length === 0 ? 'There was nothing to do.' : `${counted(changes.length, 'change')} made.`
  const prevented = left.prevented.map(({ describe, advice }) => `Prevented: ${describe}; ${advice}\n`)
  io.stdout.write(`${made}\n${prevented.join('')}`)
}
