import type { Dialect } from '../dialect.js'
import { ValidationError } from '../errors.js'
import type { Link } from '../schema/types.js'
import { issue } from './issue.js'

/** The position that a connected entry gets in its list. */
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
  /** The value that was sent in place of an id that no entry can have. */
  readonly sent?: string | number
}

export interface Connection extends Target {
  readonly position: Position
}

/** The change that a write makes to one relation. */
export type RelationChange =
  | {
      readonly kind: 'set'
      readonly targets: readonly Target[]
      /** Links to entries of these types stay when the others are replaced. */
      readonly keeps?: (type: string) => boolean
    }
  | {
      readonly kind: 'partial'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly Target[]
      /** An entry whose position names one that is not connected goes to the end; otherwise it is refused. */
      readonly isLoose: boolean
    }

/** A place in a body, and the dialect of complaints about it. */
export interface InputPlace {
  readonly at: readonly string[]
  readonly dialect: Dialect
}

/** The place of one relation. */
export interface RelationPlace extends InputPlace {
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

/** A refusal of one relation alone, even if the body has other faults. */
export function refused(message: string, { at, dialect }: InputPlace): ValidationError {
  return new ValidationError(message, dialect.terseErrors ? {} : { errors: [issue(at, message)] })
}
