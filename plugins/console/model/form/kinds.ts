import type { AttributeInfo, ComponentMeta, DialectInfo, LimitsInfo, LinkInfo, Meta, Right, TypeMeta } from '../meta.js'

import { wideType } from './wide.js'

export type Kind = TypeMeta | ComponentMeta

/** The types and components of the app, as forms look them up. */
export class Kinds {
  readonly dialect: DialectInfo
  readonly limits: Pick<LimitsInfo, 'statements'>
  /** Some type has drafts: requests then ask for them, as an entry without a state may lead to drafts of another type. */
  readonly hasDrafts: boolean
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #shown = new Map<string, readonly AttributeInfo[]>()

  constructor({ types, components, dialect, limits }: KindsMeta) {
    this.dialect = dialect
    this.limits = limits
    this.hasDrafts = types.some(({ options }) => options.drafts)
    this.#kinds = new Map([...types, ...components].map(kind => [kind.uid, kind]))
  }

  /** The same types with forms that have every attribute, also what the layout leaves out: for copies of entries. */
  whole(): Kinds {
    const kinds = [...this.#kinds.values()].map(withEverything)
    const types = kinds.filter(kind => 'can' in kind)
    const components = kinds.filter(kind => 'category' in kind)
    return new Kinds({ types, components, dialect: this.dialect, limits: this.limits })
  }

  /** The same types for forms of entries, with the fields that some of these have. */
  wide(): Kinds {
    const kinds = [...this.#kinds.values()]
    const components = kinds.filter(kind => 'category' in kind)
    const narrow = kinds.filter(kind => 'can' in kind)
    const types = narrow.map(wideType)
    if (types.every((type, index) => type === narrow[index])) return this
    return new Kinds({ types, components, dialect: this.dialect, limits: this.limits })
  }

  of(uid: string | undefined): Kind | undefined {
    return this.#kinds.get(uid ?? '')
  }

  type(uid: string | undefined): TypeMeta | undefined {
    const kind = this.of(uid)
    return kind && 'can' in kind ? kind : undefined
  }

  /** The attributes that a form has: those of the layout, in its order. */
  shown(uid: string): readonly AttributeInfo[] {
    const known = this.#shown.get(uid)
    if (known) return known
    const kind = this.of(uid)
    const shown = kind ? shownOf(kind) : []
    this.#shown.set(uid, shown)
    return shown
  }

  /** The fields that name an entry behind a relation, and its state. */
  titleFields(link: LinkInfo, holder: Kind): readonly string[] {
    const target = this.type(link.targets?.[0])
    if (!target) return []
    const main = holder.layout.fields[link.name]?.mainField ?? target.layout.settings.mainField
    const wanted = [main, target.layout.settings.mainField, 'publishedAt', 'locale']
    const known = target.attributes.filter(
      ({ kind, readable, name }) => kind === 'field' && readable && wanted.includes(name),
    )
    return known.map(({ name }) => name)
  }
}

/** The part of the description that forms need. */
type KindsMeta = Pick<Meta, 'types' | 'components' | 'dialect'> & { readonly limits: Pick<LimitsInfo, 'statements'> }

function withEverything<K extends Kind>(kind: K): K {
  const own = kind.attributes.filter(({ added }) => added !== true)
  const fields = Object.entries(kind.layout.fields).map(([name, field]) => [name, { ...field, visible: true }] as const)
  const edit = own.map(({ name }) => [{ name, size: 12 }])
  return { ...kind, layout: { ...kind.layout, edit, fields: Object.fromEntries(fields) } }
}

/** Passwords are never read, and typed all the same. */
function shownOf({ attributes, layout }: Kind): readonly AttributeInfo[] {
  const names = layout.edit.flat().map(({ name }) => name)
  return [...new Set(names)].flatMap(name => {
    const attribute = attributes.find(one => one.name === name)
    const isShown = layout.fields[name]?.visible !== false && (attribute?.readable || attribute?.type === 'password')
    return attribute && isShown ? [attribute] : []
  })
}

/** True if a permission covers an attribute as a whole: it names the attribute, or what holds it. */
export function covers({ fields }: Right, path: readonly string[]): boolean {
  if (!fields) return true
  return path.some((_, index) => fields.includes(path.slice(0, index + 1).join('.')))
}

/** The same, or a component of which every part is named: permissions of Strapi name the parts alone. */
export function coversAll(kinds: Kinds, right: Right, attribute: AttributeInfo, path: readonly string[]): boolean {
  if (covers(right, path)) return true
  if (attribute.kind === 'field' || !attribute.embedded || path.length > deepestRight) return false
  const parts = (attribute.targets ?? []).flatMap(uid => kinds.of(uid)?.attributes ?? [])
  return parts.length > 0 && parts.every(part => coversAll(kinds, right, part, [...path, part.name]))
}

/** Components may hold each other in a circle. */
const deepestRight = 6

/** True if a permission covers an attribute, or a part of the component that it is. */
export function reaches(right: Right, path: readonly string[]): boolean {
  const start = `${path.join('.')}.`
  return covers(right, path) || right.fields?.some(name => name.startsWith(start)) === true
}
