import type { Dialect } from '../dialect.js'
import type { ContentType } from '../schema/types.js'
import type { MoreFields } from './more.js'
import type { Named } from './named.js'
import type { QueryNode } from './tree.js'

/** The actions of generated routes; routes of plugins have action names of their own. */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | (string & {})

/** The inputs of a plan. Nothing here differs between two callers of one scope. */
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
  /** True if this scope may do an action on a type, or on anything else that has a uid. */
  readonly can: (action: string, uid: string) => boolean
  /** A node as the rules and hooks of this request leave it; `where` takes it from here for the rows behind links. */
  readonly narrow: (node: QueryNode, ask: Ask) => QueryNode
  /** The attributes that the response populates; told once the whole query is read. */
  readonly populated?: readonly string[]
  /** A plugin gives the response a form of its own, and asks for what that shows. */
  readonly shaped?: true
  /** The type with the attributes that the caller may read, if that differs from what requests generally may. */
  readonly view?: ContentType
  /** True if a body may name an attribute; absent if the general rule of the type applies. */
  readonly mayName?: (name: string) => boolean
  /** The attributes that a body may name, with the parts of components; absent where it may name no component in part only. */
  readonly namedParts?: Named
  /** The attributes that it may name beside these, if the entry is one of some. */
  readonly moreNamed?: MoreNamed
  /** The columns that the response shows, where the query chooses some; told once the whole query is read. */
  readonly selected?: readonly string[]
}

/** The rights of a write to attributes of some entries. */
export interface MoreNamed {
  readonly parts: readonly MoreFields[]
  /** The rights where the entry is one of those of some parts. */
  readonly with: (parts: readonly MoreFields[]) => Pick<Ask, 'mayName' | 'namedParts'>
}

/** Filters as code writes them: the filter language of the API, with values in place of text. */
export type Filters = Readonly<Record<string, unknown>>

/** The identity behind a request. Plugins that know credentials make these; without one every request has the same anonymous caller. */
export interface Caller {
  /** Same scope, same results of `can` and `rows`, same plans. */
  readonly scope: string
  readonly can: (action: string, uid: string) => boolean
  /** Filters that every entry of a type must meet for this scope; values of the single caller are `late`. */
  readonly rows?: (action: string, uid: string) => Filters | undefined
  /**
   * The attributes that this scope may read by an action (private ones as well), or write by it, if they are not those of all
   * requests. A name with dots is a part of a component: `seo.social.title`. If an action on the entries themselves says nothing of
   * the types behind links, `find` does.
   */
  readonly fields?: (action: string, uid: string) => ReadonlySet<string> | undefined
  /**
   * Attributes beside `fields` that it may name of some entries: they are shown where an entry meets `rows`, and written where the
   * locked entry does, or the new one. No filter and no sort may name them. Of one scope it is always the same function.
   */
  readonly more?: (action: string, uid: string) => readonly MoreFields[] | undefined
  /** Values that the server gives to attributes where this scope writes, whatever is sent; those of the single caller are `late`. */
  readonly sets?: (action: string, uid: string) => Readonly<Record<string, unknown>> | undefined
  /**
   * The permissions that it may give to other callers, who have them for all entries and attributes; `true` is all that there ever
   * are. Without it, each route decides.
   */
  readonly gives?: true | ((action: string, uid: string) => boolean)
  /** The status of a refusal: 401 asks for credentials, 403 says they do not suffice. */
  readonly refusal?: 401 | 403
  /** The way to grant it a permission, such as `api::tag.tag.create`; responses name it to a developer when that one was missing. */
  readonly granting?: (permission: string) => string
  readonly id?: number | string
  /** Its name in records of its actions: `user 3`. Without one, that of the plugin with the id, or else the scope. */
  readonly actor?: string
}

/** A write on its way in. */
export interface Write {
  readonly action: 'create' | 'update' | 'delete'
  readonly data: Readonly<Record<string, unknown>>
  /** The entry that is changed; undefined while it is created. */
  readonly id?: number
  /** Required attributes may be missing: the entry is not meant to be complete yet. */
  readonly incomplete?: boolean
  /** Values of attributes that requests may not write; only hooks give them. With a delete: the row is kept, with these values. */
  readonly set?: Readonly<Record<string, unknown>>
  /** The entry counts as deleted (see `hides` of plugins): such ones alone are reached, to be restored or removed. Only hooks say so. */
  readonly gone?: true
  /** Code wrote it past the rules of the schema: values are converted and stored as they are, secrets too. */
  readonly unchecked?: true
  /** Code gives what is the server's otherwise: the id of a new entry, its times and its creators, as far as the data has them. */
  readonly given?: true
}

/** An entry on its way out: scalars first, then populated attributes. */
export type Entry = Record<string, unknown>

/** A row as the store gives it: attribute names, plain values. */
export type Row = Record<string, unknown> & { readonly id: number }

export const mayDo = (caller: Caller, action: string, uid: string): boolean =>
  immediate(caller.can(action, uid), "a caller's can")

/** A message that names the permission a caller lacks, and the way to grant it. */
export function missingPermission({ granting }: Pick<Caller, 'granting'>, action: string, uid: string): string {
  const how = granting?.(`${uid}.${action}`)
  return `the caller needs ${action} on ${uid}${how === undefined ? '' : `; ${how}`}`
}

/** The filters that every entry of a type must meet for a caller. */
export const rowsFor = (caller: Caller, action: string, uid: string): Filters | undefined =>
  immediate(caller.rows?.(action, uid), "a caller's rows")

/** True for a promise of any library. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/**
 * Guards a value that a plugin has to return at once. A promise in its place would count as a value, which means permission for
 * every caller or no filter at all, and its rejection would end the process.
 */
export function immediate<T>(value: T, whose: string): T {
  if (!isPromise(value)) return value
  value.then(undefined, () => undefined)
  throw new Error(`${whose} returned a promise; expected the result itself: it cannot wait, so it cannot be async`)
}
