import type { Config } from '../../config/types.js'
import type { Plan } from '../../layout/change/change.js'
import type { Sides } from '../../layout/change/renames.js'
import type { Finding } from '../../plugin/parts.js'
import type { Registry } from '../../schema/registry.js'

/** Input of the core checks: settings, and the database beside the app's requirements. */
export interface CheckInput {
  readonly config: Config
  readonly registry: Registry
  readonly sides: Sides
  readonly plan: Plan
}

/** A check of `stele doctor` that runs whatever plugins are enabled. */
export interface CoreCheck {
  readonly name: string
  readonly describe: string
  readonly run: (looked: CheckInput, report: (finding: Finding) => void) => void | Promise<void>
}
