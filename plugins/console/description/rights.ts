import type { Caller } from '../../../core/index.js'
import type { AttributeInfo, LinkInfo, Permissions, Right } from '../model/meta.js'
import type { BaseComponent, BaseType } from './base.js'

/** A right to the entries of a type, and the entries for which it holds. */
export interface Grant {
  readonly locales?: readonly string[]
  /** The makers of the entries, as conditions name them; any without it. */
  readonly makers?: readonly unknown[]
}

type RightName = keyof Permissions

/** The editor of a request, as far as the description asks. */
export interface Editor extends Pick<Caller, 'can' | 'fields'> {
  readonly rights: { of(right: RightName, uid: string): readonly Grant[] }
}

/** What one editor may do with the types of the app. */
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
    const read = this.#names('find', uid, isComponent || this.#isOpen(uid))
    const written = isComponent
      ? [undefined]
      : type.path === undefined
        ? []
        : [this.#names('create', uid), this.#names('update', uid)]
    return attributes
      .map(attribute => ({
        ...attribute,
        readable:
          attribute.type !== 'password' && includes(read, attribute, attribute.readable) && this.#leads(attribute),
        writable:
          attribute.writable && written.some(names => includes(names, attribute, true)) && this.#leads(attribute),
      }))
      .filter(({ readable, writable }) => readable || writable)
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

  /** True if the editor sees entries of a type behind a link. */
  sees({ embedded, open, shape }: LinkInfo, target: string): boolean {
    return embedded || open || shape === 'zone' || this.#editor.can('find', target)
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
    return {
      ...(fields && { fields }),
      ...(locales && { locales }),
      ...(grants.every(({ makers }) => makers) && { own: true }),
    }
  }

  /** The names of attributes and their parts; undefined for all that there are. */
  #fields(action: string, { uid, attributes }: BaseType): readonly string[] | undefined {
    const names = this.#names(action, uid)
    if (!names) return undefined
    const known = attributes.filter(({ type, writable, added }) =>
      action === 'find' ? type !== 'password' : writable && !added,
    )
    if (known.every(({ name }) => names.has(name))) return undefined
    const heads = new Set(known.map(({ name }) => name))
    return [...names].filter(name => heads.has(name.split('.')[0] as string))
  }
}

const none: ReadonlySet<string> = new Set()
const nothing: Permissions = { read: null, create: null, update: null, delete: null, publish: null }

/** True if the attribute or a part of it is among the names. */
function includes(names: ReadonlySet<string> | undefined, { name }: AttributeInfo, usual: boolean): boolean {
  if (!names) return usual
  return names.has(name) || [...names].some(one => one.startsWith(`${name}.`))
}
