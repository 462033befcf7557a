import type { AppOutline, ContentType, JsonSchema, JsonSchemaObject } from '../../core/index.js'
import { Names, typeNames } from './names.js'

/** Schemas that belong to no type; a type of the same name gets a number. */
const common = [
  'AnyEntry',
  'Error',
  'Id',
  'IdFilter',
  'Pagination',
  'Position',
  'RelatedEntry',
  'RelatedEntryOfType',
  'RelationChange',
  'Sort',
  'TextFilter',
  'ToAny',
  'ToMany',
  'ToOne',
  'SortObject',
  'Truth',
  'Files',
]

/**
 * The named schemas of a document. One is made after something has referred to it, so that all of them are used, and
 * types that lead to each other in circles end.
 */
export class Schemas {
  readonly app: AppOutline
  readonly #names = new Names(common)
  readonly #bases: ReadonlyMap<string, string>
  readonly #known = new Map<string, string>()
  readonly #waiting: { readonly name: string; readonly make: () => JsonSchema }[] = []

  constructor(app: AppOutline) {
    this.app = app
    this.#bases = typeNames(app.types)
  }

  /** A reference to a schema of a type, such as its `Filters`. */
  ofType({ uid }: ContentType, suffix: string, make: () => JsonSchema): JsonSchemaObject {
    return this.#ref(`${uid} ${suffix}`, () => this.#names.claim(this.baseOf(uid) + suffix), make)
  }

  /** A reference to one of the schemas that belong to no type. */
  common(name: (typeof common)[number], make: () => JsonSchema): JsonSchemaObject {
    return this.#ref(name, () => name, make)
  }

  /** A reference to a schema that is the same wherever its key is. */
  shared(key: string, wish: string, make: () => JsonSchema): JsonSchemaObject {
    return this.#ref(`= ${key}`, () => this.#names.claim(wish), make)
  }

  /** The prefix of a type's schema names. */
  baseOf(uid: string): string {
    return this.#bases.get(uid) ?? 'Type'
  }

  /** Makes the schemas that were referred to, and those that they refer to, one at a time. */
  *made(): Generator<readonly [name: string, schema: JsonSchema]> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) yield [next.name, next.make()]
  }

  #ref(key: string, nameOf: () => string, make: () => JsonSchema): JsonSchemaObject {
    let name = this.#known.get(key)
    if (name === undefined) {
      name = nameOf()
      this.#known.set(key, name)
      this.#waiting.push({ name, make })
    }
    return { $ref: `#/components/schemas/${name}` }
  }
}
