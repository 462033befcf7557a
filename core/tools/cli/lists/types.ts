import type { BootOptions } from '../../../boot/start.js'
import type { Config } from '../../../config/types.js'
import { rowsOf } from '../../../engines/built.js'
import { checkSettings, type RawPlugin } from '../../../plugin/arrange.js'
import { appliesTo } from '../../../plugin/declared.js'
import { foreignTargetSentence } from '../../../schema/foreign-targets.js'
import type { Registry } from '../../../schema/registry.js'
import type { ContentType } from '../../../schema/types.js'
import { findApp, openApp } from '../app.js'
import type { Io } from '../io.js'
import { type ListOptions, printList } from './table.js'

export interface TypesOptions extends ListOptions {
  readonly count?: true
}

/** Lists the content types and components, with the unserved parts of their files and the reasons. */
export async function listTypes(options: TypesOptions, io: Io): Promise<void> {
  const found = await findApp(options, io, 'look', 'error')
  const { registry, plugins } = await openApp(found, 'outline')
  const types = [...registry.types.values()]
  const counts = options.count ? await countRows(found, types) : undefined
  const asleep = await specsThatAreOff(found)
  const rows = types.map(type => ({
    uid: type.uid,
    kind: type.kind,
    table: type.table,
    path: pathOf(type, found.config),
    ...(counts && { rows: counts.get(type.uid) ?? null }),
    options: { ...type.options, ...type.pluginOptions },
    plugins: plugins
      .filter(({ spec, config }) => spec.appliesTo && appliesTo(spec, config, type))
      .map(({ spec }) => spec.name),
    notServed: [...notesOf(type, registry), ...asleep.flatMap(spec => missing(spec, type))],
    source: type.source,
  }))
  printList(rows, options, io, ({ options: said, source: _, notServed, plugins: taking, ...row }) => ({
    ...row,
    options: words(said),
    plugins: taking,
    'not served': notServed.join('; '),
  }))
}

function pathOf(
  { routed, withoutEndpoints, kind, singularName, pluralName }: ContentType,
  { api }: Config,
): string | null {
  return routed && !withoutEndpoints ? `${api.prefix}/${kind === 'singleType' ? singularName : pluralName}` : null
}

/** Notes from reading a type's file. */
function notesOf({ uid, source }: ContentType, { notes, foreignTargets }: Registry): string[] {
  const start = `${source}: `
  return [
    ...notes.filter(note => note.startsWith(start)).map(note => note.slice(start.length)),
    ...foreignTargets.filter(target => target.uid === uid).map(foreignTargetSentence),
  ]
}

async function specsThatAreOff({ plugins, unmentioned }: BootOptions): Promise<RawPlugin[]> {
  const off = plugins.filter(({ enabled }) => !enabled)
  const others = ((await unmentioned?.()) ?? []).filter(({ plugin }) =>
    plugins.every(known => known.plugin.name !== plugin.name),
  )
  return [...off, ...others].map(({ plugin }) => plugin as RawPlugin)
}

/** The options in a type's file that belong to a disabled plugin. */
function missing(spec: RawPlugin, type: ContentType): string[] {
  if (!spec.appliesTo || !type.routed || !(spec.words?.options ?? spec.words?.pluginOptions)) return []
  try {
    return appliesTo(spec, checkSettings(spec, {}), type)
      ? [`what it asks of ${spec.name}: the plugin is disabled`]
      : []
  } catch {
    // Plugins with required settings cannot be enabled here, where their settings are unknown.
    return []
  }
}

/** `{ draftAndPublish: true, i18n: { localized: true } }` is `draftAndPublish, i18n.localized`. */
function words(options: object, path = ''): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const at = path + name
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return words(value, `${at}.`)
    return value === false ? [] : [value === true ? at : `${at}=${JSON.stringify(value)}`]
  })
}

/** Types whose table is yet to be made have no count. */
async function countRows(found: BootOptions, types: readonly ContentType[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const { engine } = await openApp(found, 'database')
  try {
    const { tables } = await engine.introspect()
    for (const { uid, table } of types) {
      if (!tables.has(table)) continue
      const [row] = await rowsOf(engine.reader, engine.knex(table).count('*'))
      counts.set(uid, Number(row?.[0]))
    }
    return counts
  } finally {
    await engine.close()
  }
}
