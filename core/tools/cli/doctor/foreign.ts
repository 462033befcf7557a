import { projectOf } from '../../../boot/load-config.js'
import { foreignProjects } from '../../../foreign/known.js'
import type { App } from '../../../kernel.js'
import type { ForeignPart } from '../../../plugin/foreign.js'
import type { OfferedPlugin } from '../../../plugin/plugin.js'

export type { ForeignPart }

/** The parts of an app folder of another server that this one does not run; none of its own. */
export const foreignParts = async (
  { config, store, routes, types }: Pick<App, 'config' | 'store' | 'routes' | 'types'>,
  offered: readonly OfferedPlugin[],
): Promise<ForeignPart[]> =>
  (await projectOf(config, foreignProjects)?.notRun({ config, store, routes, types }, offered)) ?? []
