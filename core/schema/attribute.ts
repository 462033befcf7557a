/** The words that every attribute of a schema file may have. */
export interface AttributeBase {
  readonly type: string
  readonly required?: boolean
  readonly unique?: boolean
  /** `present` where nearly every read asks that it is set: see indexesOfPresent. */
  readonly index?: boolean | 'present'
  /** Queries compare it with the time: an index finds the next time that it holds. Of datetimes only. */
  readonly moments?: boolean
  readonly private?: boolean
  readonly configurable?: boolean
  readonly writable?: boolean
  /**
   * `create`: requests send it with a new entry, and a hook of the plugin that adds it gives the entry its value. For
   * attributes that are not `writable`.
   */
  readonly input?: 'create'
  readonly visible?: boolean
  readonly default?: unknown
  /** The name it had: `stele apply` keeps the values stored under it. */
  readonly renamedFrom?: string
  /** The language that sorts a text: a tag of BCP 47, or `query` for that of the request. */
  readonly collation?: string
  readonly column?: { readonly name?: string; readonly unique?: boolean }
  readonly pluginOptions?: Readonly<Record<string, unknown>>
}

/** An attribute with the words of its own type. */
export type DeclaredAttribute = AttributeBase & Readonly<Record<string, unknown>>
