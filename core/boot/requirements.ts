import type { Engine } from '../engines/engine.js'
import type { Requirements } from '../layout/deferred-setup.js'
import { wantedTables } from '../layout/layout.js'
import { uidColumnsOf } from '../plugin/arrange.js'
import { foreignLayout } from './foreign.js'
import type { Outline } from './outline.js'
import { knownSteps } from './run-once.js'
import { settingsTable } from './stored-settings.js'

export function requirementsOf({ registry, plugins, dialect, off }: Outline, engine: Engine): Requirements {
  const settings = plugins.some(({ spec }) => spec.stored) ? [settingsTable(engine)] : []
  return {
    registry,
    tables: [...wantedTables(registry, engine, dialect), ...settings],
    uidColumns: uidColumnsOf(plugins),
    pluginsOfApp: { plugins, off },
    steps: knownSteps(plugins),
    foreign: foreignLayout,
  }
}
