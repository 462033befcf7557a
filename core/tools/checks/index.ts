import type { CoreCheck } from './check.js'
import { indexCheck } from './indexes.js'
import { layoutCheck } from './layout.js'
import { listCheck } from './lists.js'
import { orphanCheck } from './orphans.js'
import { rightsCheck } from './rights.js'
import { searchCheck } from './searches.js'
import { settingsCheck } from './settings.js'

/** The checks of `stele doctor` that come before those of plugins. */
export const coreChecks: readonly CoreCheck[] = [
  settingsCheck,
  layoutCheck,
  rightsCheck,
  indexCheck,
  orphanCheck,
  listCheck,
  searchCheck,
]
