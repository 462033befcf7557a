import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Section } from '../../config/merge.js'
import type { Config } from '../../config/types.js'
import { type RawPlugin, settingsSchemaOf } from '../../plugin/arrange.js'
import { pluginAt } from '../../plugin/find.js'
import type { OfferedPlugin } from '../../plugin/plugin.js'
import type { AnyPlugin } from '../../plugin/spec.js'
import { codePlugin } from './code-plugin.js'
import { dependenciesOf } from './dependencies.js'
import { usableSettings } from './supported-settings.js'

/**
 * Reads a Strapi 4 project's `config/plugins`, which names plugins of that server. Plugins that exist here too take its
 * settings as far as they know them, and are enabled if they would be there.
 */
export async function offered(config: Config, builtIn: readonly AnyPlugin[]): Promise<OfferedPlugin[]> {
  const dependencies = await dependenciesOf(config.appDir)
  const own = await ownPlugins(config)
  const isReplaced = ({ name }: AnyPlugin) => own.some(({ plugin }) => plugin.name === name)
  const ofServer = builtIn
    .filter(plugin => !isReplaced(plugin))
    .map(plugin => {
      const spec = plugin as RawPlugin
      const said = mentionOf(config, spec)?.said
      const settings = usableSettings(said?.config ?? {}, settingsSchemaOf(spec)).settings
      if (plugin.name === codePlugin) return codeOffered(plugin, said, settings)
      return { plugin, ...(chosen(spec, said?.enabled) ?? standing(spec, dependencies)), config: settings }
    })
  return [...ofServer, ...own]
}

/**
 * The code of a project runs unless that is switched off; what it guards is not open then: its plugin answers in the place of
 * the code, unless it is told to leave everything to the standard actions.
 */
function codeOffered(plugin: AnyPlugin, said: Config['plugins'][string] | undefined, config: Section): OfferedPlugin {
  if (said?.enabled !== false) return { plugin, enabled: true, config, why: 'it is standard in Strapi 4 projects' }
  const run = config.run === 'ignore' ? 'ignore' : 'refuse'
  return {
    plugin,
    enabled: true,
    config: { ...config, run },
    why: 'the code is switched off, and its routes refuse requests',
  }
}

/** The package whose place a plugin takes in a Strapi 4 project. */
export const replacedPackage = ({ standardIn }: Pick<RawPlugin, 'standardIn'>): string | undefined =>
  typeof standardIn?.strapi4 === 'string' ? standardIn.strapi4 : undefined

/** The entry of `config/plugins` for a plugin: under its own name, or under that of the package whose place it takes. */
export function mentionOf(
  { plugins }: Pick<Config, 'plugins'>,
  spec: Pick<RawPlugin, 'name' | 'standardIn'>,
): { readonly name: string; readonly said: Config['plugins'][string] } | undefined {
  for (const name of [spec.name, replacedPackage(spec)]) {
    const said = name !== undefined && Object.hasOwn(plugins, name) ? plugins[name] : undefined
    if (name !== undefined && said) return { name, said }
  }
  return undefined
}

/** Files named in `config/plugins` that are plugins of this server; plugins of Strapi 4 are not loaded. */
async function ownPlugins({ plugins, appDir }: Config): Promise<OfferedPlugin[]> {
  const named = Object.entries(plugins).filter(([, { resolve }]) => resolve !== undefined && isScript(resolve))
  const found = await Promise.all(
    named.map(async ([name, { enabled, resolve = '', config }]): Promise<OfferedPlugin[]> => {
      const text = await readFile(path.resolve(appDir, resolve), 'utf8').catch(() => '')
      if (!/\bdefinePlugin\b/.test(text)) return []
      const why = `config/plugins turns it ${enabled ? 'on' : 'off'}`
      return [{ plugin: await pluginAt(name, resolve, appDir), enabled, config, why, from: resolve }]
    }),
  )
  return found.flat()
}

const isScript = (resolve: string): boolean =>
  /\.[cm]?[jt]s$/.test(resolve) && (resolve.startsWith('.') || path.isAbsolute(resolve))

/** The choice in `config/plugins`: it disables standard plugins, and enables those that Strapi 4 does not have. */
function chosen({ standardIn }: RawPlugin, enabled: boolean | undefined): Enablement | undefined {
  if (enabled === false) return { enabled, why: 'config/plugins turns it off' }
  return enabled && standardIn?.strapi4 === undefined ? { enabled, why: 'config/plugins turns it on' } : undefined
}

type Enablement = Pick<OfferedPlugin, 'enabled' | 'why'>

function standing({ standardIn: { strapi4: needed } = {} }: RawPlugin, dependencies: readonly string[]): Enablement {
  if (needed === undefined) return { enabled: false, why: 'it is no part of Strapi 4 projects' }
  if (needed === true) return { enabled: true, why: 'it is standard in Strapi 4 projects' }
  // Without a list of packages there is nothing of Strapi's own that it could lack.
  const isThere = dependencies.includes(needed) || (dependencies.length === 0 && needed.startsWith('@strapi/'))
  return isThere
    ? { enabled: true, why: `it is standard in Strapi 4 projects with ${needed}` }
    : { enabled: false, why: `the project does not depend on ${needed}` }
}
