import type { Definition } from '../../../core/index.js'
import { needless } from '../not-carried.js'
import { env } from '../packages/utils/env.js'
import type { Language } from '../project/language.js'
import { mergeOver } from '../project/paths.js'
import type { Bag, LoadedPlugin, Loose, Plugins, Runtime } from '../types.js'
import { extended } from './extended.js'
import { PluginFiles } from './files.js'
import { AbsentPlugin, type FoundPlugin, findPlugins } from './found.js'
import { moduleOf } from './module.js'
import { isOurs, type Ours, oursOf, settingOf } from './ours/index.js'
import { absentPlugin, isOfStrapi } from './ours/others.js'
import { loadPlugin } from './server.js'
import { type Schemas, typesOfPlugins, withLateAttributes, withOwnAttributes } from './types-of.js'

/** The facts about a runtime that this room needs beside what all do. */
interface PluginRuntime extends Runtime {
  readonly language: Language
  readonly customFields: ReadonlyMap<string, string>
}

/** The plugins of one app as its code sees them: those of this server, local and installed ones, with what extensions change. */
export function createPlugins(runtime: PluginRuntime): Plugins {
  const modules = new Map<string, Loose>()
  const more = new Map<string, Bag>()
  let before: Schemas = new Map()
  const plugins = () => runtime.project.plugins
  const files = new PluginFiles({ strapi: runtime.strapi, pluginOf: name => plugins().get(name) })
  const isOff = (name: string) => isOurs(name) || runtime.app.config.plugins[name]?.enabled === false
  return {
    async load() {
      const { app, project, strapi, fail } = runtime
      const all: LoadedPlugin[] = []
      for (const one of oursOf(runtime, name => settingsIn(runtime, name))) {
        all.push(one.plugin)
        files.made(one.plugin)
        more.set(one.plugin.name, moreOf(one))
      }
      before = schemasOf(all)
      all.push(...ownPlugins(runtime))
      for (const plugin of all) {
        strapi.config.set(['plugin', plugin.name], plugin.config)
        const extension = project.extensions.get(plugin.name)
        const whole = await extended(plugin, extension, { appDir: app.appDir, fail })
        project.plugins.set(plugin.name, whole)
      }
      tellOfIdle(runtime)
    },
    partsOf: () => ({
      contentTypes: withLateAttributes(typesOfPlugins(plugins().values(), runtime.customFields), runtime.strapi),
    }),
    definitionsOf: (definitions: readonly Definition[]) =>
      withLateAttributes(withOwnAttributes(definitions, plugins().values(), before), runtime.strapi),
    settingOf: key => settingOf(runtime, key),
    pluginOf(name) {
      const known = modules.get(name)
      if (known) return known
      const plugin = plugins().get(name)
      const made = plugin
        ? moduleOf(plugin, runtime, more.get(name))
        : isOff(name)
          ? undefined
          : absentPlugin(name, runtime)
      if (made !== undefined) modules.set(name, made)
      return made
    },
    fileOf: (name, file) => files.of(name, file),
  }
}

const moreOf = ({ more = {} }: Ours): Bag => more

/** The settings of a plugin in `config/plugins`, over what Strapi's own begin with. */
function settingsIn({ app }: Runtime, name: string): Bag {
  const usual = usualSettings[name]?.() ?? {}
  return mergeOver(usual, app.config.plugins[name]?.config ?? {})
}

const usualSettings: Readonly<Record<string, () => Bag>> = {
  'users-permissions': () => ({
    jwtSecret: env('JWT_SECRET'),
    jwt: { expiresIn: '30d' },
    ratelimit: { interval: 60000, max: 10 },
    layout: { user: { actions: {} } },
    callback: { validate: () => true },
    register: { allowedFields: [] },
  }),
  upload: () => ({
    provider: 'local',
    breakpoints: { large: 1000, medium: 750, small: 500 },
    providerOptions: {},
    actionOptions: {},
  }),
  email: () => ({ provider: 'sendmail', providerOptions: {}, settings: { defaultFrom: 'no-reply@localhost' } }),
}

/** Local and installed plugins, loaded; what is wrong with one is told, and the others are loaded. */
function ownPlugins(runtime: PluginRuntime): LoadedPlugin[] {
  const { app, language, project, fail } = runtime
  const dependencies = Object.keys(project.config.get(['info', 'dependencies'], {}))
  let found: FoundPlugin[] = []
  try {
    found = findPlugins(
      app.config,
      dependencies.filter(name => !name.startsWith('@strapi/')),
      name => isOurs(name) || isOfStrapi(name),
    )
  } catch (error) {
    if (!(error instanceof AbsentPlugin)) throw error
    fail({ file: 'config/plugins', says: `config/plugins: ${error.message}` })
  }
  const settingsOf = (name: string) => settingsIn(runtime, name)
  return found
    .filter(({ name, isEnabled }) => isEnabled && !isNeedless(runtime, name))
    .flatMap(plugin => loadPlugin(plugin, { appDir: app.appDir, language, settingsOf, fail }) ?? [])
}

function isNeedless({ log }: Pick<Runtime, 'log'>, name: string): boolean {
  const why = Object.hasOwn(needless, name) ? needless[name] : undefined
  if (why !== undefined) log.warn(`the plugin ${name} is not loaded: ${why}`)
  return why !== undefined
}

/** The schemas of the types, as no code has changed them yet. */
const schemasOf = (plugins: readonly LoadedPlugin[]): Schemas =>
  new Map(
    plugins.flatMap(({ name, server }) =>
      Object.entries((server.contentTypes ?? {}) as Bag).map(
        ([key, { schema }]) => [`plugin::${name}.${key}`, structuredClone(schema) as Bag] as const,
      ),
    ),
  )

/** An extension of a plugin that is not here, and a part of plugins for the panel: both do nothing. */
function tellOfIdle({ project, log }: Runtime): void {
  for (const { name, file, server } of project.extensions.values())
    if (server && !project.plugins.has(name)) log.warn(`${file} is not run: this server has no plugin "${name}"`)
}
