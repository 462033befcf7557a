import type { Dialect } from '../dialect.js'
import { ValidationError } from '../errors.js'
import type { Link } from '../schema/types.js'
import { issue } from './issue.js'

/** Where a connected entry goes. */
export type Position =
  | { readonly before: number }
  | { readonly after: number }
  | { readonly start: true }
  | { readonly end: true }

/**
 * One entry of a relation; the type is told only where any type can stand, with the attribute at its other end where that
 * is named. An id of 0 belongs to no entry.
 */
export interface Target {
  readonly id: number
  readonly type?: string
  readonly field?: string
  /** What stood in the place of an id that no entry can have. */
  readonly sent?: string | number
}

export interface Connection extends Target {
  readonly position: Position
}

/** What a write does to one relation. */
export type RelationChange =
  | {
      readonly kind: 'set'
      readonly targets: readonly Target[]
      /** Links to entries of these types stay, whatever takes the place of the others. */
      readonly keeps?: (type: string) => boolean
    }
  | {
      readonly kind: 'partial'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly Target[]
      /** An entry whose position names one that is not connected goes to the end; otherwise it is refused. */
      readonly isLoose: boolean
    }

/** Where something stands in a body, and in whose words it is refused. */
export interface Place {
  readonly at: readonly string[]
  readonly dialect: Dialect
}

/** Where one relation stands. */
export interface RelationPlace extends Place {
  readonly link: Link
}

/** The change as far as the caller's permissions allow: entries of types that the caller may not find stay as they are. */
export function withinSight(change: RelationChange, mayFind: (type: string) => boolean): RelationChange {
  const isSeen = ({ type = '' }: Target) => mayFind(type)
  const seen = <T extends Target>(target: T): T =>
    isSeen(target) ? target : { ...target, id: 0, sent: target.sent ?? target.id }
  return change.kind === 'set'
    ? { ...change, targets: change.targets.map(seen), keeps: type => !mayFind(type) }
    : { ...change, connect: change.connect.map(seen), disconnect: change.disconnect.filter(isSeen) }
}

/** A refusal of one relation alone, whatever else may be wrong with the body. */
export function refused(message: string, { at, dialect }: Place): ValidationError {
  return new ValidationError(message, dialect.terseErrors ? {} : { errors: [issue(at, message)] })
}
