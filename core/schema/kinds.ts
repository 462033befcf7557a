import type { DeclaredAttribute } from './attribute.js'
import type { JsonSchema, ValueShape } from './json-schema.js'
import type { OptionSchemas } from './options.js'
import type { ColumnLimits, Representation } from './representation.js'

/** The operators of a field, by family. */
export type OperatorFamily = 'text' | 'order' | 'equality'

/** An attribute kind that is one column of the entry's own table. */
export interface ValueType<Name extends string = string, Options extends OptionSchemas = OptionSchemas> {
  readonly name: Name
  readonly kind: 'value'
  /** The representation in which engines store and read it. */
  readonly as: Representation
  /** JSON schemas of the options that this type has besides the common ones; the types of their values follow from them. */
  readonly options?: Options
  /** Checks one attribute of a schema file beyond a JSON schema; returns a message about a mistake. */
  readonly check?: (attribute: DeclaredAttribute) => string | undefined
  /** Never given out, filtered or sorted. */
  readonly secret?: boolean
  readonly operators: OperatorFamily
  /** Operators of its own, by which its attributes are filtered and sorted; their names begin with a dollar sign. */
  readonly measures?: Readonly<Record<string, Measure>>
  /** The column has a unique index whatever the schema says. */
  readonly unique?: boolean
  /**
   * A request's value as it is stored, in the form of `as`: text, a number, true or false, digits of a bigint, `yyyy-MM-dd`,
   * milliseconds since 1970; of `json` the value itself or its text. It refuses a value by throwing a WrongValue, or a
   * string, that completes "<attribute> ...": a 400.
   */
  readonly write: (value: unknown, field: Field, limits: ColumnLimits) => unknown
  /** A last step before storing that may take its time, such as hashing. */
  readonly seal?: (value: unknown) => Promise<unknown>
  /** A filter's text as it is compared, in the same form and with the same refusals; undefined can match nothing. */
  readonly operand: (value: unknown, loose: boolean) => unknown
  /** A stored value as it is returned, where the representation alone does not say it. */
  readonly show?: (value: unknown) => unknown
  /** JSON schemas of the values of an attribute, for documents and forms; without it they may be anything. */
  readonly json?: (attribute: DeclaredAttribute) => ValueShape
}

/**
 * A number that a plugin's attribute type has for every entry and an operand: `filters[place][$near]=52.5,13.4,5` finds the
 * entries whose number is at most a bound, and `sort[place][$near]=52.5,13.4` sorts by it, the smallest first.
 */
// biome-ignore lint/suspicious/noExplicitAny: what is read is for the plugin alone to know
export interface Measure<Asked = any> {
  readonly describe: string
  /** The schema of the operand, for documents and forms; a text without it. */
  readonly schema?: JsonSchema
  /** Reads the operand once for each query; refuses it as `write` of the type refuses a value. */
  readonly read: (value: unknown) => Asked
  /** The number, made of the attribute and the operand; an entry without it meets no filter and is sorted last. */
  readonly number: (of: Arithmetic, asked: Asked) => Expression
  /** The largest number that meets a filter; refuses an operand without one. */
  readonly atMost: (asked: Asked) => number
}

/** A number that the database computes: all engines compute the same. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'value' }
  | { readonly kind: 'part'; readonly name: string }
  | {
      readonly kind: 'joined'
      readonly sign: '+' | '-' | '*' | '/'
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'call'; readonly name: 'abs' | 'sin' | 'cos'; readonly of: Expression }

/** Numbers of JavaScript are bound as values of the statement. */
export type NumberTerm = Expression | number

/** The parts of expressions. Angles are radians; a division by zero has no value. */
export interface Arithmetic {
  /** The attribute itself, where its type is stored as a number. */
  readonly value: Expression
  /** The number that the attribute has under a name, where its type is stored as JSON. */
  part(name: string): Expression
  plus(...of: readonly [NumberTerm, NumberTerm, ...NumberTerm[]]): Expression
  minus(...of: readonly [NumberTerm, NumberTerm, ...NumberTerm[]]): Expression
  times(...of: readonly [NumberTerm, NumberTerm, ...NumberTerm[]]): Expression
  divided(...of: readonly [NumberTerm, NumberTerm, ...NumberTerm[]]): Expression
  abs(of: NumberTerm): Expression
  sin(of: NumberTerm): Expression
  cos(of: NumberTerm): Expression
}

