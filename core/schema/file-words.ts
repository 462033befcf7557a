import { attributeWords, ownOptions, type SchemaWords, typeSchema as typeForm } from './check.js'
import type { Representation } from './representation.js'

type Words = Readonly<Record<string, object>>

/** The words of an app's schema files, with JSON schemas of their values: those of the server and of its enabled plugins. */
export interface FileWords {
  readonly kinds: readonly KindWords[]
  /** Words that an attribute of any type may have. */
  readonly attribute: Words
  /** Words in `options` of types. */
  readonly options: Words
  /** Words in `pluginOptions` of types and attributes, by the name of the plugin. */
  readonly pluginOptions: Readonly<Record<string, Words>>
  /** Names that no attribute may have. */
  readonly reserved: readonly string[]
  /** Expressions that names match. */
  readonly names: { readonly attribute: string; readonly type: string; readonly table: string }
}

/** An attribute type. */
export interface KindWords {
  readonly name: string
  /** The form in which its values are stored; undefined for one that leads to other entries. */
  readonly as?: Representation
  /** Its values are never given out. */
  readonly secret?: true
  readonly options: Words
}

/** Names that attributes of every type have in responses. */
export const reserved: readonly string[] = [
  'id',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  '__component',
  '__type',
]

export function fileWords({ kinds, options, pluginOptions }: Omit<SchemaWords, 'dormant'>): FileWords {
  const { attributes, collectionName, info } = typeForm.properties
  const { type: _, ...attribute } = attributeWords
  return {
    kinds: [...kinds.values()].map(kind => ({
      name: kind.name,
      ...(kind.kind === 'value' && { as: kind.as }),
      ...(kind.kind === 'value' && kind.secret && { secret: true as const }),
      options: kind.options ?? {},
    })),
    attribute,
    options: { ...ownOptions, ...options },
    pluginOptions: Object.fromEntries([...pluginOptions].filter(([, words]) => Object.keys(words).length > 0)),
    reserved,
    names: {
      attribute: attributes.propertyNames.pattern,
      type: info.properties.singularName.pattern,
      table: collectionName.pattern,
    },
  }
}
