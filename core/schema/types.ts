import type { AttributeBase, DeclaredAttribute } from './attribute.js'
import type { valueTypes } from './field-types.js'
import type { Field, LinkSpec } from './kinds.js'
import type { OptionsOf } from './options.js'

export type { AttributeBase, DeclaredAttribute } from './attribute.js'
export type { Field, LinkSpec, LinkStorage } from './kinds.js'

/** The words a user may write in `options` of a schema file; plugins open it by module augmentation. */
export interface TypeOptions {
  /** `createdBy` and `updatedBy` may be populated. */
  populateCreatorFields?: boolean
  /** Name of the response format of this type's routes. */
  format?: string
  comment?: string
  /** The language that sorts its texts. */
  collation?: string
}

type RelationKind =
  | 'oneToOne'
  | 'oneToMany'
  | 'manyToOne'
  | 'manyToMany'
  | 'morphToOne'
  | 'morphToMany'
  | 'morphOne'
  | 'morphMany'

/** The attribute types that are columns: each is declared by its row of the table of types. */
type ColumnAttributes = {
  [Row in (typeof valueTypes)[number] as Row['name']]: AttributeBase &
    OptionsOf<NonNullable<Row extends { readonly options?: infer Options } ? Options : unknown>> & {
      readonly type: Row['name']
    }
}

/** The attribute types of a schema file; a plugin with a field type of its own adds a line. */
export interface AttributeTypes extends ColumnAttributes {
  relation: AttributeBase & {
    readonly type: 'relation'
    readonly relation: RelationKind
    readonly target?: string
    readonly inversedBy?: string
    readonly mappedBy?: string
    readonly morphBy?: string
    readonly useJoinTable?: boolean
  }
  component: AttributeBase & {
    readonly type: 'component'
    readonly component: string
    readonly repeatable?: boolean
    readonly min?: number
    readonly max?: number
  }
  dynamiczone: AttributeBase & {
    readonly type: 'dynamiczone'
    readonly components: readonly string[]
    readonly min?: number
    readonly max?: number
  }
}
export type Attribute = AttributeTypes[keyof AttributeTypes]

/** A schema file as it was read, before anything was checked. */
export interface Definition {
  readonly uid: string
  readonly source: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Attributes of a plugin's type that hold uids, or actions, which begin with one: their values follow when a type is renamed. */
  readonly uidColumns?: readonly string[]
}

export type TypeKind = 'collectionType' | 'singleType' | 'component'

/** An index that the schema file asks for. */
export interface IndexWish {
  readonly attributes: readonly string[]
  readonly unique?: boolean
  readonly name?: string
}

/** The attributes of a type whose words are indexed for `_q`. */
export interface SearchIndex {
  /** The table that has the words, which triggers keep. */
  readonly name: string
  /** The table of the type. */
  readonly table: string
  readonly fields: readonly SearchedField[]
  /** Until it has been built, `_q` reads the texts. */
  isComplete: boolean
}

export interface SearchedField {
  readonly name: string
  readonly column: string
  /** The weight of a match here next to one in another attribute: from 1 to 10. */
  readonly weight: number
}

/** A way from one type to others: relation, component, zone, or a plugin's kind. */
export interface Link extends LinkSpec {
  readonly name: string
  /** The table of the type that has the attribute. */
  readonly table: string
  /** The types it may lead to; none if any type can stand. */
  readonly types: () => readonly ContentType[]
  readonly attribute: DeclaredAttribute
  readonly readable: boolean
  readonly writable: boolean
  /** A list without entries is returned as null. */
  readonly emptyIsNull?: boolean
}

/** A type before its attributes are laid out. */
export type TypeOutline = Omit<
  ContentType,
  'fields' | 'links' | 'added' | 'uniqueWithin' | 'gone' | 'entryMeta' | 'search'
>

/** A content type or component, checked and laid out. */
export interface ContentType {
  readonly uid: string
  readonly kind: TypeKind
  readonly singularName: string
  readonly pluralName: string
  readonly displayName: string
  /** Descriptions for people from the schema file: a text, an icon. */
  readonly info: Readonly<Record<string, unknown>>
  readonly table: string
  readonly options: TypeOptions & Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly fields: ReadonlyMap<string, Field>
  readonly links: ReadonlyMap<string, Link>
  readonly indexes: readonly IndexWish[]
  /** The attributes that the schema file lists under `search`. */
  readonly searched: readonly string[]
  /** The index of the words of its texts, where it asks for one. */
  readonly search?: SearchIndex
  /** The uid that it had before. */
  readonly renamedFrom?: string
  /** Attributes of the schema file that are not served while a plugin is disabled. */
  readonly unserved: readonly string[]
  /** The attributes that plugins add. */
  readonly added: readonly string[]
  /** Unique values are so among the entries with the same values here. */
  readonly uniqueWithin: readonly Field[]
  /** Entries with a value here count as deleted: only writes that say so reach them. */
  readonly gone?: Field
  /** The links listed in the meta of every entry: the entries behind them, with some of their fields. */
  readonly entryMeta: readonly { readonly name: string; readonly link: Link; readonly fields: readonly string[] }[]
  readonly source: string
  /** Generated endpoints exist for it. */
  readonly routed: boolean
  /** Callers may be permitted its actions, but no path leads to it: the app is another server's, which has none for it. */
  readonly withoutEndpoints?: true
  /** The type itself, where this is a part of it that some callers see. */
  readonly whole?: ContentType
}
