import type { AnyType } from './schema.js'

/** The parameters that shape a list. */
export type FindQuery<T extends AnyType, F, P, G> = {
  /** The fields to respond with; all of them otherwise. */
  readonly fields?: F
  /** Links to include: `*`, a name, a list of names, or an object with parameters for each name. */
  readonly populate?: P & Known<P, T>
  /** Conditions on entries: `{ title: { $contains: 'bread' }, author: { name: 'Ada' } }`. */
  readonly filters?: Filters<T>
  /** `title`, `title:desc`, `author.name`, a list of these, or objects: `{ author: { name: 'desc' } }`. */
  readonly sort?: ListSort<T>
  readonly pagination?: G & { readonly [K in Exclude<keyof G, keyof Pagination>]: never }
  /** A text to look for in all text fields; words, where the type has a search index. */
  readonly _q?: string
  /** The searched fields in which `meta.search.highlights` marks what `_q` finds, where the type has a search index. */
  readonly highlight?: Highlight<T>
}

/** The parameters that shape one entry, of writes too. */
export type OneQuery<T extends AnyType, F, P> = {
  readonly fields?: F
  readonly populate?: P & Known<P, T>
}

export type FieldName<T extends AnyType> = (keyof T['fields'] & string) | 'id'

export type Fields<T extends AnyType> = '*' | FieldName<T> | readonly ('*' | FieldName<T>)[]

export type Populate<T extends AnyType> =
  | '*'
  | (keyof T['links'] & string)
  | readonly (keyof T['links'] & string)[]
  | PopulateObject<T>

export type PopulateObject<T extends AnyType> = { readonly [L in keyof T['links']]?: boolean | Below<T['links'][L]> }

/** The parameters of one populated name. */
type Below<L> = L extends { readonly as: 'one' | 'many' | 'part' | 'parts'; readonly to: infer To extends AnyType }
  ? Level<To> & PagedAs<L>
  : L extends { readonly to: infer Zone }
    ? {
        /** Parameters for some of the types. */
        readonly on?: { readonly [U in keyof Zone]?: boolean | (Zone[U] extends AnyType ? Level<Zone[U]> : never) }
        /** Links to include of each type that has them. */
        readonly populate?: '*' | LinkOf<Zone> | readonly LinkOf<Zone>[]
      }
    : never

type LinkOf<Zone> = { [U in keyof Zone]: Zone[U] extends AnyType ? keyof Zone[U]['links'] & string : never }[keyof Zone]

type Level<T extends AnyType> = {
  readonly fields?: Fields<T>
  readonly populate?: Populate<T>
  readonly filters?: Filters<T>
  readonly sort?: Sort<T>
} & T['nested']

type Paged = {
  readonly start?: number
  readonly limit?: number
}

type Counted = {
  /** Returns the number of entries in place of them. */
  readonly count?: true
}

/** Parameters of a populated link besides those of its type. */
type PagedAs<L> = (L extends { readonly paged: true } ? Paged : unknown) &
  (L extends { readonly counted: true } ? Counted : unknown)

/** The page: by number, by offset, or beside another entry. */
export type Pagination = Numbered | Offset | After | Before
interface Beside {
  readonly limit?: number
  /** Returns the total too; it is left out by default. */
  readonly withCount?: boolean
  readonly page?: never
  readonly pageSize?: never
  readonly start?: never
}
interface After extends Beside {
  /** `next` of another page; empty for the first page. */
  readonly after: string
  readonly before?: never
}
interface Before extends Beside {
  /** `previous` of another page; empty for the last page. */
  readonly before: string
  readonly after?: never
}
interface Numbered {
  readonly page?: number
  readonly pageSize?: number
  /** Returns the total too. */
  readonly withCount?: boolean
  readonly start?: never
  readonly limit?: never
  readonly after?: never
  readonly before?: never
}
interface Offset {
  readonly start?: number
  /** -1 for as many as there may be. */
  readonly limit?: number
  readonly withCount?: boolean
  readonly page?: never
  readonly pageSize?: never
  readonly after?: never
  readonly before?: never
}

type Group = '$and' | '$or' | '$not'

/** Conditions on an entry: each name with a value, a list of values, or operators. */
export type Filters<T extends AnyType> = {
  readonly [K in FieldName<T> | T['through'] | Group]?: K extends '$and' | '$or'
    ? readonly Filters<T>[]
    : K extends '$not'
      ? Filters<T>
      : K extends keyof T['links']
        ? Linked<T['links'][K]>
        : K extends 'id'
          ? Condition<Ordered<number | `${number}`>>
          : K extends keyof T['fields']
            ? FieldCondition<K, NonNullable<T['fields'][K]>, T>
            : never
}

type Linked<L> = L extends { readonly to: infer To extends AnyType }
  ? number | readonly number[] | (Filters<To> & Ordered<number>)
  : never

type FieldCondition<K, V, T extends AnyType> = K extends keyof T['measures']
  ? Condition<Compared<K, V, T> & T['measures'][K]>
  : Condition<Compared<K, V, T>>

