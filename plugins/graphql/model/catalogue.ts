import type { GraphQLNamedType, GraphQLScalarType } from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import { reserved } from './common.js'
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
    if (found?.owner === owner) return found.type as T
    const other = found?.owner ?? (reserved.has(name) ? 'a part of every schema' : undefined)
    if (other !== undefined) throw wrong(`${owner} and ${other} would both be called "${name}" in the schema`)
    if (!isName(name)) throw wrong(`${owner} would be called "${name}" in the schema, which is no name in GraphQL`)
    const type = build()
    this.#made.set(name, { owner, type })
    return type
  }
}

const wrong = (sentence: string): BootError =>
  new BootError(`graphql: ${sentence}; rename it, or disable the plugin graphql`)
