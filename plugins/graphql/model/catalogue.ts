import type { GraphQLNamedType, GraphQLScalarType } from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import { reserved } from './common.js'
import { contentOf } from './facts.js'
import { isName } from './names.js'
import type { ModelParts } from './parts.js'
import { localeCode } from './scalars.js'
import type { Shape } from './shape.js'

/** The types of a schema, each made when something first leads to it. */
export class Catalogue {
  readonly parts: ModelParts
  readonly shape: Shape<Catalogue>
  readonly types: ReadonlyMap<string, ContentType>
  readonly localeCode: GraphQLScalarType
  readonly #made = new Map<string, { readonly owner: string; readonly type: GraphQLNamedType }>()

  constructor(parts: ModelParts, shape: Shape<Catalogue>) {
    this.parts = parts
    this.shape = shape
    this.types = new Map(contentOf(parts).map(type => [type.uid, type]))
    this.localeCode = localeCode(parts.locales)
  }

  readonly has = (uid: string): boolean => this.types.has(uid)

  /** The type of a name; `owner` tells what it is about, as two things may not have one name. */
  make<T extends GraphQLNamedType>(name: string, owner: string, build: (name: string) => T): T {
    const { isLenient, note } = this.parts
    const problem = this.#problem(name, owner)
    if (problem !== undefined && !isLenient)
      throw new BootError(`graphql: ${problem}; rename it, or disable the plugin graphql`)
    const own = problem === undefined ? name : this.#freeName(name, owner)
    const found = this.#made.get(own)
    if (found) return found.type as T
    if (problem !== undefined) note?.(`graphql: ${problem}; ${owner} is called "${own}"`)
    const type = build(own)
    this.#made.set(own, { owner, type })
    return type
  }

  /** The reason why something may not have a name. */
  #problem(name: string, owner: string): string | undefined {
    const isReserved = reserved.includes(name) || this.shape.reserved.includes(name)
    const other = this.#made.get(name)?.owner ?? (isReserved ? 'a part of every schema' : owner)
    if (other !== owner) return `${owner} and ${other} would both be called "${name}" in the schema`
    return isName(name) ? undefined : `${owner} would be called "${name}" in the schema, which is no name in GraphQL`
  }

  #freeName(name: string, owner: string): string {
    const plain = name.replace(/^(?=__|[^_A-Za-z])/, 'T').replace(/[^_0-9A-Za-z]/g, '_')
    let free = plain
    for (let number = 2; this.#problem(free, owner) !== undefined; number += 1) free = `${plain}_${number}`
    return free
  }
}
