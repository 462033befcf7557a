import type { Session } from '../../engines/engine.js'
import type { RecordedLayout } from '../layout.js'

/** Kinds of changes, in the order in which they are made; `foreign` removes tables and columns that another server made. */
export const groups = [
  'renames',
  'types',
  'links',
  'additions',
  'misplaced',
  'withheld',
  'removals',
  'foreign',
] as const
export type Group = (typeof groups)[number]

/** One difference between the content types and the database, and the steps that end it. */
export interface Change {
  readonly group: Group
  /** A sentence for the operator who decides. */
  readonly describe: string
  /** The steps in their order: statements, and work that needs more than one. */
  readonly steps: readonly (string | Work)[]
  /** Rows or values that are gone afterwards. */
  readonly loses?: number
  /** The column that has the representation of the schema from then on. */
  readonly settles?: { readonly table: string; readonly column: string }
}

/** The statements of a change, and the work between them. */
export const shownSteps = ({ steps }: Pick<Change, 'steps'>): string[] =>
  steps.map(step => (typeof step === 'string' ? step : `-- ${step.describe}`))

/** A step that reads values and writes them in another form. */
export interface Work {
  readonly describe: string
  readonly rows: number
  readonly run: (session: Session, done: (rows: number) => void) => Promise<void>
}

/** Something that the content types require and that cannot be done while the data is as it is. */
export interface PreventedChange {
  readonly describe: string
  readonly statements: readonly string[]
  readonly advice: string
}

export interface Plan {
  /** The recorded layout as it is, together with the one after the changes. */
  readonly known: RecordedLayout
  readonly changes: readonly Change[]
  readonly prevented: readonly PreventedChange[]
  /** Differences that do not concern stele: they are left alone. */
  readonly notes: readonly string[]
}
