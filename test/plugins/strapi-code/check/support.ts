import { findPlugins, loadConfig } from '../../../../core/boot/load-config.js'
import { outline } from '../../../../core/boot/outline.js'
import { createLog } from '../../../../core/log.js'
import { wings } from '../../../../core/wings.js'
import { appOfCheck } from '../../../../plugins/strapi-code/check/command.js'
import type { AppOfCheck } from '../../../../plugins/strapi-code/check/index.js'

/** A project as the command finds it. */
export async function appOfFixture(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<AppOfCheck> {
  const config = await loadConfig(folder, {
    projects: wings.foreign.projects,
    env: { ...process.env, ...variables },
  })
  const plugins = await findPlugins(config, wings.foreign.projects)
  const { registry } = await outline({
    wings,
    config,
    log: createLog('silent'),
    plugins,
    asDeclared: true,
    purpose: 'look',
  })
  return appOfCheck(config, registry.types.values() as Parameters<typeof appOfCheck>[1])
}
