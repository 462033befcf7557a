import type { GraphQLNamedType, GraphQLScalarType } from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import { contentOf } from './facts.js'
import { isName } from './names.js'
import type { ModelParts } from './parts.js'
import { localeCode } from './scalars.js'

/** The types of a schema, each made when something first leads to it. */
export class Catalogue {
  readonly parts: ModelParts
  readonly types: ReadonlyMap<string, ContentType>
  readonly localeCode: GraphQLScalarType
  readonly #made = new Map<string, { readonly owner: string; readonly type: GraphQLNamedType }>()

  constructor(parts: ModelParts) {
    this.parts = parts
    this.types = new Map(contentOf(parts).map(type => [type.uid, type]))
    this.localeCode = localeCode(parts.locales)
  }

  readonly has = (uid: string): boolean => this.types.has(uid)

  /** The type of a name; `owner` tells what it is about, as two things may not have one name. */
  make<T extends GraphQLNamedType>(name: string, owner: string, build: () => T): T {
    const found = this.#made.get(name)
    if (found) {
      if (found.owner === owner) return found.type as T
      throw new BootError(
        `graphql: ${owner} and ${found.owner} would both be called "${name}" in the schema; rename one of them, or disable the plugin graphql`,
      )
    }
    if (!isName(name))
      throw new BootError(
        `graphql: ${owner} would be called "${name}" in the schema, which is no name in GraphQL; rename it, or disable the plugin graphql`,
      )
    const type = build()
    this.#made.set(name, { owner, type })
    return type
  }
}
