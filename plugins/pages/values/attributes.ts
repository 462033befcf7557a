/** An attribute of a type, as pages describe it. */
export type AttributeInfo = FieldInfo | LinkInfo

interface AttributeRules {
  readonly name: string
  readonly type: string
  readonly readable: boolean
  readonly writable: boolean
  /** It may be read or written of some entries alone, which the server tells: no list, filter or sort names it. */
  readonly ofSome?: { readonly readable?: true; readonly writable?: true }
  readonly required?: boolean
  readonly private?: boolean
  /** The plugin or the server adds it; the schema file does not name it. */
  readonly added?: boolean
  /** Each language has a value of its own; on a localized type, attributes without it are the same in all languages. */
  readonly localized?: boolean
  readonly min?: number | string
  readonly max?: number | string
  /** The field of a plugin, as the schema file names it: `plugin::color-picker.color`. */
  readonly customField?: string
  /** The options of a custom field. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** An attribute with a value of its own. */
export interface FieldInfo extends AttributeRules {
  readonly kind: 'field'
  readonly family: 'text' | 'order' | 'equality'
  readonly unique?: boolean
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly regex?: string
  /** The attribute that a value of type `uid` is made from. */
  readonly madeFrom?: string
}

/** An attribute that leads to entries, files or components. */
export interface LinkInfo extends AttributeRules {
  readonly kind: 'link'
  /** `inline`: the entries are plain objects in the response, as components are; `data`: wrapped in `{ data }`; `zone`: a dynamic zone. */
  readonly shape: 'data' | 'inline' | 'zone'
  readonly many: boolean
  /** The types it may lead to, in a zone the components; absent where entries of any type may stand. */
  readonly targets?: readonly string[]
  /** Those that the schema file names, where others may stand there as well. */
  readonly listed?: readonly string[]
  /** Filters and sort may go through it. */
  readonly followed: boolean
  /** Seen without permission to find the target. */
  readonly open: boolean
  /** The only fields of the target that are seen through it. */
  readonly only?: readonly string[]
  /** The entry owns the target, which is written along with it: a component. */
  readonly embedded: boolean
  /** An entry leads to this one alone: leading it here ends its link to another one. */
  readonly exclusive?: true
  readonly relation?: string
  /** The kinds of files that it takes: `images`, `videos`, `audios`, `files`. */
  readonly accepts?: readonly string[]
}

export interface OperatorInfo {
  readonly name: string
  readonly describe: string
  readonly takes: 'one' | 'list' | 'two' | 'flag'
  readonly families: readonly FieldInfo['family'][]
  /** The attribute types of plugins that have it, if no family does: it takes a text. */
  readonly types?: readonly string[]
}
