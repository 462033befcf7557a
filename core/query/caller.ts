import type { ContentType, Field } from '../schema/types.js'
import { type Ask, immediate } from './ask.js'
import type { Filters } from './filters.js'
import { Late, Now } from './tree.js'

/** Who is asking. Plugins that know credentials make these; without one every request has the same anonymous caller. */
export interface Caller {
  /** Same scope, same results of `can` and `rows`, same plans. */
  readonly scope: string
  readonly can: (action: string, uid: string) => boolean
  /** Filters that every entry of a type must meet for this scope; values of the single caller are `late`. */
  readonly rows?: (action: string, uid: string) => Filters | undefined
  /**
   * The attributes that this scope may read by an action (private ones as well), or write by it, where that is not what
   * requests generally may. What an action on the entries themselves does not say, `find` says of what leads to them.
   */
  readonly fields?: (action: string, uid: string) => ReadonlySet<string> | undefined
  /** Values that the server gives to attributes where this scope writes, whatever is sent; those of the single caller are `late`. */
  readonly sets?: (action: string, uid: string) => Readonly<Record<string, unknown>> | undefined
  /** How a refusal is answered: 401 asks for credentials, 403 says they do not suffice. */
  readonly refusal?: 401 | 403
  /** The way to grant it a permission, such as `api::tag.tag.create`; responses name it to a developer when that one was missing. */
  readonly granting?: (permission: string) => string
  readonly id?: number | string
  /** Its name in records of what was done: `user 3`. The id, or else the scope, without one. */
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
  /** The entry counts as deleted (see `gone` of plugins): such ones alone are reached, to be restored or removed. Only hooks say so. */
  readonly gone?: true
}

/** A write with the values that the server sets for the caller: they take the place of what was sent. */
export function withSets(write: Write, { type, permission, action }: Ask, caller: Caller, now: Date): Write {
  if (write.action === 'delete') return write
  const sets = immediate(caller.sets?.(permission ?? action, type.uid), "a caller's sets")
  if (!sets) return write
  const told = (value: unknown) =>
    value instanceof Now ? now.toISOString() : value instanceof Late ? value.of(caller) : value
  const values = Object.fromEntries(Object.entries(sets).map(([name, value]) => [name, told(value)]))
  return { ...write, data: without(write.data, Object.keys(values)), set: { ...write.set, ...values } }
}

/** The data of a write without some names, with all that plugins keep beside names. */
export function without(data: Write['data'], names: readonly string[]): Write['data'] {
  const left = { ...data }
  for (const name of names) delete left[name]
  return left
}

type Fields = NonNullable<Caller['fields']>

const nothing: ReadonlySet<string> = new Set()

/**
 * The permissions of a caller to read and write by a request. An update under a permission of its own, such as one that restores, is no
 * permission to read: a caller that may neither find nor findOne is shown which entry it was, and nothing of it.
 */
export function fieldsFor(
  { fields }: Caller,
  { type: { uid }, action, permission = action, can }: Ask,
): Fields | undefined {
  const isReader = action !== 'update' || permission === action || can('find', uid) || can('findOne', uid)
  if (isReader) return fields
  return (done, of) => (of === uid && (done === 'find' || done === 'findOne') ? nothing : fields?.(done, of))
}

/**
 * Types as the callers of a scope see them: what they may not read is not readable there, like what no caller may read, so
 * that all that reads names from requests treats it alike.
 */
export class Views {
  readonly #fields: Fields
  readonly #types = new Map<string, ContentType>()

  private constructor(fields: Fields) {
    this.#fields = fields
  }

  /** Those of a scope: its callers share the function, so that views are made once. */
  static of(fields: Fields): Views {
    const known = views.get(fields) ?? new Views(fields)
    views.set(fields, known)
    return known
  }

  /** What a request may name of its type. */
  rights(ask: Ask): Partial<Pick<Ask, 'scope' | 'view' | 'mayName'>> {
    const mayName = this.#writable(ask)
    return { scope: ask.scope, view: this.#root(ask), ...(mayName && { mayName }) }
  }

  /** The type of a request, as what is done with its entries shows them. */
  #root(ask: Ask): ContentType {
    return this.behind(ask.type, this.#readingOf(ask))
  }

  /** A type that is reached through others, or by an action on it. */
  behind(type: ContentType, action = 'find'): ContentType {
    const key = `${action} ${type.uid}`
    const known = this.#types.get(key)
    if (known) return known
    const names = this.names(action, type.uid)
    const links = new Map(
      [...type.links].map(([name, link]) => {
        const readable = names ? names.has(name) : link.readable
        return [name, { ...link, readable, types: () => link.types().map(target => this.behind(target)) }]
      }),
    )
    const view: ContentType = {
      ...type,
      whole: type,
      fields: new Map([...type.fields].map(([name, field]) => [name, names ? shown(field, names) : field])),
      links,
      entryMeta: type.entryMeta.map(one => ({ ...one, link: links.get(one.link.name) ?? one.link })),
    }
    this.#types.set(key, view)
    return view
  }

  /** The attributes that an action may name, where it is not all. */
  names(action: string, uid: string): ReadonlySet<string> | undefined {
    return immediate(this.#fields(action, uid), "a caller's fields")
  }

  /** What a body may name: what the caller may write, and what comes back from clients that have read it. */
  #writable(ask: Ask): ((name: string) => boolean) | undefined {
    const { type, action, permission = action } = ask
    const names = this.names(permission, type.uid)
    if (!names) return undefined
    const view = this.#root(ask)
    return name => {
      const known = view.fields.get(name) ?? view.links.get(name)
      return names.has(name) || (known?.readable === true && !known.writable)
    }
  }

  /** Under which action entries are shown: responses to writes, and actions of plugins without a say, show what reads do. */
  #readingOf({ type: { uid }, action, permission = action, can }: Ask): string {
    const isRead = action === 'find' || action === 'findOne'
    const isOwn = permission === 'find' || permission === 'findOne' || this.names(permission, uid) !== undefined
    return isRead && isOwn ? permission : can('findOne', uid) ? 'findOne' : 'find'
  }
}

const views = new WeakMap<Fields, Views>()

function shown(field: Field, names: ReadonlySet<string>): Field {
  const readable = names.has(field.name) && field.type.secret !== true
  return readable === field.readable ? field : { ...field, readable }
}
