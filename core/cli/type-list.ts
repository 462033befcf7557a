import { existsSync } from 'node:fs'
import { appliesTo, checkSettings, type RawPlugin } from '../boot/arrange.js'
import { connect } from '../boot/connect.js'
import type { Config } from '../config/types.js'
import { type BootOptions, outline } from '../kernel.js'
import type { ContentType } from '../schema/types.js'
import { rowsOf } from '../store/built.js'
import { type AppOptions, findApp } from './app.js'
import { printList } from './table.js'

type Options = AppOptions & { readonly json?: true; readonly count?: true }

/** Lists the content types and components, and what of their files is not served, and why. */
export async function listTypes(options: Options): Promise<void> {
  const found = await findApp(options, 'look', 'error')
  const { registry, plugins } = await outline(found)
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
    notServed: [...notesOf(type, registry.notes), ...asleep.flatMap(spec => missing(spec, type))],
    source: type.source,
  }))
  printList(rows, options.json, ({ options: said, source: _, notServed, plugins: taking, ...row }) => ({
    ...row,
    options: words(said),
    plugins: taking,
    'not served': notServed.join('; '),
  }))
}

function pathOf({ routed, kind, singularName, pluralName }: ContentType, { api }: Config): string | null {
  return routed ? `${api.prefix}/${kind === 'singleType' ? singularName : pluralName}` : null
}

/** What was told about a type when its file was read. */
function notesOf({ source }: ContentType, notes: readonly string[]): string[] {
  const start = `${source}: `
  return notes.filter(note => note.startsWith(start)).map(note => note.slice(start.length))
}

async function specsThatAreOff({ plugins, unmentioned }: BootOptions): Promise<RawPlugin[]> {
  const off = plugins.filter(({ enabled }) => !enabled)
  const others = ((await unmentioned?.()) ?? []).filter(({ plugin }) =>
    plugins.every(known => known.plugin.name !== plugin.name),
  )
  return [...off, ...others].map(({ plugin }) => plugin as unknown as RawPlugin)
}

/** A type may ask in its file for what a plugin does that is off. */
function missing(spec: RawPlugin, type: ContentType): string[] {
  if (!spec.appliesTo || !type.routed) return []
  try {
    return appliesTo(spec, checkSettings(spec, {}), type) ? [`what it asks of ${spec.name}: the plugin is off`] : []
  } catch {
    // It cannot be on without settings, and nobody can tell with which.
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
async function countRows({ config, log }: BootOptions, types: readonly ContentType[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  // Opening a file of SQLite would make it.
  if (config.database.client === 'sqlite' && !existsSync(config.database.filename ?? '')) return counts
  const engine = await connect(config, log)
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
