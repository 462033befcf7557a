import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Section } from '../../config/merge.js'
import type { Config } from '../../config/types.js'
import type { Store } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import { type RawPlugin, settingsSchemaOf } from '../../plugin/arrange.js'
import type { ForeignPart, ForeignProject, ServedRoute } from '../../plugin/foreign.js'
import type { OfferedPlugin } from '../../plugin/plugin.js'
import { hasWork, isFactoryMade } from './code.js'
import { codePlugin } from './code-plugin.js'
import { type PluginPackage, pluginPackagesOf } from './dependencies.js'
import { readMiddlewares } from './middlewares.js'
import { routeParts } from './missing-routes.js'
import { mentionOf, replacedPackage } from './plugins.js'
import { unknownIn, usableSettings } from './supported-settings.js'

/** Looks through a project of Strapi 4; nothing of it is run for that. */
export async function notRun(
  app: Parameters<ForeignProject['notRun']>[0],
  offered: readonly OfferedPlugin[],
): Promise<ForeignPart[]> {
  const { config, store, types } = app
  const project = new Folder(config.appDir)
  const mode = modeOf(offered)
  const runs = mode === 'run'
  const unread = readMiddlewares(config.foreign.middlewares).unread.map(one => `${one} of config/middlewares`)
  const parts: ForeignPart[] = [
    ...(runs
      ? middlewaresOf(unread.filter(isStandard))
      : await codeOf(app, project, { unread, refuses: mode === 'refuse' })),
    {
      what: 'endpoints of types without a file of routes',
      where: [...types.types.values()].filter(({ withoutEndpoints }) => withoutEndpoints).map(({ uid }) => uid),
      means: 'their paths get 404, as in Strapi; entries of these types can be populated',
    },
    {
      what: 'migrations',
      where: await project.code('database/migrations'),
      means: 'they are not run; those that Strapi has run already have done their work',
    },
    {
      what: 'plugins',
      where: runs
        ? (await packagesOf(config.appDir, offered)).filter(({ name }) => name.startsWith('@strapi/')).map(nameOf)
        : [...(await pluginsOf(config, offered)), ...(await project.folders('src/plugins'))],
      means: 'what they add is not there: routes, types, field types',
    },
    {
      what: 'uninstalled plugins',
      where: runs ? await uninstalledOf(config, offered) : [],
      means: `run npm install in ${config.appDir}, or remove them; until then what they add is not there, such as their routes`,
    },
    { what: 'settings of plugins', where: settingsOf(config, offered, unknownIn), means: 'nothing here knows them' },
    {
      what: 'values of plugin settings',
      where: settingsOf(config, offered, (said, schema) => usableSettings(said, schema).unusable),
      means: 'they are of another type than these settings have here, so that the defaults count',
    },
    {
      what: 'webhooks',
      where: isOn(offered, 'events') ? [] : await webhooksIn(store),
      means: 'no webhook is called when entries or files change; with the plugin events they are',
    },
  ]
  return parts.filter(({ where }) => where.length > 0)
}

/** The way of the plugin for it with the code: it runs it, answers in its place, or leaves it aside. */
function modeOf(offered: readonly OfferedPlugin[]): unknown {
  const found = offered.find(({ plugin, enabled }) => plugin.name === codePlugin && enabled)
  return found ? (found.config.run ?? 'run') : 'ignore'
}

/** Middlewares of Strapi itself, whose work the server does as far as it can. */
const isStandard = (one: string): boolean => one.startsWith('strapi::')

const middlewaresOf = (where: readonly string[]): ForeignPart[] => [
  {
    what: 'middlewares',
    where,
    means:
      'requests do not pass them, and these settings do not count; config/server has limits of bodies, other origins and headers',
  },
]

