import type { Dialect } from '../dialect.js'
import type { ColumnLimits } from '../schema/representation.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { RelationChange } from './relation.js'

/** An entry, or a component of it, as a request wants it: checked, and not yet stored. */
export interface CheckedInput {
  readonly type: ContentType
  /** The component that is kept and changed; undefined for one that is new. */
  readonly id?: number
  readonly values: ReadonlyMap<Field, unknown>
  readonly relations: readonly CheckedRelation[]
  readonly parts: readonly { readonly link: Link; readonly items: readonly CheckedInput[] }[]
  /** Attributes whose values are made when it is stored, each with the text that they are made from. */
  readonly made?: ReadonlyMap<Field, string>
  /** No rule of the schema holds for it: nothing of it has to be unique, and nothing is sealed. */
  readonly isUnchecked?: true
  /** Its times are among the values, as far as they are given, and the id that a new entry is to have. */
  readonly given?: { readonly id?: number }
}

/** The change of one relation, and its place in the body. */
export interface CheckedRelation {
  readonly link: Link
  readonly change: RelationChange
  readonly path: readonly string[]
  /** The server gives it, so that it may lead to entries which the caller may not find. */
  readonly isSet?: true
  /** It may not be left without an entry, which is certain only where the stored links are known. */
  readonly mustLead?: boolean
}

/** The rules by which input is checked. */
export interface InputOptions {
  readonly mode: 'create' | 'update'
  /** Required attributes may be missing. */
  readonly incomplete: boolean
  /** Values of attributes of the entry that requests may not write. */
  readonly set: Readonly<Record<string, unknown>>
  readonly limits: ColumnLimits
  readonly dialect: Dialect
  /** Links whose target the caller may not find are left out of the write. */
  readonly mayLink: (link: Link) => boolean
  /** Attributes of a new entry that are named after another one get their values from it, where none are sent. */
  readonly makes: boolean
  /** A request wrote it: attributes that the type does not have are refused, where the dialect does that. */
  readonly isAsked: boolean
  /** Code wrote it: attributes that the schema keeps from requests with `writable: false` may be written. */
  readonly isCode: boolean
  /** Values are converted, and nothing else is asked of them. */
  readonly unchecked: boolean
  /** The id of a new entry, its times and its creators count where the data has them. */
  readonly given: boolean
  /** Tells whether the caller may find entries of a type; asked where a relation may lead to any. */
  readonly mayFind: (type: string) => boolean
}
