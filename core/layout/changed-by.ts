import { change, rowsOf } from '../engines/built.js'
import type { Engine, Session } from '../engines/engine.js'
import { readState, stateTable, writeState } from '../engines/server/state.js'
import { BootError } from '../errors.js'
import { ownVersion } from '../kit/own-folder.js'
import { unlessTaken } from './marks.js'

/** The database's record of the versions that changed it: rows that are written with a change, never by a mere start. */
export interface VersionRecord {
  /** The version of stele that changed tables, or did a step, last; unknown where that was before it was recorded. */
  readonly version: string | undefined
  /** Steps after which a version without them must not start. */
  readonly blocking: readonly RecordedStep[]
}

/** A step as those see it that may not have it. */
export interface RecordedStep {
  readonly plugin: string
  readonly name: string
  readonly since?: string | undefined
}

/** The name of a step among all that was done to a database. */
export const stepKey = ({ plugin, name }: RecordedStep): string => `${plugin}: ${name}`

const versionRow = 'version'
const blockingRow = 'blocks older/'

export async function readChangedBy(engine: Engine): Promise<VersionRecord> {
  if (!(await engine.introspect()).tables.has(stateTable)) return { version: undefined, blocking: [] }
  const query = engine
    .knex(stateTable)
    .select('name', 'value')
    .where({ name: versionRow })
    .orWhere('name', 'like', `${blockingRow}%`)
  const rows = (await rowsOf(engine.reader, query)).map(([name, value]) => [String(name), String(value)] as const)
  return {
    version: rows.find(([name]) => name === versionRow)?.[1],
    blocking: rows.flatMap(([name, value]) => (name === versionRow ? [] : [JSON.parse(value) as RecordedStep])),
  }
}

/** Records this version as the one that changed the database last, in the transaction of the change. */
export async function recordVersion(engine: Engine, session: Session): Promise<void> {
  const version = ownVersion()
  if ((await readState(engine, session, versionRow)) !== version) await writeState(engine, session, versionRow, version)
}

/** The same after a change, where nothing else is to be recorded. */
export async function recordVersionAlone(engine: Engine): Promise<void> {
  if ((await readState(engine, engine.reader, versionRow)) === ownVersion()) return
  // A conflict means that another process, started at the same time, has written it.
  await unlessTaken(engine, () => engine.transaction(session => recordVersion(engine, session)))
}

/** Records, in the transaction of a step, that versions without it must not start. */
export async function recordBlocking({ knex }: Engine, session: Session, step: RecordedStep): Promise<void> {
  const row = { name: `${blockingRow}${stepKey(step)}`, value: JSON.stringify(step), time: Date.now() }
  await change(session, knex(stateTable).insert(row))
}

/** The plugins and steps of this version. */
export interface KnownSteps {
  readonly plugins: ReadonlySet<string>
  readonly steps: ReadonlySet<string>
}

/** Steps that keep this version out. Those of a disabled plugin are left alone like its tables. */
export const unknownSteps = ({ blocking }: VersionRecord, { plugins, steps }: KnownSteps): readonly RecordedStep[] =>
  blocking.filter(step => plugins.has(step.plugin) && !steps.has(stepKey(step)))

/** The reason why this version does not start on such a database, and the remedy; undefined if it starts. */
export function newerDatabase(changedBy: VersionRecord, known: KnownSteps): string | undefined {
  const unknown = unknownSteps(changedBy, known)
  if (unknown.length === 0) return undefined
  const list = unknown.map(step => `  ${stepText(step)}\n`).join('')
  const { version } = changedBy
  const last = version === undefined || version === ownVersion() ? '' : ` (stele ${version} changed it last)`
  return `the database was changed by a newer version${last}, in ways that this one does not know and could damage:\n${list}Nothing is lost: start the newer version again, or restore a backup from before these steps.`
}

export const stepText = (step: RecordedStep): string =>
  `${stepKey(step)}${step.since === undefined ? '' : ` (since ${step.since})`}`

/** A start that would damage a database ends before it has touched it. */
export async function refuseNewer(engine: Engine, known: KnownSteps): Promise<void> {
  const explanation = newerDatabase(await readChangedBy(engine), known)
  if (explanation !== undefined) throw new BootError(explanation, { kind: 'data' })
}
