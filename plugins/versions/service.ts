import { BootError, type ContentType, type Host, type TypeOutline } from '../../core/index.js'
import { type Hidden, hiddenOf } from './hidden.js'
import { VersionTable } from './table.js'

/** `config/plugins: versions.config` */
export interface Settings {
  readonly all: boolean
  readonly keep: number
  readonly deletedDays: number
}

export interface Service extends Host<Settings> {
  readonly table: VersionTable
  /** The types whose entries have versions. */
  readonly kept: readonly ContentType[]
  /** The actions without which deleted entries are hidden. */
  readonly hidden: Hidden
}

/** The action on a type that shows the versions of entries that have been deleted. */
export const deletedVersions = 'deletedVersions'

export const hasVersions = ({ uid, kind, options }: TypeOutline, { all }: Pick<Settings, 'all'>): boolean =>
  kind !== 'component' && uid.startsWith('api::') && (options.versions ?? all)

export function checkStart({ config, types }: Pick<Host<Settings>, 'config' | 'types'>): void {
  for (const type of types.types.values())
    if (type.options.versions === true && !hasVersions(type, config))
      throw new BootError(`${type.source}: options.versions is for content types of the app; remove it`)
}

export function serviceOf(host: Host<Settings>): Service {
  const kept = [...host.types.types.values()].filter(type => hasVersions(type, host.config))
  const table = new VersionTable(host)
  return { ...host, kept, table, hidden: hiddenOf(host.outline, table) }
}
