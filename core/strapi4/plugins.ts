import type { Config } from '../config/types.js'
import type { RawPlugin } from '../plugin/arrange.js'
import type { OfferedPlugin } from '../plugin/offered.js'
import type { AnyPlugin } from '../plugin/spec.js'
import { dependenciesOf } from './dependencies.js'
import { usableSettings } from './supported-settings.js'

/**
 * In a project of Strapi 4, `config/plugins` speaks of plugins of that server. Those that this one has too take its
 * settings as far as they know them; they are enabled where they would be there.
 */
export async function offered(config: Config, builtIn: readonly AnyPlugin[]): Promise<OfferedPlugin[]> {
  const dependencies = await dependenciesOf(config.appDir)
  return builtIn.map(plugin => {
    const spec = plugin as RawPlugin
    const said = Object.hasOwn(config.plugins, plugin.name) ? config.plugins[plugin.name] : undefined
    return {
      plugin,
      ...(chosen(spec, said?.enabled) ?? standing(spec, dependencies)),
      config: usableSettings(said?.config ?? {}, spec.config).settings,
    }
  })
}

/** What `config/plugins` says: it turns off what is standard there, and turns on what Strapi 4 does not have. */
function chosen({ standardIn }: RawPlugin, enabled: boolean | undefined): Standing | undefined {
  if (enabled === false) return { enabled, why: 'config/plugins turns it off' }
  return enabled && standardIn?.strapi4 === undefined ? { enabled, why: 'config/plugins turns it on' } : undefined
}

type Standing = Pick<OfferedPlugin, 'enabled' | 'why'>

function standing({ standardIn: { strapi4: needed } = {} }: RawPlugin, dependencies: readonly string[]): Standing {
  if (needed === undefined) return { enabled: false, why: 'it is no part of Strapi 4 projects' }
  if (needed === true) return { enabled: true, why: 'it is standard in Strapi 4 projects' }
  // Without a list of packages there is nothing that it could lack.
  return dependencies.length === 0 || dependencies.includes(needed)
    ? { enabled: true, why: `it is standard in Strapi 4 projects with ${needed}` }
    : { enabled: false, why: `the project does not depend on ${needed}` }
}
