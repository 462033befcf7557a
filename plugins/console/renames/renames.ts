import type { ContentType, Registry } from '../../../core/index.js'

/** The present names of types and attributes, by those that they had before, as the schema files say. */
export class Renames {
  readonly #types: ReadonlyMap<string, ContentType>
  readonly #uids = new Map<string, string>()
  readonly #attributes = new Map<string, ReadonlyMap<string, string>>()

  constructor({ types }: Pick<Registry, 'types'>) {
    this.#types = types
    for (const type of types.values()) {
      if (type.renamedFrom !== undefined) this.#uids.set(type.renamedFrom, type.uid)
      const names = [...type.fields, ...type.links].flatMap(([name, { attribute }]) =>
        typeof attribute.renamedFrom === 'string' ? [[attribute.renamedFrom, name] as const] : [],
      )
      if (names.length > 0) this.#attributes.set(type.uid, new Map(names))
    }
  }

  get isNone(): boolean {
    return this.#uids.size + this.#attributes.size === 0
  }

  uid(former: string): string {
    return this.#uids.get(former) ?? former
  }

  /** The name of an attribute of a type, by the present uid of that. */
  attribute(uid: string, former: string): string {
    return this.#attributes.get(uid)?.get(former) ?? former
  }

  /** The types that an attribute leads to, by present names. */
  targets(uid: string, name: string): readonly string[] {
    const link = this.#types.get(uid)?.links.get(name)
    return link ? link.types().map(target => target.uid) : []
  }

  /** Names of links, and of what is at their end. */
  path(uid: string, former: readonly string[]): readonly string[] {
    const [first, ...rest] = former
    if (first === undefined) return []
    const name = this.attribute(uid, first)
    const [target, ...others] = this.targets(uid, name)
    return [name, ...(target !== undefined && others.length === 0 ? this.path(target, rest) : rest)]
  }
}