/** The code of a project, where none of it is run. */
async function codeOf(
  { config, routes }: Pick<Parameters<ForeignProject['notRun']>[0], 'config' | 'routes'>,
  project: Folder,
  { unread, refuses }: { readonly unread: readonly string[]; readonly refuses: boolean },
): Promise<ForeignPart[]> {
  const own = (text: string) => !isFactoryMade(text)
  const cronTasks = await project.code('config', hasWork, /^cron-tasks\./)
  return [
    {
      what: 'controllers',
      where: await project.code('src/api/*/controllers', own),
      means: refuses
        ? 'requests to the routes of their actions get 501'
        : 'the standard actions answer in their place, and actions of their own do not exist',
    },
    {
      what: 'routes',
      where: await project.code('src/api/*/routes', own),
      means: refuses
        ? 'their own paths get 501, and so do standard ones of which they say something'
        : 'these paths, and what they say of standard ones, do not count; permissions decide what is open',
    },
    ...(refuses
      ? [refusedRoutes(routes, config.api.prefix)]
      : routeParts(await project.texts('src/api/*/routes'), { config, routes })),
    {
      what: 'services',
      where: await project.code('src/api/*/services', own),
      means: refuses
        ? 'requests to the standard routes that they serve otherwise get 501'
        : 'entries are read and written as the standard services do it',
    },
    {
      what: 'policies',
      where: [...(await project.code('src/api/*/policies')), ...(await project.code('src/policies'))],
      means: refuses
        ? 'the routes that they guard get 501'
        : 'permissions and tokens alone decide: what only a policy keeps closed is open',
    },
    ...middlewaresOf([
      ...(await project.code('src/api/*/middlewares')),
      ...(await project.code('src/middlewares')),
      ...unread,
    ]),
    {
      what: 'lifecycles',
      where: await project.code('src/{api,extensions}/*/content-types/*', hasWork, /^lifecycles\./),
      means: 'nothing of them happens when entries change',
    },
    {
      what: 'register and bootstrap',
      where: await project.code('src', hasWork, /^index\./),
      means: 'they are not run at start',
    },
    {
      what: 'cron tasks',
      where: cronTasks.length > 0 ? cronTasks : tasksIn(config.foreign.server),
      means: 'nothing is done at their times',
    },
    {
      what: 'extensions of plugins',
      where: await project.code('src/extensions/*', hasWork, /^strapi-server\./),
      means: 'what they change about a plugin does not count; attributes that their schema files add do',
    },
  ]
}

/** Routes at which the plugin for the code answers in its place. */
function refusedRoutes(routes: readonly ServedRoute[], prefix: string): ForeignPart {
  const own = routes.filter(({ plugin }) => plugin === codePlugin)
  return {
    what: 'routes that need the code',
    where: own.map(({ method, path: at, at: root }) => `${method} ${root === 'root' ? at : prefix + at}`),
    means: `requests to ${counted(own.length, 'route')} get 501, so that nothing answers that the code would answer or refuse`,
  }
}

