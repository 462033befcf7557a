import path from 'node:path'
import type { Config, FoundApp } from '../../../core/index.js'
import { appKeys, type ConsolePart } from './part.js'

/** The extensions of one plugin, or those of the app, which are the plugin's own. */
export interface Source {
  /** The name of the plugin. */
  readonly name: string
  /** Its name in sentences: `plugin colour`, `config/console`. */
  readonly says: string
  readonly part: ConsolePart
  /** Undefined where it cannot be known. */
  readonly folder: string | undefined
}

/** Plugins with their parts that others read. */
type Declaring = FoundApp['plugins']

/** The name of the plugin itself: the extensions of the app are among its parts. */
const ofApp = 'console'

/** The extensions that `config/console` declares, as a part of the plugin itself. */
export function partOfApp({ console: written, appDir }: Pick<Config, 'console' | 'appDir'>): ConsolePart | undefined {
  const keys = appKeys.filter(key => Object.hasOwn(Object(written), key))
  if (keys.length === 0) return undefined
  const part = Object.fromEntries(keys.map(key => [key, (written as ConsolePart)[key]]))
  return { ...part, folder: path.join(appDir, 'console') }
}

/** All that extends the page, in the order in which the plugins start. */
export function sourcesOf(plugins: Declaring): readonly Source[] {
  return plugins.flatMap(({ name, file, parts: { console: part } }) => {
    if (!part) return []
    const says = name === ofApp ? 'config/console' : `plugin ${name}`
    return [{ name, says, part, folder: folderOf(part, file) }]
  })
}

function folderOf({ folder = 'console' }: ConsolePart, file: string | undefined): string | undefined {
  if (path.isAbsolute(folder)) return folder
  return file === undefined ? undefined : path.resolve(path.dirname(file), folder)
}

/** Origins that modules of the page may send requests to. */
export const connectsOf = (plugins: Declaring): readonly string[] => [
  ...new Set(sourcesOf(plugins).flatMap(({ part }) => part.connects ?? [])),
]
