import { titleAmong } from '../layouts/cut.js'
import type { AttributeInfo, Layout, Permissions } from '../model/meta.js'
import type { Base, BaseComponent, BaseType } from './base.js'
import { type Editor, EditorRights } from './rights.js'

/** The app as one editor sees it. */
export class EditorView {
  readonly layouts: ReadonlyMap<string, Layout>
  readonly #base: Base
  readonly #rights: EditorRights
  readonly #attributes = new Map<string, readonly AttributeInfo[]>()
  #reached: ReadonlySet<string> | undefined
  #led: ReadonlySet<string> | undefined

  constructor(base: Base, layouts: ReadonlyMap<string, Layout>, editor: Editor) {
    this.layouts = layouts
    this.#base = base
    this.#rights = new EditorRights(editor, uid => base.opened.has(uid))
  }

  /** The types of which the editor may do something with entries, and those that are seen through them. */
  get types(): readonly BaseType[] {
    return this.#base.types.filter(({ uid }) => this.#seen.has(uid))
  }

  get components(): readonly BaseComponent[] {
    return this.#base.components.filter(({ uid }) => this.#seen.has(uid))
  }

  /** The attributes of a type that the editor may read or write. */
  attributes(uid: string): readonly AttributeInfo[] {
    const known = this.#attributes.get(uid)
    if (known) return known
    const type = this.#base.all.get(uid)
    const attributes = type ? this.#rights.attributes(type) : []
    this.#attributes.set(uid, attributes)
    return attributes
  }

  permissions(type: BaseType): Permissions {
    return this.#rights.permissions(type)
  }

  /** True if the editor may read an attribute, or a part of a component by its name with dots. */
  isReadable(uid: string, name: string): boolean {
    if (name === 'id') return true
    const [head = ''] = name.split('.')
    const attribute = this.attributes(uid).find(one => one.name === head)
    return attribute?.readable === true && this.#rights.reads(uid, name)
  }

  /** True if entries of a type are chosen for relations alone: no view lists them, and the editor may find them, and lead to them. */
  isChosen({ uid, path, isHidden }: BaseType): boolean {
    return (path === undefined || isHidden) && this.#rights.finds(uid) && this.#written.has(uid)
  }

  /** True if entries of a type are who made entries that the editor sees: the page names them. */
  isMaker({ uid, path }: BaseType): boolean {
    const isMade = (one: AttributeInfo) =>
      one.kind === 'link' && one.readable && one.name === 'updatedBy' && one.targets?.includes(uid) === true
    return (
      path === undefined && this.#rights.finds(uid) && this.types.some(type => this.attributes(type.uid).some(isMade))
    )
  }

  /** The field that names an entry of a type for the editor. */
  title(uid: string): string {
    return titleAmong(uid, this.layouts.get(uid)?.settings.mainField ?? 'id', this.attributes(uid))
  }

  /** The types that links lead to which the editor may write. */
  get #written(): ReadonlySet<string> {
    this.#led ??= new Set([...this.types, ...this.components].flatMap(({ uid }) => this.attributes(uid).flatMap(ledBy)))
    return this.#led
  }

  get #seen(): ReadonlySet<string> {
    this.#reached ??= this.#reach()
    return this.#reached
  }

  #reach(): ReadonlySet<string> {
    const own = this.#base.types.filter(type => type.path !== undefined && this.#rights.mayAnything(type))
    const found = new Set(own.map(({ uid }) => uid))
    // The set grows while it is gone through.
    for (const uid of found)
      for (const attribute of this.attributes(uid))
        if (attribute.kind === 'link')
          for (const target of attribute.targets ?? [])
            if (this.#base.all.has(target) && this.#rights.sees(attribute, target)) found.add(target)
    return found
  }
}

const ledBy = (attribute: AttributeInfo): readonly string[] =>
  attribute.kind === 'link' && attribute.writable && !attribute.embedded ? (attribute.targets ?? []) : []
