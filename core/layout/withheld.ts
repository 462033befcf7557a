import type { Knex } from 'knex'
import { change, rowsOf } from '../engines/built.js'
import type { Engine, Layout, Session } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { counted } from '../kit/counted.js'
import { snakeCase } from '../schema/names.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import { countOf } from './change/counts.js'
import { stepsTable } from './marks.js'

/** Entries of one type that a plugin has hidden, and no longer would. */
export interface WithheldEntries {
  readonly plugin: string
  readonly uid: string
  readonly count: number
  /** `3 drafts of api::note.note` */
  readonly what: string
  /** The step that is recorded once they may be read. */
  readonly mark: string
}

/** The condition under which an entry is withheld: see the plugin API. */
interface WithholdingRule {
  readonly attribute: string
  readonly when?: 'set' | 'deleted'
  readonly from?: string
  readonly until?: string
  readonly noun: string
  readonly plural?: string
}

/** Someone whose types have entries that are hidden while an attribute is empty, or while it is set. */
export interface Withholder {
  readonly name: string
  readonly hides?: WithholdingRule
}

/** The plugins of an app; disabled ones declare the entries that they would withhold. */
export interface PluginsOfApp {
  readonly plugins: readonly { readonly spec: Withholder }[]
  readonly off: () => Promise<readonly Withholder[]>
}

/** The step that records that entries of a type may be read. */
export const markOf = (plugin: string, uid: string): string => `shown/${plugin}/${uid}`

/** Entries that would become readable because a plugin no longer applies to their type, and for which that was not confirmed. */
export async function withheldEntries(
  engine: Engine,
  registry: Registry,
  { plugins, off }: PluginsOfApp,
  found: Layout,
): Promise<WithheldEntries[]> {
  const types = [...registry.types.values()].filter(type => type.kind !== 'component' && hasMore(type, found))
  if (types.length === 0) return []
  const marks = await marksIn(engine, found)
  const entries: WithheldEntries[] = []
  const specs = [...plugins.map(({ spec }) => spec), ...(await off())]
  for (const { name: plugin, hides } of specs)
    for (const type of hides ? types : []) {
      if (!hides || marks.has(markOf(plugin, type.uid))) continue
      const lost = withheldBy(hides, unknownColumns(type, found), engine)
      if (!lost) continue
      const count = await countWithheld(engine, type, lost, marks.get(`left/${plugin}/${type.uid}`))
      const what = `${counted(count, hides.noun, hides.plural)} of ${type.uid}`
      if (count > 0) entries.push({ plugin, uid: type.uid, count, what, mark: markOf(plugin, type.uid) })
    }
  return entries
}

const hasMore = (type: ContentType, found: Layout): boolean => unknownColumns(type, found).length > 0

/** Columns that nothing asks for: where a plugin applies, those of its attributes are asked for. */
function unknownColumns({ table, fields, links }: ContentType, { tables }: Layout): string[] {
  const known = new Set(['id', ...[...fields.values()].map(({ column }) => column)])
  for (const { storage } of links.values()) if (storage.via === 'column') known.add(storage.column)
  return [...(tables.get(table)?.keys() ?? [])].filter(column => !known.has(column))
}

async function marksIn({ knex, reader }: Engine, { tables }: Layout): Promise<ReadonlyMap<string, number>> {
  if (!tables.has(stepsTable)) return new Map()
  const rows = await rowsOf(reader, knex(stepsTable).select('name', 'time'))
  return new Map(rows.map(([name, time]) => [String(name), Number(time)]))
}

/** The entries that a plugin withheld, if nothing asks for its attribute any more. */
function withheldBy(
  { attribute, when, from, until }: WithholdingRule,
  unknown: readonly string[],
  engine: Engine,
): Knex.QueryCallback | undefined {
  const columnOf = (name: string | undefined) =>
    name === undefined ? undefined : unknown.find(column => column === snakeCase(name))
  const [column, begins, ends] = [attribute, from, until].map(columnOf)
  if (column === undefined) return undefined
  const now = engine.encode('datetime', Date.now()) as Knex.Value
  return query => {
    if (when) query.whereNotNull(column)
    else query.whereNull(column)
    if (begins !== undefined) query.orWhere(begins, '>', now)
    if (ends !== undefined) query.orWhere(ends, '<=', now)
  }
}

/** Counts the entries that were withheld; one created since the plugin left never was. */
function countWithheld(engine: Engine, { table }: ContentType, lost: Knex.QueryCallback, left?: number) {
  const query = engine.knex(table).count().where(lost)
  if (left !== undefined)
    query.where(before =>
      before.where('created_at', '<', engine.encode('datetime', left) as Knex.Value).orWhereNull('created_at'),
    )
  return countOf(engine, query)
}

/** The start must not publish hidden entries, as it cannot know whether that is intended. */
export function refuseWithheld(entries: readonly WithheldEntries[]): void {
  if (entries.length === 0) return
  const list = entries.map(({ what, plugin }) => `  ${what}, which ${plugin} has hidden\n`).join('')
  const named = [...new Set(entries.map(({ plugin }) => plugin))].join(', ')
  throw new BootError(
    `entries would become readable, because a plugin no longer applies to their types:\n${list}Nothing is lost: \`stele apply\` makes them readable after asking. To keep them hidden, let ${named} apply to these types again; they can be deleted or changed there.`,
    { kind: 'data' },
  )
}

/** Records that the entries may be read from now on. */
export async function showEntries({ knex }: Engine, session: Session, { mark }: WithheldEntries): Promise<void> {
  await change(session, knex(stepsTable).insert({ name: mark, time: Date.now() }))
}
