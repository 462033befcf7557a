import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForeignProject } from '../../plugin/foreign.js'
import { partsBeside } from './beside.js'
import { codePlugin } from './code-plugin.js'
import { withBaseTypes } from './custom-fields.js'
import { dependenciesOf } from './dependencies.js'
import { readMiddlewares } from './middlewares.js'
import { notRun } from './parts.js'
import { offered } from './plugins.js'
import { unroutedIn } from './unrouted.js'

/** The folder of a Strapi 4 project. */
export const strapi4Project: ForeignProject = {
  kind: 'strapi4',
  code: {
    plugin: codePlugin,
    variable: 'STELE_STRAPI_CODE',
    values: {
      0: { enabled: false },
      refuse: { enabled: false },
      ignore: { config: { run: 'ignore' } },
      1: { enabled: true, config: { run: 'run' } },
    },
  },
  detect,
  server: files => readMiddlewares(files.get('middlewares')?.value).server,
  offered,
  definitions: withBaseTypes,
  unrouted: unroutedIn,
  beside: partsBeside,
  notRun,
}

async function detect(appDir: string): Promise<boolean> {
  if ((await dependenciesOf(appDir)).includes('@strapi/strapi')) return true
  const [theirs, ours] = await Promise.all([isFolder(join(appDir, 'src/api')), isFolder(join(appDir, 'content-types'))])
  return theirs && !ours
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
