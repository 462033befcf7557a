import type { Engine, Layout } from '../engines/engine.js'
import { stateTable } from '../engines/server/state.js'
import { BootError, UnavailableError } from '../errors.js'
import type { Log } from '../log.js'
import type { Registry } from '../schema/registry.js'
import { tablesWithoutId } from './change/missing-ids.js'
import { misplacedIn, pendingRenames } from './change/plan.js'
import type { UidColumn } from './change/value-renames.js'
import { type KnownSteps, refuseNewer } from './changed-by.js'
import type { ForeignLayout } from './foreign.js'
import type { RecordedLayout, WantedTable } from './layout.js'
import { merged, readRecordedLayout, saveRecordedLayout } from './recorded-layout.js'
import { canCreateTables, grantAdvice, isDenied } from './rights.js'
import { findSearchIndexes } from './search-indexes.js'
import { add, compare, type SyncPlan, type SyncReporters } from './sync.js'
import { type PluginsOfApp, refuseWithheld, withheldEntries } from './withheld.js'

/** The requirements of an app on its database. */
export interface Requirements {
  readonly registry: Registry
  readonly tables: readonly WantedTable[]
  readonly uidColumns: readonly UidColumn[]
  readonly pluginsOfApp: PluginsOfApp
  /** The steps that this version can follow. */
  readonly steps: KnownSteps
  /** The other server that may have made it. */
  readonly foreign: ForeignLayout
}

/** Tables that only this server knows. */
const isOwn = (table: string): boolean => table.startsWith('stele_')

/** Works on the database itself, which nothing has to come before. */
type Step = (raw: Engine) => Promise<void>

/**
 * The setup of a database at start. A database that this server made is brought up to date at once. One that another server made
 * is only looked at: the additions of this one (tables of its own, indexes) come with the first write, so that a command that
 * only looks leaves no trace. If tables are missing that the other server would add too, there is nothing to preserve.
 */
export class DeferredSetup {
  /** The database, with a transaction that runs the deferred steps first. */
  readonly engine: Engine
  readonly #raw: Engine
  readonly #foreign: ForeignLayout
  readonly #absent = new Set<string>()
  #waiting: Step[] = []
  #done: Promise<void> | undefined

  private constructor(engine: Engine, raw: Engine, foreign: ForeignLayout) {
    this.engine = engine
    this.#raw = raw
    this.#foreign = foreign
  }

