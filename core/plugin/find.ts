import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { loadFailure } from '../config/syntax.js'
import type { Config } from '../config/types.js'
import { BootError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { own } from '../kit/own-folder.js'
import { packageFolder } from '../kit/packages.js'
import type { RawPlugin } from './enabled.js'
import type { OfferedPlugin } from './plugin.js'
import type { AddedAttribute, AnyPlugin } from './spec.js'

/** Plugins that come with the server, by the name they have in `config/plugins`. */
const builtIn = pathToFileURL(`${own('plugins')}/`)

/** A module of the server, by its path from those plugins: compiled, or its source. */
const ownModule = (name: string): URL | undefined =>
  ['js', 'ts'].map(extension => new URL(`${name}.${extension}`, builtIn)).find(existsSync)

/** Finds the plugins that `config/plugins` names: those of the server, files of the app, and packages. */
export async function namedPlugins(config: Pick<Config, 'plugins' | 'appDir'>): Promise<OfferedPlugin[]> {
  const found: OfferedPlugin[] = []
  for (const [name, { enabled, resolve, config: settings }] of Object.entries(config.plugins)) {
    const place = await locate(name, resolve, config.appDir)
    const why = `config/plugins turns it ${enabled ? 'on' : 'off'}`
    if (place) {
      const plugin = await load(name, place)
      const about = { enabled, config: settings, why, file: fileOf(place) }
      found.push({ plugin, ...about, ...(resolve && { from: resolve }) })
    }
    if (!place && enabled)
      throw new BootError(
        `config/plugins: there is no plugin "${name}"; ${meant(name)}stele brings ${builtIns().join(', ')}, and others need resolve: './path/to/it.js' or the name of a package`,
      )
  }
  return found
}

/** The plugin in a file of the app. */
export const pluginAt = async (name: string, resolve: string, appDir: string): Promise<AnyPlugin> =>
  load(name, (await locate(name, resolve, appDir)) as string)

function meant(name: string): string {
  const near = nearest(name, builtIns())
  return near === undefined ? '' : `did you mean "${near}"? `
}

/** The plugins that come with the server. */
export const builtInPlugins = (wanted: (name: string) => boolean = () => true): Promise<AnyPlugin[]> =>
  Promise.all(
    builtIns()
      .filter(wanted)
      .map(async name => load(name, (await locate(name, undefined, '')) as string)),
  )

/**
 * The names that built-in plugins list in the meta of entries, whether they are enabled or not: each exports its names from a
 * file of its own, as clients find the same envelope in every app, and a disabled plugin is not loaded for that.
 */
export const listedInMeta = async (): Promise<string[]> =>
  (await saidApart('entry-meta')).flatMap(({ inMeta = {} }) => Object.keys(inMeta))

/**
 * The keys of schema files that built-in plugins know, whether they are enabled or not: each says them in a file of its own,
 * so that a type which only turns one of them off loads none.
 */
export const schemaWords = (): Promise<SaidApart[]> => saidApart('schema-words')

/** Lets built-in plugins prepare for settings of another server's folder, which may ask for what only they have. */
export async function prepareSettings(appDir: string): Promise<void> {
  for (const name of builtIns()) {
    const place = ownModule(`${name}/before-settings`)
    if (place) (await import(place.href)).beforeSettings(appDir)
  }
}

type SaidApart = Pick<RawPlugin, 'name' | 'words'> & Pick<AddedAttribute, 'inMeta'>

/** The exports of a file that built-in plugins have for reading without loading them. */
const saidApart = (file: string): Promise<SaidApart[]> =>
  Promise.all(
    builtIns().flatMap(name => {
      const place = ownModule(`${name}/${file}`)
      return place ? [import(place.href).then(said => ({ ...said, name }))] : []
    }),
  )

/** A folder without an index is no plugin: it has parts that several plugins share. */
const builtIns = (): string[] =>
  readdirSync(builtIn, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && ownModule(`${entry.name}/index`))
    .map(({ name }) => name)

async function locate(name: string, resolve: string | undefined, appDir: string): Promise<string | undefined> {
  if (resolve?.startsWith('.') || (resolve !== undefined && path.isAbsolute(resolve)))
    return pathToFileURL(path.resolve(appDir, resolve)).href
  if (resolve !== undefined) return packageOf(name, resolve, appDir)
  return ownPlace(name)?.href
}

/** The file of a plugin that comes with the server. */
const ownPlace = (name: string): URL | undefined => (/^[a-z0-9-]+$/.test(name) ? ownModule(`${name}/index`) : undefined)

/** A package is looked for from the app's folder: the server may be installed somewhere else. */
async function packageOf(name: string, wanted: string, appDir: string): Promise<string> {
  const { createJiti } = await import('jiti')
  const found = createJiti(pathToFileURL(`${appDir}/`).href).esmResolve(wanted, { try: true })
  if (!found) throw new BootError(`config/plugins: ${name} could not be found: ${whyNoPackage(wanted, appDir)}`)
  return found
}

/** Says whether a package is missing, or is there and leads nowhere, as one does that was not built. */
function whyNoPackage(wanted: string, appDir: string): string {
  const [, name = wanted, below = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(wanted) ?? []
  const folder = packageFolder(name, appDir)
  if (folder === undefined) return `the app has no package "${name}"; install it in ${appDir}`
  const { exports, main } = packageFile(folder)
  const leads =
    exports === undefined ? (below === '' ? (main ?? './index.js') : `.${below}`) : target(exports, `.${below}`)
  const where = `the package "${name}" is in ${folder}`
  return leads === undefined
    ? `${where}, and the "exports" of its package.json have no entry for ".${below}" that can be imported`
    : `${where}, and its package.json leads to ${leads}, which does not exist; was it built?`
}

function packageFile(folder: string): { readonly exports?: unknown; readonly main?: string } {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

/** The file that `exports` name for an entry, whether it exists or not. */
function target(exports: unknown, entry: string): string | undefined {
  if (typeof exports !== 'object' || exports === null) return entry === '.' ? condition(exports) : undefined
  const byEntry = exports as Readonly<Record<string, unknown>>
  const hasEntries = Object.keys(byEntry).some(key => key.startsWith('.'))
  return hasEntries ? condition(byEntry[entry]) : entry === '.' ? condition(byEntry) : undefined
}

/** The file that an `exports` condition of a package chooses. */
function condition(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = ['import', 'node', 'default'].includes(key) ? condition(inner) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const fileOf = (place: string): string => (place.startsWith('file:') ? fileURLToPath(place) : place)

async function load(name: string, place: string): Promise<AnyPlugin> {
  let exported: Record<string, unknown>
  const file = fileOf(place)
  if (!existsSync(file)) throw new BootError(`config/plugins: ${name} could not be loaded: there is no file ${file}`)
  try {
    exported = needsCompiler(place) ? await importTypeScript(place) : await importScript(place)
  } catch (cause) {
    throw new BootError(`config/plugins: ${name} could not be loaded: ${await loadFailure(file, cause)}`, {
      cause,
    })
  }
  const candidates = [...Object.values(exported), (exported.default as Record<string, unknown> | undefined)?.default]
  const plugin = candidates.find(value => (value as { name?: unknown } | undefined)?.name === name)
  if (!plugin) throw new BootError(`config/plugins: ${file} exports no plugin named "${name}"${offered(candidates)}`)
  return plugin as AnyPlugin
}

/** The plugins that a module exports under other names than the one it was asked for. */
function offered(candidates: readonly unknown[]): string {
  const names = candidates
    .map(value => (value as { name?: unknown } | undefined)?.name)
    .filter(name => typeof name === 'string')
    .map(name => `"${name}"`)
  if (names.length === 0) return ": a plugin is a value such as definePlugin({ name: '...' }), exported under any name"
  return `, but ${[...new Set(names)].join(', ')}; the key in config/plugins is the name of the plugin`
}

/**
 * Newer versions of Node.js load TypeScript by themselves, but only a part of the language: no enums, and no types that are
 * imported like values. Plugins of apps are compiled on every version. Those of the server run as they are.
 */
const needsCompiler = (place: string): boolean => /\.[cm]?ts$/.test(place) && !place.startsWith(builtIn.href)

async function importScript(place: string): Promise<Record<string, unknown>> {
  try {
    return await import(place)
  } catch (reason) {
    if (!lacksCompiler(reason as NodeJS.ErrnoException)) throw reason
    return importTypeScript(place)
  }
}

/** True if a script imports TypeScript that this Node.js cannot load, or the server by its name although it is not installed. */
const lacksCompiler = ({ code = '', message }: NodeJS.ErrnoException): boolean =>
  [
    'ERR_UNKNOWN_FILE_EXTENSION',
    'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
    'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  ].includes(code) ||
  (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'stele'"))

async function importTypeScript(place: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { alias: ownModules() }).import(place)
}

/**
 * Aliases that resolve the server's name, in a plugin's imports, to this server and its plugins, whatever copy is installed near
 * the plugin.
 */
function ownModules(): Record<string, string> {
  const names = [
    ['stele', '../core/index'],
    ['stele/kit', '../core/plugin-kit'],
    ...builtIns().map(name => [`stele/plugins/${name}`, `${name}/index`]),
  ]
  return Object.fromEntries(names.map(([name = '', file = '']) => [name, fileURLToPath(ownModule(file) as URL)]))
}
