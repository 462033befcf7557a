/** The points in which the two answers to the same request differ; each can be set alone in `config/api: rest`. */
export interface Dialect {
  /** Every top-level entry carries `meta.availableLocales`. */
  readonly entryMeta: boolean
  /** `createdBy` and `updatedBy` are objects of id, firstname and lastname; otherwise entries in `{ data }`. */
  readonly plainCreators: boolean
  /** `set` next to `connect` or `disconnect` is refused; otherwise `set` wins. */
  readonly setExcludesConnect: boolean
  /** The same entry twice in one `connect` is refused; otherwise only where the two items differ. */
  readonly uniqueConnect: boolean
  /** `null` clears lists of components and zones as it clears every field; otherwise only an empty list does. */
  readonly nullClearsLists: boolean
  /** Entries may be filtered and sorted through relations whose target is not one fixed type. */
  readonly filterPolymorphic: boolean
  /** `start` and `limit` inside a populate are accepted, per parent. */
  readonly pagingInPopulate: boolean
  /** `pagination` and `populate` may stand in one query. */
  readonly populateWithPagination: boolean
  /** `%` and `_` in the value of a text operator mean themselves. */
  readonly literalWildcards: boolean
  /** Text operators without an `i` respect letter case on every engine; otherwise the engine decides. */
  readonly exactCase: boolean
  /** A boolean operand that is no boolean counts as true, an empty number as 0. */
  readonly looseOperands: boolean
  /** Of plain values and operators in one list of a filter only the plain values count. */
  readonly plainValuesWin: boolean
  /** `true` or `false` in place of one related entry means none, and a position that says nothing the end. */
  readonly looseRelations: boolean
  /** A zone takes every component of the app, and shows whatever stands in it; otherwise only what it lists. */
  readonly openZones: boolean
  /** What a populate says of a relation that the caller may not see is checked; otherwise it is not looked at. */
  readonly checkHidden: boolean
  /** An unknown top-level parameter is refused; otherwise it is ignored. */
  readonly strictParams: boolean
  /** An unknown name in `populate` is refused; otherwise it is dropped. */
  readonly strictPopulate: boolean
  /** A polymorphic list without entries is an empty list; otherwise it is null. */
  readonly emptyPolymorphicLists: boolean
  /** Unique attributes get a unique index where their column allows one. */
  readonly uniqueIndexes: boolean
  /** Errors about a parameter say only `Invalid parameter <key>`. */
  readonly terseErrors: boolean
  /** A wrong method is answered in plain text. */
  readonly plainMethodErrors: boolean
  /** The largest page where `rest.maxLimit` is not set; null means there is none. */
  readonly defaultMaxLimit: number | null
}

export type DialectName = 'spec' | 'strapi4'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  spec: {
    entryMeta: true,
    plainCreators: true,
    setExcludesConnect: true,
    uniqueConnect: true,
    nullClearsLists: true,
    filterPolymorphic: false,
    pagingInPopulate: false,
    populateWithPagination: true,
    literalWildcards: true,
    exactCase: true,
    looseOperands: false,
    plainValuesWin: false,
    looseRelations: false,
    openZones: false,
    checkHidden: false,
    strictParams: true,
    strictPopulate: true,
    emptyPolymorphicLists: true,
    uniqueIndexes: true,
    terseErrors: false,
    plainMethodErrors: false,
    defaultMaxLimit: 100,
  },
  strapi4: {
    entryMeta: false,
    plainCreators: false,
    setExcludesConnect: false,
    uniqueConnect: false,
    nullClearsLists: false,
    filterPolymorphic: true,
    pagingInPopulate: true,
    populateWithPagination: true,
    literalWildcards: false,
    exactCase: false,
    looseOperands: true,
    plainValuesWin: true,
    looseRelations: true,
    openZones: true,
    checkHidden: true,
    strictParams: false,
    strictPopulate: false,
    emptyPolymorphicLists: false,
    uniqueIndexes: false,
    terseErrors: true,
    plainMethodErrors: true,
    defaultMaxLimit: null,
  },
}

/** The flags that `config/api: rest` may set one by one. */
export const dialectFlags: readonly string[] = Object.entries(dialects.spec)
  .filter(([, value]) => typeof value === 'boolean')
  .map(([name]) => name)

/** What an operator should hear at start: the ways in which this dialect is looser than the specification. */
export function looseFlags(dialect: Dialect): string[] {
  return dialectFlags.filter(name => dialect[name as keyof Dialect] !== dialects.spec[name as keyof Dialect])
}

export function chooseDialect(name: DialectName, flags: Readonly<Record<string, unknown>>): Dialect {
  return { ...dialects[name], ...flags }
}