/** An attribute kind that leads to rows of other tables. */
export interface LinkType {
  readonly name: string
  readonly kind: 'link'
  readonly options?: OptionSchemas
  readonly check?: (attribute: DeclaredAttribute) => string | undefined
  readonly link: (place: LinkPlace) => LinkSpec
}

/** The inputs of a link kind when it chooses the storage of an attribute. */
export interface LinkPlace {
  readonly uid: string
  readonly table: string
  readonly singularName: string
  readonly name: string
  readonly attribute: DeclaredAttribute
  /** Names of any other type; throws a sentence when it does not exist. */
  readonly other: (uid: string) => {
    uid: string
    table: string
    singularName: string
    attribute: (name: string) => DeclaredAttribute | undefined
    /** Tells whether its schema file has this attribute, and requests do not. */
    isUnserved: (name: string) => boolean
    /** The names of its relations. */
    relations: () => readonly string[]
  }
  /** All components of the app, where they may stand in any zone. */
  readonly components?: readonly string[] | undefined
  /** Takes note of a mistake in the schema that can be lived with; absent if there may be none. */
  readonly note?: ((sentence: string) => void) | undefined
}

export type FieldType = ValueType
export type AttributeKind = ValueType | LinkType

/** One column of a type that requests may see. */
export interface Field {
  readonly name: string
  readonly column: string
  readonly type: FieldType
  readonly attribute: DeclaredAttribute
  /** Private attributes and passwords are never selected, filtered or sorted. */
  readonly readable: boolean
  /** Written by requests; the server's own columns are not. */
  readonly writable: boolean
  /** An index begins with its column. */
  readonly indexed?: true
  /** The language that sorts it, where that is declared. */
  readonly collation?: string
  /** The attribute whose text the value of a new entry can be made from. */
  readonly madeFrom?: string
  /** Its values are unique among all entries of the type, whatever `uniqueWithin` keeps apart. */
  readonly uniqueOverall?: true
}

/** The storage of a link: a table of links, a column of the entry, or a column of the target. */
export type LinkStorage =
  | {
      readonly via: 'table'
      readonly table: string
      readonly from: string
      readonly to: string
      readonly order?: string
      readonly inverseOrder?: string
      /** Column that names the type of the target, where that may vary. */
      readonly typeColumn?: string
      /** Constants that single out this attribute's rows in a shared table. */
      readonly match: Readonly<Record<string, string>>
    }
  | { readonly via: 'column'; readonly column: string; readonly typeColumn?: string }
  | { readonly via: 'target'; readonly column: string; readonly match: Readonly<Record<string, string>> }

/** The result of a link kind for one attribute; the registry makes a Link of it. */
export interface LinkSpec {
  readonly many: boolean
  /** The form of a populated value: in `{ data }`, as a plain component, as a list of named components. */
  readonly shape: 'data' | 'inline' | 'zone'
  /** The types the link may lead to; undefined if any type can stand. */
  readonly targets: readonly string[] | undefined
  /** The types that the schema names, if other types may stand there as well. */
  readonly listed?: readonly string[]
  readonly storage: LinkStorage
  /** The target's rows belong to the entry: written, replaced and deleted with it. */
  readonly embedded?: boolean
  /** Taking a target ends its link to a former owner. */
  readonly exclusive?: boolean
  /** The side whose schema names the table. */
  readonly owning?: boolean
  /** The target is not one fixed type, or is stored as if it were not. */
  readonly polymorphic?: boolean
  /** Populating and filtering need no `find` on the target. */
  readonly open?: boolean
  /** Entries are given as a whole list; they cannot be connected one by one. */
  readonly setOnly?: boolean
  /** A restriction of the entries that may be linked, by one of their fields; it is checked when they are linked. */
  readonly accepts?: {
    readonly field: string
    readonly test: (value: unknown) => boolean
    /** Completes the sentence "<attribute> ..." of a validation error. */
    readonly describe: string
  }
  /** Name of the attribute at the other end. */
  readonly inverse?: string
  /** A fixed part of the target's fields that may be read through this link. */
  readonly only?: readonly string[]
}
