import type { Registry } from '../schema/registry.js'
import type { UidColumn } from './change/value-renames.js'
import type { Known } from './changed-by.js'
import type { ForeignLayout } from './foreign.js'
import type { WantedTable } from './layout.js'
import type { PluginsOfApp } from './withheld.js'

/** What an app asks of a database. */
export interface Requirements {
  readonly registry: Registry
  readonly tables: readonly WantedTable[]
  readonly uidColumns: readonly UidColumn[]
  readonly pluginsOfApp: PluginsOfApp
  /** The steps that this version can follow. */
  readonly steps: Known
  /** The other server that may have made it. */
  readonly foreign: ForeignLayout
}
