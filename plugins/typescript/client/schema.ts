/**
 * The part of the output of `stele types --ts` that the client relies on. The words are short and the shapes flat,
 * because the compiler goes through all of them.
 */
export interface AnySchema {
  /** The paths under the address of the API: `articles`, `homepage`. */
  readonly paths: object
  /** The routes of plugins: `POST /auth/local`. */
  readonly routes: object
}

/** A content type, or a component. */
export interface AnyType {
  /** The columns that responses show. */
  readonly fields: object
  /** Links to other entries, files and components. */
  readonly links: object
  /** The fields that take the operators of text, and of values with an order. */
  readonly text: string
  readonly order: string
  /** The operators that plugins give to fields, by field, with their operands. */
  readonly measures?: object
  /** The links that filters and sort may go through. */
  readonly through: string
  /** Parameters that a populate of it takes beside those of every type. */
  readonly nested: object
}

/** A type that has endpoints. */
export interface AnyResource extends AnyType {
  /** The format of its entries: an envelope with `attributes`, plain objects, or an undocumented one. */
  readonly style: Style | 'unknown'
  /** The `meta` of every entry. */
  readonly meta: unknown
  /** The parameters that plugins add, by method. */
  readonly find: object
  readonly findOne: object
  readonly write: object
  readonly create: object
  readonly update: object
}

export type Style = 'nested' | 'plain'

/** The target of a link, and its format. */
export interface AnyLink {
  readonly as: 'one' | 'many' | 'part' | 'parts' | 'zone' | 'any' | 'anyMany' | 'plainAny' | 'plainAnyMany'
  /** The target type; for several types an object with each of them under its uid. */
  readonly to: object
  /** The value if nothing is linked: null, or never. */
  readonly or: unknown
}