type Compared<K, V, T extends AnyType> = K extends T['text']
  ? Text<V>
  : K extends T['order']
    ? Ordered<V extends number ? V : V | number | Date>
    : Same<V>

/** A value, a list of which one has to fit, or operators. */
type Condition<O> = O extends { readonly $eq?: infer V } ? V | readonly V[] | O : O

/** The operators of every field. */
interface Same<V> {
  readonly $eq?: V
  readonly $ne?: V
  readonly $in?: readonly V[]
  readonly $notIn?: readonly V[]
  readonly $null?: boolean
  readonly $notNull?: boolean
  readonly $not?: V | this
  readonly $and?: readonly this[]
  readonly $or?: readonly this[]
}

/** The operators of numbers, dates and ids. */
interface Ordered<V> extends Same<V> {
  readonly $lt?: V
  readonly $lte?: V
  readonly $gt?: V
  readonly $gte?: V
  readonly $between?: readonly [V, V]
}

/** The operators of text. An `i` at the end means that case is ignored. */
interface Text<V> extends Ordered<V> {
  readonly $eqi?: string
  readonly $nei?: string
  readonly $contains?: string
  readonly $notContains?: string
  readonly $containsi?: string
  readonly $notContainsi?: string
  readonly $startsWith?: string
  readonly $startsWithi?: string
  readonly $endsWith?: string
  readonly $endsWithi?: string
}

type Direction = 'asc' | 'desc'

/** `title`, `title:desc`, `author.name:asc`. */
export type SortKey<T extends AnyType> = Key<FieldName<T>> | FarKey<T>
type Key<Name extends string> = Name | `${Name}:${Direction}`
type FarKey<T extends AnyType> = {
  [L in T['through']]: L extends keyof T['links']
    ? T['links'][L] extends { readonly to: infer To extends AnyType }
      ? Key<`${L}.${FieldName<To>}`>
      : never
    : never
}[T['through']]

/** `{ author: { name: 'desc' } }`: through any number of links. */
export type SortObject<T extends AnyType> = {
  readonly [K in FieldName<T> | T['through']]?: K extends keyof T['links']
    ? T['links'][K] extends { readonly to: infer To extends AnyType }
      ? SortObject<To>
      : never
    : Direction | (K extends keyof T['measures'] ? T['measures'][K] : never)
}

/** `_rank` puts the best matches of `_q` first, where the type has a search index. */
type ListSort<T extends AnyType> = T extends { readonly searched: string }
  ? SortKey<T> | SortObject<T> | Rank | readonly (SortKey<T> | SortObject<T> | Rank)[]
  : Sort<T>
type Highlight<T extends AnyType> = T extends { readonly searched: infer Name extends string }
  ? '*' | Name | readonly ('*' | Name)[]
  : never
type Rank = '_rank' | '_rank:desc'

export type Sort<T extends AnyType> = SortKey<T> | SortObject<T> | readonly (SortKey<T> | SortObject<T>)[]

/**
 * Marks names in a populate that its type does not know as never: an argument of a generic function may have more names
 * than its type says. Only names are checked here; their values are checked like any argument.
 */
export type Known<P, T extends AnyType> = P extends string | readonly unknown[]
  ? unknown
  : {
      readonly [K in keyof P]: K extends keyof T['links']
        ? P[K] extends boolean
          ? unknown
          : KnownBelow<P[K], T['links'][K]>
        : never
    }

type KnownBelow<Q, L> = L extends { readonly to: infer To extends AnyType }
  ? KnownLevel<Q, To, keyof PagedAs<L>>
  : L extends { readonly to: infer Zone }
    ? { readonly [K in keyof Q]: K extends 'on' ? KnownOn<Q[K], Zone> : K extends 'populate' ? unknown : never }
    : never

type KnownOn<On, Zone> = {
  readonly [U in keyof On]: U extends keyof Zone
    ? Zone[U] extends AnyType
      ? On[U] extends boolean
        ? unknown
        : KnownLevel<On[U], Zone[U], never>
      : never
    : never
}

type KnownLevel<Q, T extends AnyType, More> = {
  readonly [K in keyof Q]: K extends 'fields' | 'sort' | keyof T['nested'] | More
    ? unknown
    : K extends 'populate'
      ? Known<Q[K], T>
      : K extends 'filters'
        ? KnownFilters<Q[K], T>
        : never
}

type KnownFilters<F, T extends AnyType> = {
  readonly [K in keyof F]: K extends '$and' | '$or'
    ? KnownGroups<F[K], T>
    : K extends '$not'
      ? KnownFilters<F[K], T>
      : K extends keyof T['fields'] | 'id'
        ? unknown
        : K extends T['through'] & keyof T['links']
          ? KnownLinked<F[K], T['links'][K]>
          : never
}

type KnownGroups<List, T extends AnyType> = { readonly [Index in keyof List]: KnownFilters<List[Index], T> }

type KnownLinked<F, L> = F extends number | readonly unknown[]
  ? unknown
  : L extends { readonly to: infer To extends AnyType }
    ? KnownFilters<Omit<F, keyof Ordered<number>>, To>
    : never