/** `src/api/*` and the like are looked for folder by folder; a star is any one name. */
class Folder {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Files of code in these folders, as far as they do anything. */
  async code(
    pattern: string,
    matters: (text: string, place: string) => boolean = () => true,
    name = /./,
  ): Promise<string[]> {
    const found: string[] = []
    for (const folder of await this.#matching(pattern))
      for (const file of await this.#names(folder, false)) {
        if (!/\.[cm]?[jt]s$/.test(file) || file.endsWith('.d.ts') || !name.test(file)) continue
        const place = `${folder}/${file}`
        if (matters(await readFile(path.join(this.#root, place), 'utf8'), place)) found.push(place)
      }
    return found
  }

  /** The same files with their texts. */
  async texts(pattern: string): Promise<{ readonly place: string; readonly text: string }[]> {
    const texts = new Map<string, string>()
    const places = await this.code(pattern, (text, place) => {
      texts.set(place, text)
      return true
    })
    return places.map(place => ({ place, text: texts.get(place) as string }))
  }

  async folders(pattern: string): Promise<string[]> {
    return (await this.#names(pattern, true)).map(name => `${pattern}/${name}`)
  }

  async #matching(pattern: string): Promise<string[]> {
    const [before, names, after] = pattern.split(/[{}]/)
    if (names !== undefined)
      return (await Promise.all(names.split(',').map(name => this.#matching(`${before}${name}${after}`)))).flat()
    let folders = ['']
    for (const part of pattern.split('/'))
      folders = (
        await Promise.all(
          folders.map(async folder => {
            const names = part === '*' ? await this.#names(folder, true) : [part]
            return names.map(name => (folder === '' ? name : `${folder}/${name}`))
          }),
        )
      ).flat()
    return folders
  }

  async #names(folder: string, folders: boolean): Promise<string[]> {
    const entries = await readdir(path.join(this.#root, folder), { withFileTypes: true }).catch(() => [])
    return entries
      .filter(entry => entry.isDirectory() === folders && !entry.name.startsWith('.'))
      .map(entry => entry.name)
      .sort()
  }
}

/** Tasks that `config/server` brings itself; a file of their own is named in its place. */
function tasksIn(server: unknown): string[] {
  const { enabled, tasks } = Object(Object(server).cron) as { readonly enabled?: unknown; readonly tasks?: object }
  return enabled === true && Object.keys(tasks ?? {}).length > 0 ? ['cron.tasks of config/server'] : []
}

const isOn = (offered: readonly OfferedPlugin[], name: string): boolean =>
  offered.some(({ plugin, enabled }) => enabled && plugin.name === name)

/** Addresses of the webhooks that the panel has enabled. */
async function webhooksIn({ knex, reader }: Store): Promise<string[]> {
  const { sql, bindings } = knex('strapi_webhooks').select('name').where({ enabled: true }).toSQL().toNative()
  try {
    return (await reader.all(sql, bindings)).map(([name]) => `${name} of the panel`)
  } catch {
    // A database that this server made has no such table.
    return []
  }
}

/** Packages that are plugins of Strapi, and plugins that the config names, without those that this server has too. */
async function pluginsOf(config: Config, offered: readonly OfferedPlugin[]): Promise<string[]> {
  const packages = await packagesOf(config.appDir, offered)
  return [...packages.map(nameOf), ...namedAlone(config, offered, packages).map(entryOf)]
}

/** Enabled plugins that the code of the project needs and whose packages are not installed. */
async function uninstalledOf(config: Config, offered: readonly OfferedPlugin[]): Promise<string[]> {
  const packages = await packagesOf(config.appDir, offered)
  const isWanted = ({ plugin = '' }: PluginPackage) =>
    (config.plugins[plugin]?.enabled ?? true) && !needless.includes(plugin)
  const missing = packages.filter(one => one.isMissing && isWanted(one))
  // A folder or package that an entry names is looked for when the code is loaded.
  const entries = namedAlone(config, offered, packages).filter(
    name => config.plugins[name]?.resolve === undefined && ![...withoutPackage, ...needless].includes(name),
  )
  return [...missing.map(nameOf), ...entries.map(entryOf)]
}

/** Plugins that are part of Strapi itself and not of this server. */
const withoutPackage = ['admin', 'content-manager']

/** Plugins of which the server loads nothing, installed or not, as it does their work itself. */
const needless = ['rest-cache']

/** Enabled plugins that only `config/plugins` names. */
function namedAlone(
  { plugins }: Config,
  offered: readonly OfferedPlugin[],
  packages: readonly PluginPackage[],
): string[] {
  const isNamed = (name: string) => packages.some(one => one.plugin === name)
  const named = Object.entries(plugins).filter(
    ([name, { enabled }]) => enabled && !isPlugin(offered, name) && !isNamed(name),
  )
  return named.map(([name]) => name)
}

const entryOf = (name: string): string => `${name} of config/plugins`

const packagesOf = async (appDir: string, offered: readonly OfferedPlugin[]) =>
  (await pluginPackagesOf(appDir)).filter(
    ({ name, plugin }) =>
      !isPlugin(offered, name) && !(name.startsWith('@strapi/') && isPlugin(offered, String(plugin))),
  )

/** True if a plugin of this server has the name, or takes the place of the package with it. */
const isPlugin = (offered: readonly OfferedPlugin[], name: string): boolean =>
  offered.some(({ plugin }) => plugin.name === name || replacedPackage(plugin as RawPlugin) === name)

const nameOf = ({ name }: { readonly name: string }): string => name

/** Names of settings of enabled plugins, as far as `of` finds them in what `config/plugins` says. */
function settingsOf(
  config: Config,
  offered: readonly OfferedPlugin[],
  of: (said: Section, schema: unknown) => readonly string[],
): string[] {
  return offered.flatMap(({ plugin, enabled }) => {
    const found = mentionOf(config, plugin as RawPlugin)
    if (!found || !enabled) return []
    return of(found.said.config, settingsSchemaOf(plugin as RawPlugin)).map(name => `${found.name}.config.${name}`)
  })
}