  /** `looks`: nothing is written at all, and a database that lacks tables of the app is not looked at either. */
  static async to(raw: Engine, requirements: Requirements, told: SyncReporters, looks = false): Promise<DeferredSetup> {
    const { foreign } = requirements
    const { log } = told
    const found = await raw.introspect()
    const isForeign = foreign.isHere(found)
    const wanted = wantedIn(found, requirements)
    await findSearchIndexes(raw, requirements.registry)
    await refuseNewer(raw, requirements.steps)
    refuseLoose(wanted, found)
    refuseWithoutId(wanted, found, foreign)
    const known = await readRecordedLayout(raw, wanted, found, foreign)
    await refuseRenames(raw, { ...requirements, wanted, known, found })
    refuseWithheld(await withheldEntries(raw, requirements.registry, requirements.pluginsOfApp, found))
    for (const sentence of await misplacedIn({ engine: raw, ...requirements, wanted, known, found }))
      log.warn(
        `what is stored beside its place is not served: ${sentence}; nothing is lost, \`stele plan\` shows the SQL, and \`stele apply\` runs it`,
      )
    const plan = compare(raw, wanted, found)
    for (const difference of plan.differences)
      log.warn({ difference }, `the database differs from the schema: ${difference}`)
    if (looks && !isUpToDate(plan))
      throw new BootError('the database lacks tables or columns of this app: a start of the app adds them', {
        kind: 'data',
      })
    const complete = async () => {
      if (plan.additions.length > 0) await add(raw, wanted, told)
      if (plan.additions.length > 0) await saveRecordedLayout(raw, known, wanted)
      else if (!isRemembered(known, wanted, found))
        // A server that may only read the database serves all the same.
        await saveRecordedLayout(raw, known, wanted).catch(error =>
          log.warn({ err: error }, 'what the content types have made could not be noted in the database'),
        )
    }
    const protectOwn = () => foreign.protect(raw, [...wanted.map(({ name }) => name).filter(isOwn), stateTable])
    if (!looks && (!isForeign || !isUpToDate(plan))) {
      await complete()
      if (isForeign) await protectOwn()
      return new DeferredSetup(raw, raw, foreign)
    }
    const first: DeferredSetup = new DeferredSetup(
      preceded(raw, () => first.#open(log)),
      raw,
      foreign,
    )
    for (const { adds, table } of plan.additions) if (adds === 'table') first.#absent.add(table)
    if (!looks) {
      log.info(`${foreign.name} made this database: nothing is added to it before the first write`)
      if (plan.additions.length > 0 && !(await canCreateTables(raw)))
        log.warn(`nothing can be written: the user of the database may not add what is missing; ${grantAdvice}`)
    }
    first.#waiting.push(async () => {
      if (looks) throw new BootError('something tries to write to a database that is only looked at')
      await complete()
      first.#absent.clear()
      await protectOwn()
    })
    return first
  }

  /** True if a table is yet to be created; until then it is read as an empty one. */
  isAbsent(table: string): boolean {
    return this.#absent.has(table)
  }

  /** Looks again: another process may have created tables that this one found absent. */
  async lookAgain(): Promise<void> {
    if (this.#absent.size === 0) return
    const listed = await this.#foreign.protectedTables(this.engine, this.engine.reader)
    if (!listed.some(table => this.#absent.has(table))) return
    const { tables } = await this.engine.introspect()
    for (const table of tables.keys()) this.#absent.delete(table)
  }

  /** Does a step that may write: now, or before the first write. */
  async before(step: Step): Promise<void> {
    if (this.#waiting.length > 0) this.#waiting.push(step)
    else await step(this.#raw)
  }

  #open(log: Log): Promise<void> {
    this.#done ??= this.#run().catch(error => {
      this.#done = undefined
      throw isDenied(this.engine, error) ? refusedToAdd(error, log) : error
    })
    return this.#done
  }

  async #run(): Promise<void> {
    for (let step = this.#waiting[0]; step; step = this.#waiting[0]) {
      await step(this.#raw)
      this.#waiting.shift()
    }
  }
}

/** The refusal of a first write: clients learn that it is not their request, and the log says how to fix it. */
function refusedToAdd(cause: unknown, log: Log): UnavailableError {
  log.error({ err: cause }, `the first write cannot add to the database what it needs; ${grantAdvice}`)
  return Object.assign(
    new UnavailableError('Nothing can be written right now; the operator has to prepare the database'),
    { cause },
  )
}

/** The tables that an app needs in this database, which may be another server's as well. */
export const wantedIn = (
  found: Layout,
  { tables, foreign }: Pick<Requirements, 'tables' | 'foreign'>,
): readonly WantedTable[] => (foreign.isHere(found) ? tables.map(table => withoutRules(table, found)) : tables)

/**
 * Refuses tables of an engine without transactions: a write that fails half-way could not be undone, and a cluster does not
 * replicate them.
 */
function refuseLoose(wanted: readonly WantedTable[], { loose = [] }: Layout): void {
  const used = loose.filter(table => isOwn(table) || wanted.some(({ name }) => name === table))
  if (used.length === 0) return
  const list = used.map(table => `  alter table ${table} engine = InnoDB;\n`).join('')
  throw new BootError(
    `writes to some tables could not be undone, as they are not kept by InnoDB; to change that, run:\n${list}`,
    { kind: 'data' },
  )
}

/** Writes of links need the ids; SQLite needs a new table for one, which is not made unasked. */
function refuseWithoutId(wanted: readonly WantedTable[], found: Layout, { versions }: ForeignLayout): void {
  const tables = tablesWithoutId(wanted, found).map(({ name }) => name)
  if (tables.length === 0) return
  const [have, made] = tables.length === 1 ? ['table has', 'it'] : ['tables have', 'them']
  throw new BootError(
    `${tables.length} ${have} no id, as ${versions.withoutIds} made ${made}: ${tables.join(', ')}\nNothing is lost: \`stele apply\` adds the ids and keeps every row (\`stele plan\` shows the SQL); ${versions.withIds}, started once on the database, adds them too. Make a backup before.`,
    { kind: 'data' },
  )
}

/** An empty table or column in the place of one that is called otherwise would look as if the stored values were gone. */
async function refuseRenames(
  engine: Engine,
  { uidColumns, ...sides }: Requirements & { wanted: readonly WantedTable[]; known: RecordedLayout; found: Layout },
): Promise<void> {
  const renames = await pendingRenames({ engine, ...sides }, uidColumns)
  if (renames.length === 0) return
  const list = renames.map(rename => `  ${rename}\n`).join('')
  throw new BootError(
    `the schema calls things otherwise than the database does, and a start renames nothing:\n${list}Nothing is lost: \`stele plan\` shows what there is to do, and \`stele apply\` does it.`,
    { kind: 'data' },
  )
}

const isRemembered = (known: RecordedLayout, wanted: readonly WantedTable[], found: Layout): boolean =>
  found.tables.has(stateTable) && JSON.stringify(merged(known, wanted, found)) === JSON.stringify(known)

/** A unique index would be a rule for the other server as well, which does not know it. */
function withoutRules(table: WantedTable, { tables }: Layout): WantedTable {
  if (isOwn(table.name) || !tables.has(table.name)) return table
  return { ...table, indexes: table.indexes.filter(({ unique }) => !unique) }
}

/** True if nothing is missing that another server of the database would miss. */
export const isUpToDate = ({ additions }: SyncPlan): boolean =>
  additions.every(({ adds, table }) => isOwn(table) || adds === 'index' || adds === 'nothing')

function preceded(engine: Engine, first: () => Promise<void>): Engine {
  return {
    ...engine,
    reader: {
      all: (sql, values) => engine.reader.all(sql, values),
      run: async (sql, values) => {
        await first()
        return engine.reader.run(sql, values)
      },
    },
    transaction: async work => {
      await first()
      return engine.transaction(work)
    },
  }
}
