import type { Caller } from '../../../core/index.js'
import type { AttributeInfo, LinkInfo, Permissions, Right } from '../model/meta.js'
import type { BaseComponent, BaseType } from './base.js'

/** A right to the entries of a type, and the entries for which it holds. */
export interface Grant {
  readonly locales?: readonly string[]
  /** Names of attributes, with the parts of components by dots; all without it. */
  readonly fields?: ReadonlySet<string>
  /** The makers of the entries, as conditions name them; any without it. */
  readonly makers?: readonly unknown[]
}

type RightName = keyof Permissions

/** The editor of a request, as far as the description asks. */
export interface Editor extends Pick<Caller, 'can' | 'fields' | 'more'> {
  readonly rights: { of(right: RightName, uid: string): readonly Grant[] }
}

/** The permissions of one editor on the types of the app. */
export class EditorRights {
  readonly #editor: Editor
  /** True for a type whose entries are seen through links without a permission to find them, as files are. */
  readonly #isOpen: (uid: string) => boolean

  constructor(editor: Editor, isOpen: (uid: string) => boolean) {
    this.#editor = editor
    this.#isOpen = isOpen
  }

  /** The attributes that the editor may read or write. */
  attributes(type: BaseType | BaseComponent): AttributeInfo[] {
    const { uid, attributes, isComponent } = type
    const [readSome, writtenSome] = [['find'], ['create', 'update']].map(
      actions => new Set(isComponent ? [] : actions.flatMap(action => this.#more(action, uid))),
    )
    const read = this.#names('find', uid, isComponent || this.#isOpen(uid))
    const written = isComponent
      ? [undefined]
      : type.path === undefined
        ? []
        : [this.#names('create', uid), this.#names('update', uid)]
    return attributes.flatMap(attribute => {
      const leads = this.#leads(attribute)
      const isRead = leads && attribute.type !== 'password'
      const isWritten = leads && attribute.writable
      const readable = isRead && includes(read, attribute, attribute.readable)
      const writable = isWritten && written.some(names => includes(names, attribute, true))
      const ofSome = {
        ...(!readable && isRead && includes(readSome, attribute, false) && { readable: true as const }),
        ...(!writable && isWritten && includes(writtenSome, attribute, false) && { writable: true as const }),
      }
      const isSome = Object.keys(ofSome).length > 0
      return readable || writable || isSome ? [{ ...attribute, readable, writable, ...(isSome && { ofSome }) }] : []
    })
  }

  permissions(type: BaseType): Permissions {
    const { path, options, isHidden } = type
    // Entries without endpoints are seen through others, and changed by other parts of the page.
    if (path === undefined || isHidden) return nothing
    return {
      read: this.#right('read', type, 'find'),
      create: this.#right('create', type, 'create'),
      update: this.#right('update', type, 'update'),
      delete: this.#right('delete', type),
      publish: options.drafts ? this.#right('publish', type) : null,
    }
  }

  mayAnything(type: BaseType): boolean {
    return Object.values(this.permissions(type)).some(right => right !== null)
  }

  /** True if the editor may read an attribute, or a part of a component by its name with dots. */
  reads(uid: string, name: string): boolean {
    const names = this.#names('find', uid)
    const parts = name.split('.')
    return !names || parts.some((_, index) => names.has(parts.slice(0, index + 1).join('.')))
  }

  finds(uid: string): boolean {
    return this.#editor.can('find', uid)
  }

  /** True if the editor sees entries of a type behind a link. */
  sees({ embedded, open, shape }: LinkInfo, target: string): boolean {
    return embedded || open || shape === 'zone' || this.finds(target)
  }

  /** Undefined for all; none where the action is not permitted. */
  #names(action: string, uid: string, isPart = false): ReadonlySet<string> | undefined {
    return isPart || this.#editor.can(action, uid) ? this.#editor.fields?.(action, uid) : none
  }

  /** Links to entries that the editor may not find lead nowhere. */
  #leads(attribute: AttributeInfo): boolean {
    if (attribute.kind === 'field' || !attribute.targets) return true
    return attribute.targets.some(uid => this.sees(attribute, uid))
  }

  #right(right: RightName, type: BaseType, action?: string): Right | null {
    const grants = this.#editor.rights.of(right, type.uid)
    if (grants.length === 0) return null
    const fields = action === undefined ? undefined : this.#fields(action, type)
    const locales = grants.some(grant => !grant.locales)
      ? undefined
      : [...new Set(grants.flatMap(grant => grant.locales ?? []))].sort()
    const more = action !== undefined && fields ? this.#known(action, type, this.#more(action, type.uid)) : []
    return {
      ...(fields && { fields }),
      ...(more.length > 0 && right !== 'create' && { more }),
      ...(more.length > 0 && right !== 'update' && { moreIn: moreIn(grants, more, fields ?? []) }),
      ...(locales && { locales }),
      ...(grants.every(({ makers }) => makers) && { own: true }),
    }
  }

  /** Names that hold for some entries, beside those of all. */
  #more(action: string, uid: string): readonly string[] {
    const all = this.#names(action, uid)
    const parts = this.#editor.can(action, uid) ? (this.#editor.more?.(action, uid) ?? []) : []
    return [...new Set(parts.flatMap(({ fields }) => [...fields]))].filter(name => all?.has(name) === false).sort()
  }

  /** The names of attributes and their parts; undefined for all that there are. */
  #fields(action: string, type: BaseType): readonly string[] | undefined {
    const names = this.#names(action, type.uid)
    if (!names) return undefined
    if (namedBy(action, type).every(({ name }) => names.has(name))) return undefined
    return this.#known(action, type, names)
  }

  /** The names of attributes that some editor may read, or write. */
  #known(action: string, type: BaseType, names: Iterable<string>): readonly string[] {
    const heads = new Set(namedBy(action, type).map(({ name }) => name))
    return [...names].filter(name => heads.has(name.split('.')[0] as string))
  }
}

const namedBy = (action: string, { attributes }: BaseType): readonly AttributeInfo[] =>
  attributes.filter(({ type, writable, added }) => (action === 'find' ? type !== 'password' : writable && !added))

const none: ReadonlySet<string> = new Set()
const nothing: Permissions = { read: null, create: null, update: null, delete: null, publish: null }

/**
 * A new entry is the editor's own: its language alone decides what else it may have. No maker at all is that of no entry, and a
 * permission has the parts of a component by themselves.
 */
const moreIn = (grants: readonly Grant[], more: readonly string[], all: readonly string[]) =>
  grants.flatMap(({ locales, fields, makers }) => {
    const isMore = (path: string) =>
      !all.includes(path) && more.some(name => path === name || path.startsWith(`${name}.`))
    const named = fields ? [...fields].filter(isMore) : more
    return named.length > 0 && makers?.length !== 0 ? [{ ...(locales && { locales }), fields: named }] : []
  })

/** True if the attribute or a part of it is among the names. */
function includes(names: ReadonlySet<string> | undefined, { name }: AttributeInfo, usual: boolean): boolean {
  if (!names) return usual
  return names.has(name) || [...names].some(one => one.startsWith(`${name}.`))
}
