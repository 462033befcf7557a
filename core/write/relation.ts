import type { Dialect } from '../dialect.js'
import { type Issue, ValidationError } from '../errors.js'
import type { Link } from '../schema/types.js'
import { dotted, issue } from './issue.js'

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

/** What one attribute of an input wants of entries of one type. */
export interface Wish {
  readonly link: Link
  readonly path: readonly string[]
  readonly targets: readonly Target[]
}

/** Which entries of a type are wanted, and which of them there are. */
interface Looked {
  readonly uid: string
  readonly wishes: readonly Wish[]
  readonly found: ReadonlyMap<number, unknown>
}

/** What is named and is not there for the writer: what does not exist, and what may not be seen, in the same words. */
export function lackingTargets({ uid, wishes, found }: Looked, dialect: Dialect): Issue[] {
  const name = 'ValidationError'
  const absent = wishes
    .map(({ path, targets }) => ({ path: [...path], targets: targets.filter(({ id }) => !found.has(id)) }))
    .filter(({ targets }) => targets.length > 0)
  if (dialect.plainMessages)
    return absent.map(({ path, targets }) => ({ path, message: `${dotted(path)} ${unseen(uid, targets)}`, name }))
  const [first] = absent
  if (!first) return []
  // The message counts what is missing: an id that several items name counts once, every 0 for itself.
  const ids = absent.flatMap(({ targets }) => targets.map(({ id }) => id))
  const count = ids.filter(id => id === 0).length + new Set(ids.filter(id => id !== 0)).size
  const message = `${count} relation(s) of type ${uid} associated with this entity do not exist`
  return [{ path: dialect.terseErrors ? [] : first.path, message, name }]
}

/** Ids that one message names at most. */
const mostNamed = 10

/** Completes "<attribute> ..." with the ids as they were sent. */
function unseen(uid: string, targets: readonly Target[]): string {
  const ids = [...new Set(targets.map(({ id, sent = id }) => JSON.stringify(sent).slice(0, 40)))]
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : ''
  const named = `${ids.slice(0, mostNamed).join(', ')}${more}`
  return ids.length === 1
    ? `names an entry of ${uid} that does not exist or may not be seen: ${named}`
    : `names ${ids.length} entries of ${uid} that do not exist or may not be seen: ${named}`
}

/** Where a relation leads to any type, each target names its own. */
export function byType(targets: readonly Target[]): ReadonlyMap<string, readonly Target[]> {
  const found = new Map<string, Target[]>()
  for (const target of targets) {
    const { type = '' } = target
    const some = found.get(type)
    if (some) some.push(target)
    else found.set(type, [target])
  }
  return found
}
