import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../core/config/load.js'
import { boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { findPlugins } from '../../core/plugins.js'
import type { FreshDatabase } from '../support/engines.js'

/** The root of the repository, which is an app folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The sample app as `npm start` boots it, on a database of its own; whoever boots it closes it. */
export async function bootSample(
  { env }: Pick<FreshDatabase, 'env'>,
  { filled = true, environment = 'development' } = {},
) {
  const config = await loadConfig(root, {
    env: { ...env, NODE_ENV: environment },
    overrides: { plugins: { 'sample-content': { enabled: filled } } },
  })
  return boot({ config, log: createLog('silent'), plugins: await findPlugins(config) })
}
