import type { Config } from '../config/types.js'
import { builtInPlugins, namedPlugins } from '../plugin/find.js'
import type { ForeignProject } from '../plugin/foreign.js'
import type { OfferedPlugin } from '../plugin/offered.js'
import { projectOf } from './load-config.js'

/** The plugins that an app speaks of: it names them, or they are standard in a folder of its kind. */
export async function findPlugins(config: Config, projects: readonly ForeignProject[] = []): Promise<OfferedPlugin[]> {
  const project = projectOf(config, projects)
  return project ? project.offered(config, await builtInPlugins()) : namedPlugins(config)
}

/** The plugins that come with the server and that `config/plugins` does not mention: disabled, and known by what they declare. */
export async function unmentionedPlugins({ project, plugins }: Config): Promise<OfferedPlugin[]> {
  // In the folder of another server all of them are enabled or disabled for a reason.
  if (project !== 'stele') return []
  const unmentioned = await builtInPlugins(name => !Object.hasOwn(plugins, name))
  return unmentioned.map(plugin => ({ plugin, enabled: false, config: {}, why: 'config/plugins does not name it' }))
}
