import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPlugins, loadConfig } from '../../core/boot/load-config.js'
import type { AnyPlugin } from '../../core/index.js'
import { type App, boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { loadDefinitions } from '../../core/schema/load.js'
import { wings } from '../../core/wings.js'
import type { FreshDatabase } from '../support/engines.js'

/** The root of the repository, which is an app folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The password of the sample's account in these tests. */
export const password = 'kneaded twice'

export interface SampleOptions {
  readonly filled?: boolean
  readonly environment?: 'development' | 'production'
  /** Said over the sample's own `config/plugins`. */
  readonly plugins?: Readonly<Record<string, object>>
  /** Plugins that the sample does not have, and what its types and roles have to say for them. */
  readonly with?: readonly AnyPlugin[]
  readonly options?: Readonly<Record<string, object>>
  readonly roles?: Readonly<Record<string, object>>
  /** Attributes that its types index for `_q`. */
  readonly search?: Readonly<Record<string, readonly string[]>>
}

/** The sample app as `npm start` boots it, on a database and a folder for files of its own; the caller closes it. */
export async function bootSample(
  { env }: Pick<FreshDatabase, 'env'>,
  {
    filled = true,
    environment = 'development',
    plugins = {},
    with: more = [],
    options = {},
    roles = {},
    search = {},
  }: SampleOptions = {},
): Promise<App> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stele-files-'))
  const config = await loadConfig(root, {
    env: { ...env, NODE_ENV: environment },
    overrides: {
      permissions: { roles },
      plugins: {
        'sample-content': { enabled: filled, config: { password } },
        'users-permissions': { enabled: true, config: { jwtSecret: 'a secret for tests' } },
        'api-tokens': { enabled: true, config: { salt: 'a salt for tests' } },
        upload: { enabled: true, config: { folder } },
        ...plugins,
      },
    },
  })
  const definitions = loadDefinitions(root).map(definition => {
    const [, name = ''] = definition.uid.split('.')
    const { schema } = definition
    const { [name]: searched } = search
    return {
      ...definition,
      schema: {
        ...schema,
        options: { ...(schema.options as object), ...options[name] },
        ...(searched && { search: searched }),
      },
    }
  })
  const added = more.map(plugin => ({ plugin, enabled: true, config: {} }))
  const app = await boot({
    wings,
    config,
    definitions,
    log: createLog('silent'),
    plugins: [...(await findPlugins(config)), ...added],
  })
  const close = async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...app, close }
}
