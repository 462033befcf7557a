import { uidColumnsOf } from '../boot/arrange.js'
import type { Outline } from '../kernel.js'
import type { Registry } from '../schema/registry.js'
import type { UidColumn } from './change/value-renames.js'
import type { Engine } from './engine.js'
import { type WantedTable, wantedTables } from './layout.js'
import { settingsTable } from './settings.js'

/** What an app asks of a database. */
export interface Wishes {
  readonly registry: Registry
  readonly tables: readonly WantedTable[]
  readonly uidColumns: readonly UidColumn[]
}

export function wishesOf({ registry, plugins, dialect }: Outline, engine: Engine): Wishes {
  const settings = plugins.some(({ spec }) => spec.stored) ? [settingsTable(engine)] : []
  return {
    registry,
    tables: [...wantedTables(registry, engine, dialect), ...settings],
    uidColumns: uidColumnsOf(plugins),
  }
}
