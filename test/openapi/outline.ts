import { appOutline } from '../../core/boot/app-outline.js'
import { endpointsOf } from '../../core/boot/endpoints.js'
import { findPlugins, loadConfig } from '../../core/boot/load-config.js'
import { outline } from '../../core/boot/outline.js'
import type { AppOutline, Definition } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { aboutOf } from '../../plugins/openapi/about.js'
import type { Version } from '../../plugins/openapi/document.js'
import { writeDocument } from '../../plugins/openapi/written.js'
import type { Document } from './reader.js'

type Overrides = NonNullable<Parameters<typeof loadConfig>[1]>['overrides']

/** The sample app of this repository. */
export const sampleFolder = new URL('../..', import.meta.url).pathname

/** The outline of an app, without a database. */
export async function outlineOf(
  folder: string,
  { overrides, definitions }: { overrides?: Overrides; definitions?: readonly Definition[] } = {},
): Promise<AppOutline> {
  const config = await loadConfig(folder, {
    env: { NODE_ENV: 'test' },
    bare: definitions !== undefined,
    projects: wings.foreign.projects,
    ...(overrides && { overrides }),
  })
  const plugins = await findPlugins(config, wings.foreign.projects)
  const outlined = await outline({
    wings,
    config,
    log: createLog('silent'),
    plugins,
    ...(definitions && { definitions }),
  })
  return appOutline(outlined, endpointsOf(outlined.registry, outlined.plugins), config)
}

/** The document of an app, as it is sent. */
export async function documentOf(app: AppOutline, version: Version = '3.1'): Promise<Document> {
  const about = aboutOf(app, { title: undefined, version: undefined, license: undefined, servers: ['/'] })
  const { text } = await writeDocument(app, about, version)
  return JSON.parse(text.toString()) as Document
}
