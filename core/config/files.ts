import { type Dirent, realpathSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { makeEnv, type VariableReading } from './env.js'
import { isSection, merge } from './merge.js'
import { files } from './schemas.js'
import { loadFailure, parseJson } from './syntax.js'
import type { Environment } from './variable.js'

/** One file of config/ as it was written. */
export interface Source {
  /** Its name in errors: config/server, config/env/production/server. */
  readonly label: string
  readonly file: string
  readonly value: unknown
  /** The variables that it read from the environment. */
  readonly readings: readonly VariableReading[]
}

/** All that config/ says under one name, the overlay of the environment included. */
export interface ConfigFile {
  readonly value: unknown
  readonly sources: readonly Source[]
}

interface Reader {
  readonly environment: Environment
  /** The files were read before in this process. */
  readonly again?: boolean
  /** Receives notices about files of one name, of which the one is taken that another server takes; without it they are an error. */
  readonly pick?: ((notice: string) => void) | undefined
}

const extensions = ['.js', '.mjs', '.cjs', '.ts', '.json']

/** Every file of `config/`, with those of `config/env/<name>/` merged over them. */
export async function readFiles(appDir: string, name: string, reader: Reader): Promise<Map<string, ConfigFile>> {
  const found = new Map<string, ConfigFile>()
  for (const folder of ['config', `config/env/${name}`]) {
    for (const [key, file] of await namesIn(appDir, folder, reader.pick)) {
      const source = await readSource(appDir, `${folder}/${key}`, file, reader)
      const before = found.get(key)
      found.set(key, {
        value: merge(before?.value, source.value),
        sources: [...(before?.sources ?? []), source],
      })
    }
  }
  return found
}

/** Files that nothing reads and that are called nearly like one that is missing. */
export function misspeltIn(found: ReadonlyMap<string, ConfigFile>): string[] {
  const missing = Object.keys(files).filter(name => !found.has(name))
  return [...found].flatMap(([name, { sources }]) => {
    const meant = Object.hasOwn(files, name) ? undefined : nearest(name, missing)
    return meant === undefined ? [] : sources.map(({ label }) => `${label} is not read: did you mean config/${meant}?`)
  })
}

async function namesIn(appDir: string, folder: string, pick: Reader['pick']): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const entry of await entriesOf(join(appDir, folder))) {
    const extension = extname(entry.name)
    const name = entry.name.slice(0, -extension.length)
    // A dot in the name is a declaration or a test next to the setting (server.d.ts), not a setting.
    if (entry.isDirectory() || !extensions.includes(extension) || name.includes('.')) continue
    const file = `${folder}/${entry.name}`
    const other = names.get(name)
    if (other && !pick) throw new BootError(`${other} and ${file} both set "${name}"; keep one of them`)
    const taken = other && rankOf(other) > rankOf(file) ? other : file
    if (other) pick?.(`${other} and ${file} both set "${name}"; ${taken} counts`)
    names.set(name, taken)
  }
  return names
}

/** A compiled file replaces the script of its name, and JSON is read after scripts. */
const rankOf = (file: string): number => ['.mjs', '.cjs', '.js', '.json', '.ts'].indexOf(extname(file))

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new BootError(`${folder} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

async function readSource(appDir: string, label: string, file: string, reader: Reader): Promise<Source> {
  const readings: VariableReading[] = []
  const env = makeEnv(reader.environment, reading => readings.push(reading))
  try {
    const exported = await importFile(join(appDir, file), reader.again === true)
    const value: unknown = typeof exported === 'function' ? await exported({ env }) : await exported
    return { label, file, value, readings }
  } catch (cause) {
    // A file that this server does not read may import modules that are not there, such as the server that it was written for.
    if (!isRead(label)) return { label, file, value: undefined, readings }
    throw new BootError(`${file} cannot be loaded: ${await loadFailure(join(appDir, file), cause)}`, { cause })
  }
}

/** Older projects keep a secret in config/admin. */
const isRead = (label: string): boolean => [...Object.keys(files), 'admin'].includes(basename(label))

/** The export of a file, an ES module, CommonJS, TypeScript or JSON. */
async function importFile(path: string, again: boolean): Promise<unknown> {
  if (path.endsWith('.json')) return parseJson(await readFile(path, 'utf8'))
  if (path.endsWith('.ts')) return importTypeScript(path, again)
  const module: Record<string, unknown> = await import(hrefOf(path, again))
  if (!('default' in module)) throw new Error('it has no default export')
  // Compiled TypeScript marks its CommonJS and puts the default one level deeper.
  const exported = module.default
  return isSection(exported) && '__esModule' in exported ? exported.default : exported
}

/** Modules are cached by their address, and those of CommonJS by their file as well. */
function hrefOf(path: string, again: boolean): string {
  const url = pathToFileURL(path)
  if (!again) return url.href
  delete createRequire(url).cache[realpathSync(path)]
  url.searchParams.set('again', String(performance.now()))
  return url.href
}

/** The compiler is loaded only by apps that have TypeScript files. */
async function importTypeScript(path: string, again: boolean): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(path, { fsCache: false, moduleCache: !again }).import(path, { default: true })
}
