import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Config } from '../../../core/index.js'
import { packageFolder } from '../../../core/plugin-kit.js'
import type { Bag } from '../types.js'

/** A plugin of the project's own: the folder in which its `strapi-server` stands. */
export interface FoundPlugin {
  readonly name: string
  readonly folder: string
  readonly from: 'local' | 'installed'
  readonly isEnabled: boolean
}

/** A plugin that `config/plugins` names and that is not where it says. */
export class AbsentPlugin extends Error {
  constructor(name: string, resolve: string) {
    super(`${resolve} couldn't be resolved: there is no such folder or package for the plugin "${name}"`)
  }
}

/** Packages whose place plugins of this server take. */
export const replacedPackages = ['strapi-plugin-populate-deep', 'strapi-plugin-transformer']

/**
 * The plugins of a project: those that `config/plugins` finds by `resolve`, and packages among its dependencies that say of
 * themselves that they are plugins. The latter are enabled unless it says otherwise. Plugins that this server has too are
 * left to it.
 */
export function findPlugins(
  { appDir, plugins }: Pick<Config, 'appDir' | 'plugins'>,
  dependencies: readonly string[],
  isOurs: (name: string) => boolean,
): FoundPlugin[] {
  const found = new Map<string, FoundPlugin>()
  for (const [name, { enabled, resolve }] of Object.entries(plugins)) {
    if (typeof resolve !== 'string' || isPluginOfServer(resolve, appDir)) continue
    const folder = folderOf(name, resolve, appDir)
    if (!isOurs(name))
      found.set(name, { name, folder, from: isOwn(folder, appDir) ? 'local' : 'installed', isEnabled: enabled })
  }
  const known = new Set([...found.values()].map(({ folder }) => realpathSync(folder)))
  const packages = dependencies.filter(dependency => !replacedPackages.includes(dependency))
  for (const { name, folder } of packages.flatMap(dependency => pluginIn(dependency, appDir) ?? [])) {
    if (found.has(name) || known.has(realpathSync(folder)) || isOurs(name)) continue
    found.set(name, { name, folder, from: 'installed', isEnabled: plugins[name]?.enabled ?? true })
  }
  return [...found.values()]
}

/** A script that makes a plugin of this server: nothing of Strapi's. */
function isPluginOfServer(resolve: string, appDir: string): boolean {
  const file = path.resolve(appDir, resolve)
  if (!/\.[cm]?[jt]s$/.test(resolve) || !existsSync(file)) return false
  return /\bdefinePlugin\b/.test(readFileSync(file, 'utf8'))
}

/** A package of the project, or a folder: relative ones are below that of the app. */
function folderOf(name: string, resolve: string, appDir: string): string {
  const asked = createRequire(path.join(appDir, 'package.json'))
  if (!resolve.startsWith('.') && !path.isAbsolute(resolve)) {
    const [, of = resolve, below = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(resolve) ?? []
    const ofPackage = packageFolder(of, appDir)
    if (ofPackage !== undefined && isFolder(path.join(ofPackage, below))) return path.join(ofPackage, below)
    try {
      return path.dirname(asked.resolve(resolve))
    } catch {}
  }
  const place = path.resolve(appDir, resolve)
  if (isFolder(place)) return place
  if (existsSync(place)) return path.dirname(place)
  throw new AbsentPlugin(name, resolve)
}

/** Files in the folder of the app are its own code; all others are packages. */
const isOwn = (folder: string, appDir: string): boolean => {
  const names = path.relative(appDir, folder).split(path.sep)
  return names[0] !== '..' && !names.includes('node_modules')
}

const isFolder = (place: string): boolean => existsSync(place) && statSync(place).isDirectory()

/** A package that is a plugin, by the name under which it is one; undefined of any other. */
function pluginIn(dependency: string, appDir: string): Pick<FoundPlugin, 'name' | 'folder'> | undefined {
  const folder = packageFolder(dependency, appDir)
  if (folder === undefined) return undefined
  const { strapi } = packageIn(folder)
  const isPlugin = strapi?.kind === 'plugin' && typeof strapi.name === 'string' && strapi.name !== ''
  return isPlugin ? { name: strapi.name, folder } : undefined
}

function packageIn(folder: string): Bag {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}
