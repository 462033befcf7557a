import type { ContentType, Field } from '../schema/types.js'
import { type Ask, type Caller, immediate, type MoreNamed, type Write } from './ask.js'
import { type MoreFields, MoreView, noteMore, union } from './more.js'
import { common, hasParts, type Named, namedIn, withWholes } from './named.js'
import { Late, Now } from './tree.js'

type SetsAsk = Pick<Ask, 'type' | 'permission' | 'action'>

const setsOf = ({ type, permission, action }: SetsAsk, caller: Caller) =>
  immediate(caller.sets?.(permission ?? action, type.uid), "a caller's sets")

/** The data of a write without what the server sets for the caller: it may be sent, and does not count. */
export function withoutSets(data: Write['data'], ask: SetsAsk, caller: Caller): Write['data'] {
  const sets = setsOf(ask, caller)
  return sets ? without(data, Object.keys(sets)) : data
}

/** A write with the values that the server sets for the caller: they take the place of sent ones. */
export function withSets(write: Write, { type, permission, action }: Ask, caller: Caller, now: Date): Write {
  if (write.action === 'delete') return write
  const sets = setsOf({ type, permission, action }, caller)
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
type More = NonNullable<Caller['more']>

const nothing: ReadonlySet<string> = new Set()

/**
 * The permissions of a caller to read and write by a request. An update under a permission of its own, such as one that restores, is no
 * permission to read: a caller that may neither find nor findOne is shown which entry it was, and nothing of it.
 */
export function viewsFor(
  { fields, more }: Caller,
  { type: { uid }, action, permission = action, can }: Ask,
): Views | undefined {
  const isReader = action !== 'update' || permission === action || can('find', uid) || can('findOne', uid)
  if (isReader) return fields && Views.of({ fields, more })
  const isHidden = (done: string, of: string) => of === uid && (done === 'find' || done === 'findOne')
  return Views.of({
    fields: (done, of) => (isHidden(done, of) ? nothing : fields?.(done, of)),
    more: more && ((done, of) => (isHidden(done, of) ? undefined : more(done, of))),
  })
}

/** The rights of a scope to attributes; its callers share the functions. */
interface AttributeRights {
  readonly fields: Fields
  readonly more?: Caller['more'] | undefined
}

/**
 * Types as the callers of a scope see them: attributes that they may not read are unreadable there, like those that no caller may
 * read, so that all code which reads names from requests treats both alike.
 */
export class Views {
  readonly #rights: AttributeRights
  readonly #types = new Map<string, ContentType>()
  readonly #named = new Map<string, Named | undefined>()

  private constructor(rights: AttributeRights) {
    this.#rights = rights
  }

  /** The views of a scope: its callers share the functions, so that views are made once. */
  static of(rights: AttributeRights): Views {
    const { fields, more = fields } = rights
    const ofFields = views.get(fields) ?? new WeakMap<Fields | More, Views>()
    const known = ofFields.get(more) ?? new Views(rights)
    views.set(fields, ofFields.set(more, known))
    return known
  }

  /** The attributes that a request may name of its type. */
  rights(ask: Ask): Partial<Pick<Ask, 'scope' | 'view' | 'mayName' | 'namedParts' | 'moreNamed'>> {
    const { type, action, permission = action } = ask
    const view = this.#root(ask)
    const named = this.#namedOf(permission, type)
    if (!named) return { scope: ask.scope, view }
    const isWrite = action === 'create' || action === 'update'
    const moreNamed = isWrite ? this.#moreNamed(permission, type, view) : undefined
    return { scope: ask.scope, view, ...nameRights(type, named, view), ...(moreNamed && { moreNamed }) }
  }

  #moreNamed(action: string, type: ContentType, view: ContentType): MoreNamed | undefined {
    const parts = this.#more(action, type.uid)
    const all = this.names(action, type.uid)
    if (!parts || !all) return undefined
    return { parts, with: met => nameRights(type, namedIn([type], union(all, met)), view) }
  }

  /** The type of a request, as the results of its action show it. */
  #root(ask: Ask): ContentType {
    return this.behind(ask.type, this.#readingOf(ask))
  }

  /** A type that is reached through others, or by an action on it. */
  behind(type: ContentType, action = 'find'): ContentType {
    const key = `${action} ${type.uid}`
    const known = this.#types.get(key)
    if (known) return known
    const view = this.#view(type, key, this.#namedOf(action, type))
    const parts = this.#more(action, type.uid)
    const all = this.names(action, type.uid)
    if (parts && all) {
      const wide = this.#view(type, `${key} more`, namedIn([type], union(all, parts)))
      noteMore(view, new MoreView(type, wide, all, parts))
    }
    return view
  }

  #more(action: string, uid: string): readonly MoreFields[] | undefined {
    const parts = immediate(this.#rights.more?.(action, uid), "a caller's more")
    return parts && parts.length > 0 ? parts : undefined
  }

  #view(type: ContentType, key: string, named: Named | undefined): ContentType {
    const links = new Map(
      [...type.links].map(([name, link]) => {
        const parts = named?.get(name)
        const readable = named ? parts !== undefined : link.readable
        const seen = (target: ContentType) =>
          parts === undefined || parts === true ? this.behind(target) : this.#part(target, parts, `${key}.${name}`)
        return [name, { ...link, readable, types: () => link.types().map(seen) }]
      }),
    )
    const view: ContentType = {
      ...type,
      whole: type,
      fields: new Map([...type.fields].map(([name, field]) => [name, named ? shown(field, named) : field])),
      links,
      entryMeta: type.entryMeta.map(one => ({ ...one, link: links.get(one.link.name) ?? one.link })),
    }
    this.#types.set(key, view)
    return view
  }

  /** A component of which parts may be read: within what may be read of it anywhere. */
  #part(type: ContentType, parts: Named, path: string): ContentType {
    const key = `${path} ${type.uid}`
    const known = this.#types.get(key)
    if (known) return known
    const own = this.#namedOf('find', type)
    return this.#view(type, key, own ? common(parts, own) : parts)
  }

  #namedOf(action: string, type: ContentType): Named | undefined {
    const key = `${action} ${type.uid}`
    if (this.#named.has(key)) return this.#named.get(key)
    const names = this.names(action, type.uid)
    const named = names && namedIn([type], names)
    this.#named.set(key, named)
    return named
  }

  /** The attributes that an action may name, where it is not all. */
  names(action: string, uid: string): ReadonlySet<string> | undefined {
    return immediate(this.#rights.fields(action, uid), "a caller's fields")
  }

  /** The action whose fields entries show: responses to writes, and actions of plugins without fields of their own, show those of reads. */
  #readingOf({ type: { uid }, action, permission = action, can }: Ask): string {
    const isRead = action === 'find' || action === 'findOne'
    const isOwn = permission === 'find' || permission === 'findOne' || this.names(permission, uid) !== undefined
    return isRead && isOwn ? permission : can('findOne', uid) ? 'findOne' : 'find'
  }
}

const views = new WeakMap<Fields, WeakMap<Fields | More, Views>>()

/** The names of a write, with the parts of components where it may name no component in part only. */
function nameRights(type: ContentType, named: Named, view: ContentType): Pick<Ask, 'mayName' | 'namedParts'> {
  const namedParts = hasParts(named) ? withWholes([type], named) : named
  return { mayName: writable(named, view), ...(hasParts(namedParts) && { namedParts }) }
}

/** A test of the attributes that a body may name: those the caller may write, and those that clients send back after reading them. */
const writable = (named: Named, view: ContentType) => (name: string) => {
  const known = view.fields.get(name) ?? view.links.get(name)
  return named.has(name) || (known?.readable === true && !known.writable)
}

function shown(field: Field, named: Named): Field {
  const readable = named.has(field.name) && field.type.secret !== true
  return readable === field.readable ? field : { ...field, readable }
}
