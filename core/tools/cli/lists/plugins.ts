import { isDeepStrictEqual } from 'node:util'
import { endpointsOf } from '../../../boot/endpoints.js'
import type { BootOptions } from '../../../boot/start.js'
import type { DialectName } from '../../../dialect.js'
import { counted } from '../../../kit/counted.js'
import { maskUrl } from '../../../log.js'
import { checkSettings, type RawPlugin, usualSettings } from '../../../plugin/arrange.js'
import { commandsIn, usesOf } from '../../../plugin/declared.js'
import type { OfferedPlugin } from '../../../plugin/plugin.js'
import { findApp, openApp } from '../app.js'
import type { Io } from '../io.js'
import { type ListOptions, printList } from './table.js'

/** Lists the plugins: the enabled ones, the reasons, and the parts that each adds. Nothing is opened. */
export async function listPlugins(options: ListOptions, io: Io): Promise<void> {
  const found = await findApp(options, io, 'look', 'error')
  const { registry, plugins: on, dialectName } = await openApp(found, 'outline')
  const routes = endpointsOf(registry, on).map(({ plugin }) => plugin)
  const rows = (await offeredBy(found)).map(({ plugin, enabled, why, from }) => {
    const running = enabled ? on.find(one => one.spec.name === plugin.name) : undefined
    const spec = running?.spec ?? (plugin as RawPlugin)
    const { name, params = {}, fieldTypes = [], contentTypes = [], formats = {} } = spec
    const settings = running?.config
    return {
      name,
      on: enabled,
      why: why ?? null,
      from: from ?? 'stele',
      needs: usesOf(spec).needs,
      neededBy: on.filter(one => usesOf(one.spec).needs.includes(name)).map(one => one.spec.name),
      parameters: Object.keys(params),
      fieldTypes: fieldTypes.map(type => type.name),
      types: contentTypes.map(({ uid }) => uid),
      formats: Object.keys(formats),
      commands: commandsIn(spec).map(command => command.name),
      routes: routes.filter(owner => owner === name).length,
      settings: settings ? changedSettings(spec, settings, dialectName) : {},
    }
  })
  printList(rows, options, io, ({ name, on: isOn, why, neededBy, from, settings, ...adds }) => ({
    plugin: name,
    on: isOn ? 'on' : 'off',
    why: neededBy.length > 0 ? `${why}; needed by ${neededBy.join(', ')}` : why,
    from,
    adds: summary(adds),
    settings: Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`),
  }))
}

async function offeredBy({ config, plugins, unmentioned }: BootOptions): Promise<readonly OfferedPlugin[]> {
  // A project of another server has decided about every plugin already, by those that are standard there.
  return config.project === 'stele' ? [...plugins, ...((await unmentioned?.()) ?? [])] : plugins
}

interface Additions {
  readonly parameters: readonly string[]
  readonly fieldTypes: readonly string[]
  readonly types: readonly string[]
  readonly routes: number
  readonly commands: readonly string[]
}

/** The parts of a plugin in a few words: names if users write them, otherwise counts. */
function summary({ parameters, fieldTypes, types, routes, commands }: Additions): string[] {
  const named = (word: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${word}${names.length === 1 ? '' : 's'} ${names.join(' ')}`]
  const numbered = (word: string, count: number) => (count === 0 ? [] : [counted(count, word)])
  return [
    ...named('parameter', parameters),
    ...named('field type', fieldTypes),
    ...numbered('content type', types.length),
    ...numbered('route', routes),
    ...numbered('command', commands.length),
  ]
}

type Settings = Readonly<Record<string, unknown>>

/** The settings that differ from the plugin's defaults, by their paths, with secrets covered. */
function changedSettings(spec: RawPlugin, settings: Settings, dialect: DialectName): Settings {
  let usual: Settings = {}
  try {
    usual = checkSettings(spec, usualSettings(spec, dialect))
  } catch {
    // With required settings there are no defaults to compare with, so all settings are shown.
  }
  return Object.fromEntries(differences(settings, usual, []))
}

function differences(value: unknown, usual: unknown, path: readonly string[]): [string, unknown][] {
  if (isDeepStrictEqual(value, usual)) return []
  if (isPlain(value) && !isSecret(path))
    return Object.entries(value).flatMap(([name, inner]) =>
      differences(inner, isPlain(usual) ? usual[name] : undefined, [...path, name]),
    )
  return [[path.join('.'), shown(value, path)]]
}

const isPlain = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (path: readonly string[]): boolean =>
  /secret|salt|passw|token|credential|authorization|cookie|key|^auth$|^pass$/i.test(path.at(-1) ?? '')

function shown(value: unknown, path: readonly string[]): unknown {
  if (isSecret(path) && typeof value !== 'boolean') return '***'
  if (typeof value === 'function') return 'a function'
  return JSON.parse(maskUrl(JSON.stringify(value ?? null)))
}
