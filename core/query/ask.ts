import type { Dialect } from '../dialect.js'
import type { ContentType } from '../schema/types.js'
import type { Caller } from './caller.js'
import type { Filters } from './filters.js'
import type { QueryNode } from './tree.js'

export type { Caller, Write } from './caller.js'

/** What a generated route does; routes of plugins have action names of their own. */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | (string & {})

/** What is known while a plan is made. Nothing here differs between two callers of one scope. */
export interface Ask<P = Readonly<Record<string, unknown>>> {
  /** Of the request; of the entries that a hook is shown, where it is shown entries: populated ones have their own. */
  readonly type: ContentType
  readonly action: Action
  /** The permission under which it is done, where it has a name of its own: that of a plugin's route, `find` below the root. */
  readonly permission?: string
  /** The entry is named by the value of a unique attribute, which several entries may have where they are not compared. */
  readonly byValue?: true
  /** Callers of one scope may do the same things and share their plans. */
  readonly scope: string
  readonly params: P
  readonly dialect: Dialect
  /** Whether this scope may do an action on a type, or on whatever else has a uid. */
  readonly can: (action: string, uid: string) => boolean
  /** A node as the rules and hooks of this request leave it; `where` takes it from here for the rows behind links. */
  readonly narrow: (node: QueryNode, ask: Ask) => QueryNode
  /** The attributes that the response populates; told once the whole query is read. */
  readonly populated?: readonly string[]
  /** The type with what the caller may read of it, where that differs from what requests generally may. */
  readonly view?: ContentType
  /** Whether a body may name an attribute, where that differs. */
  readonly mayName?: (name: string) => boolean
  /** The columns that the response shows, where the query chooses some; told once the whole query is read. */
  readonly selected?: readonly string[]
}

/** An entry on its way out: scalars first, then what was populated. */
export type Entry = Record<string, unknown>

/** A row as the store gives it: attribute names, plain values. */
export type Row = Record<string, unknown> & { readonly id: number }

/** Whether a caller may do it. */
export const mayDo = (caller: Caller, action: string, uid: string): boolean =>
  immediate(caller.can(action, uid), "a caller's can")

/** Which permission a caller lacks, and how it is given. */
export function missingPermission({ granting }: Pick<Caller, 'granting'>, action: string, uid: string): string {
  const how = granting?.(`${uid}.${action}`)
  return `the caller needs ${action} on ${uid}${how === undefined ? '' : `; ${how}`}`
}

/** The filters that every entry of a type must meet for a caller. */
export const rowsFor = (caller: Caller, action: string, uid: string): Filters | undefined =>
  immediate(caller.rows?.(action, uid), "a caller's rows")

/** Whether a value is a promise, of whatever library. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/**
 * What a plugin has to return at once. A promise in its place would count as a value, where it means permission for
 * every caller or no filter at all, and its rejection would end the process.
 */
export function immediate<T>(value: T, whose: string): T {
  if (!isPromise(value)) return value
  value.then(undefined, () => undefined)
  throw new Error(`${whose} returned a promise; expected the result itself: it cannot wait, so it cannot be async`)
}
