import type { AttributeInfo, ComponentMeta, DialectInfo, LimitsInfo, LinkInfo, Meta, Right, TypeMeta } from '../meta.js'

export type Kind = TypeMeta | ComponentMeta

/** The types and components of the app, as forms look them up. */
export class Kinds {
  readonly dialect: DialectInfo
  readonly limits: Pick<LimitsInfo, 'statements'>
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #shown = new Map<string, readonly AttributeInfo[]>()

  constructor({ types, components, dialect, limits }: Pick<Meta, 'types' | 'components' | 'dialect' | 'limits'>) {
    this.dialect = dialect
    this.limits = limits
    this.#kinds = new Map([...types, ...components].map(kind => [kind.uid, kind]))
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
