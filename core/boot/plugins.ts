import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { dependenciesOf } from '../config/project.js'
import type { Config } from '../config/types.js'
import { usable } from '../config/usable.js'
import { BootError } from '../errors.js'
import type { OfferedPlugin } from '../kernel.js'
import type { AnyPlugin } from '../plugin.js'
import type { RawPlugin } from './arrange.js'

/** Plugins that come with the server, by the name they have in `config/plugins`. */
const builtIn = new URL('../../plugins/', import.meta.url)

/** Finds the plugins that `config/plugins` names: those of the server, files of the app, and packages. */
export async function findPlugins(config: Config): Promise<OfferedPlugin[]> {
  if (config.project === 'strapi4') return findInProject(config)
  const found: OfferedPlugin[] = []
  for (const [name, { enabled, resolve, config: settings }] of Object.entries(config.plugins)) {
    const place = await locate(name, resolve, config.appDir)
    const why = `config/plugins turns it ${enabled ? 'on' : 'off'}`
    if (place)
      found.push({ plugin: await load(name, place), enabled, config: settings, why, ...(resolve && { from: resolve }) })
    else if (enabled)
      throw new BootError(
        `config/plugins: there is no plugin "${name}"; stele brings ${builtIns().join(', ')}, and others need resolve: './path/to/it.js' or the name of a package`,
      )
  }
  return found
}

/**
 * In a project of Strapi 4, `config/plugins` speaks of plugins of that server. Those that this one has too take its
 * settings as far as they know them; they are on where they would be there.
 */
async function findInProject(config: Config): Promise<OfferedPlugin[]> {
  const dependencies = await dependenciesOf(config.appDir)
  // Without a list of packages there is nothing that it could lack.
  const has = (needed: string) => dependencies.length === 0 || dependencies.includes(needed)
  const standing = ({ standardIn: { strapi4: needed } = {} }: RawPlugin): Pick<OfferedPlugin, 'enabled' | 'why'> => {
    if (needed === undefined) return { enabled: false, why: 'it is no part of Strapi 4 projects' }
    if (needed === true) return { enabled: true, why: 'it is standard in Strapi 4 projects' }
    return has(needed)
      ? { enabled: true, why: `it is standard in Strapi 4 projects with ${needed}` }
      : { enabled: false, why: `the project does not depend on ${needed}` }
  }
  return (await loadBuiltIns(() => true)).map(plugin => {
    const spec = plugin as unknown as RawPlugin
    const said = Object.hasOwn(config.plugins, plugin.name) ? config.plugins[plugin.name] : undefined
    return {
      plugin,
      ...(said?.enabled === false ? { enabled: false, why: 'config/plugins turns it off' } : standing(spec)),
      config: usable(said?.config ?? {}, spec.config),
    }
  })
}

/** The plugins that come with the server and that `config/plugins` does not speak of: off, and known by what they declare. */
export async function unmentionedPlugins({ plugins, project }: Config): Promise<OfferedPlugin[]> {
  // In a project of Strapi 4 all of them are on or off for a reason.
  if (project === 'strapi4') return []
  const unmentioned = await loadBuiltIns(name => !Object.hasOwn(plugins, name))
  return unmentioned.map(plugin => ({ plugin, enabled: false, config: {}, why: 'config/plugins does not name it' }))
}

const loadBuiltIns = (wanted: (name: string) => boolean): Promise<AnyPlugin[]> =>
  Promise.all(
    builtIns()
      .filter(wanted)
      .map(async name => load(name, (await locate(name, undefined, '')) as string)),
  )

const builtIns = (): string[] =>
  readdirSync(builtIn, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)

async function locate(name: string, resolve: string | undefined, appDir: string): Promise<string | undefined> {
  if (resolve?.startsWith('.') || (resolve !== undefined && path.isAbsolute(resolve)))
    return pathToFileURL(path.resolve(appDir, resolve)).href
  if (resolve !== undefined) return packageOf(name, resolve, appDir)
  for (const extension of ['js', 'ts']) {
    const own = new URL(`${name}/index.${extension}`, builtIn)
    if (/^[a-z0-9-]+$/.test(name) && existsSync(own)) return own.href
  }
  return undefined
}

/** A package is looked for from the app's folder: the server may be installed somewhere else. */
async function packageOf(name: string, wanted: string, appDir: string): Promise<string> {
  const { createJiti } = await import('jiti')
  const found = createJiti(pathToFileURL(`${appDir}/`).href).esmResolve(wanted, { try: true })
  if (!found) throw new BootError(`config/plugins: ${name} could not be found: the app has no package "${wanted}"`)
  return found
}

async function load(name: string, place: string): Promise<AnyPlugin> {
  let exported: Record<string, unknown>
  try {
    exported = await import(place).catch(reason => {
      if ((reason as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw reason
      return importTypeScript(place)
    })
  } catch (cause) {
    throw new BootError(`config/plugins: ${name} could not be loaded: ${(cause as Error).message}`, { cause })
  }
  const candidates = [...Object.values(exported), (exported.default as Record<string, unknown> | undefined)?.default]
  const plugin = candidates.find(value => (value as { name?: unknown } | undefined)?.name === name)
  if (!plugin) throw new BootError(`config/plugins: ${name} exports no plugin called "${name}"`)
  return plugin as AnyPlugin
}

/** What a plugin gets by the server's name is this server, whatever copy of it stands near the plugin. */
async function importTypeScript(place: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  const own = fileURLToPath(new URL('../index.js', import.meta.url))
  return createJiti(import.meta.url, { alias: { stele: own } }).import(place)
}
