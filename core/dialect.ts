/**
 * The points in which the two dialects respond differently to the same request: one row each, with its values. The code that
 * reads a flag, the setting `rest.<flag>`, its check and the table of the page (`core/http/README.md`) all follow from the row.
 */
export const flagRows = {
  /** Every top-level entry carries a `meta` with the names that plugins list there. */
  entryMeta: { spec: true, strapi4: false },
  /** `createdBy` and `updatedBy` are plain objects; otherwise they are wrapped in `{ data }`. */
  plainCreators: { spec: true, strapi4: false },
  /** `set` next to `connect` or `disconnect` is rejected; otherwise `set` wins. */
  setExcludesConnect: { spec: true, strapi4: false },
  /**
   * The same entry twice in one `connect` is rejected; otherwise only if the two items differ (as `5` and `{ "id": 5 }`
   * do).
   */
  uniqueConnect: { spec: true, strapi4: false },
  /** `null` empties lists of components and dynamic zones, as it clears every other field; otherwise only `[]` does. */
  nullClearsLists: { spec: true, strapi4: false },
  /** An entry that may lack required fields may also lack required repeatable components and dynamic zones. */
  incompleteLists: { spec: true, strapi4: false },
  /**
   * A required relation, or a required file, leads to an entry in every finished entry: empty lists are rejected, and entries are
   * checked when they are published; otherwise a required relation may only not be left out of a create, and not be null.
   */
  requiredLinks: { spec: true, strapi4: false },
  /** Filters and sort may go through relations whose target is not one fixed type. */
  filterPolymorphic: { spec: false, strapi4: true },
  /** `start` and `limit` are accepted inside a populate and apply to each parent. */
  pagingInPopulate: { spec: false, strapi4: true },
  /** `count` is accepted inside a populate: how many entries of each parent there are, in place of them. */
  countInPopulate: { spec: true, strapi4: true },
  /** `pagination` and `populate` may be used in the same query. */
  populateWithPagination: { spec: true, strapi4: true },
  /** Pages and sizes below 1 count as 1, a start below 0 as 0, empty values too; otherwise they are rejected. */
  clampPages: { spec: false, strapi4: true },
  /** `fields` takes names with commas between them, as `sort` and `populate` do; otherwise they are rejected. */
  commaFields: { spec: true, strapi4: false },
  /** `%` and `_` in the value of a text operator, and `_` in `_q`, are literal characters. */
  literalWildcards: { spec: true, strapi4: false },
  /** Operators without an `i` are case-sensitive on every engine; otherwise the engine decides. */
  exactCase: { spec: true, strapi4: false },
  /**
   * Missing values sort first ascending and last descending on every engine; otherwise the engine decides (PostgreSQL:
   * last, first).
   */
  nullsFirst: { spec: true, strapi4: false },
  /**
   * Values of `time` always have milliseconds, `03:45:00.000`; otherwise they are as the database prints them
   * (PostgreSQL: `03:45:00`, `07:08:09.1`).
   */
  paddedTimes: { spec: true, strapi4: false },
  /**
   * `_q` also searches ids and, if its text is a number, numeric attributes; otherwise it searches text attributes
   * only.
   */
  searchNumbers: { spec: false, strapi4: true },
  /**
   * Entries found by a search index come with the best matches first unless `sort` is sent; otherwise they come in the order of
   * all lists.
   */
  rankedSearch: { spec: true, strapi4: false },
  /**
   * An invalid boolean operand counts as true (a list or an object for `$null` included), an empty number as 0, and an
   * invalid id equals none; otherwise they are rejected.
   */
  looseOperands: { spec: false, strapi4: true },
  /** In `filters[id]=5&filters[id][$gt]=6` the plain value wins; otherwise the filter is rejected. */
  plainValuesWin: { spec: false, strapi4: true },
  /**
   * `true` in place of one related entry means none, and a `position` that names no place means the end; otherwise both
   * are rejected.
   */
  looseRelations: { spec: false, strapi4: true },
  /**
   * A dynamic zone accepts every component of the app and shows everything stored in it; otherwise only the components
   * that it lists.
   */
  openZones: { spec: false, strapi4: true },
  /**
   * The parameters inside the populate of a relation that the caller may not see are validated; otherwise they are
   * ignored.
   */
  checkHidden: { spec: false, strapi4: true },
  /** An unknown parameter is rejected; otherwise it is ignored. */
  strictParams: { spec: true, strapi4: false },
  /** A body of an unsupported media type is a 415 that names the supported ones; otherwise it counts as missing. */
  strictContentType: { spec: true, strapi4: false },
  /**
   * An attribute in a body that the type does not have, or that leads to entries which the caller may not find, is
   * rejected; otherwise it is ignored.
   */
  strictBodies: { spec: true, strapi4: false },
  /**
   * An attribute of type `uid` that a new entry does not have gets a free value that is made from its `targetField`;
   * otherwise it stays empty.
   */
  madeUids: { spec: true, strapi4: false },
  /** An unknown name in `populate` is rejected; otherwise it is ignored. */
  strictPopulate: { spec: true, strapi4: false },
  /** An empty polymorphic list, such as multiple files, is `[]`; otherwise `null`. */
  emptyPolymorphicLists: { spec: true, strapi4: false },
  /**
   * Entries of a relation to any type, and everything below them, are plain lists (each entry with its `__type`) and
   * plain objects; otherwise they are wrapped in `{ data }` like those of any other relation.
   */
  plainPolymorphic: { spec: false, strapi4: true },
  /**
   * Components appear among the entries of a relation to any type, such as `related` of a file, for callers with
   * permission to find them, that is, callers with full access.
   */
  componentsInPolymorphic: { spec: false, strapi4: true },
  /**
   * In a populate of a relation to any type, `fields` applies to the types that have them, and `sort` and `filters`
   * have no effect, nor does `count` on a polymorphic relation; otherwise they are rejected, and `count` counts.
   */
  loosePolymorphicPopulate: { spec: false, strapi4: true },
  /** `__pivot: { field }` of a written item names the attribute at the other end; otherwise it is ignored. */
  polymorphicPivot: { spec: false, strapi4: true },
  /**
   * Unique attributes get a unique index where their column allows one; without it, writes of the same value wait for
   * each other before the check.
   */
  uniqueIndexes: { spec: true, strapi4: false },
  /**
   * A `uid`, and an attribute with `column.unique`, is unique among all entries of its type, also where plugins keep
   * entries apart (those of each language); otherwise among the entries that are kept together.
   */
  uidsOfAllEntries: { spec: false, strapi4: true },
  /** Errors about a parameter say only `Invalid parameter <name>`. */
  terseErrors: { spec: false, strapi4: true },
  /**
   * Errors in a body are described in plain words and all at once, dates and the ids that cannot be linked among them, and
   * pages at the top level are named; otherwise the messages are those of Strapi 4, one wrong date at a time (`views must be a number` or "must be a number type, but the final value was: ...").
   */
  plainMessages: { spec: true, strapi4: false },
  /** The response to a wrong method is plain text. */
  plainMethodErrors: { spec: false, strapi4: true },
  /** The maximum page size if `rest.maxLimit` is not set; null means no maximum. Not a setting of its own. */
  defaultMaxLimit: { spec: 100, strapi4: null },
}

export type DialectName = 'spec' | 'strapi4'
type FlagRows = Readonly<Record<string, Readonly<Record<DialectName, unknown>>>>

/** The value of every flag of such rows. */
export type FlagsOf<Rows extends FlagRows> = { readonly [Flag in keyof Rows]: Rows[Flag][DialectName] }
export interface Dialect extends FlagsOf<typeof flagRows> {}

export const dialects = dialectsOf(flagRows)

/** The flags that `config/api: rest` may set one by one. */
export const dialectFlags = booleansOf(flagRows)

/** Both dialects as the rows describe them. */
export function dialectsOf<Rows extends FlagRows>(rows: Rows): Readonly<Record<DialectName, FlagsOf<Rows>>> {
  const column = (name: DialectName) =>
    Object.fromEntries(Object.entries(rows).map(([flag, row]) => [flag, row[name]])) as FlagsOf<Rows>
  return { spec: column('spec'), strapi4: column('strapi4') }
}

/** The rows that can be settings: those that are either on or off. */
export function booleansOf(rows: FlagRows): readonly string[] {
  return Object.keys(rows).filter(flag => typeof rows[flag]?.spec === 'boolean')
}

/** The names of the flags by which this dialect is looser than the specification, for a message at start. */
export function looseFlags(dialect: Dialect): string[] {
  return dialectFlags.filter(name => dialect[name as keyof Dialect] !== dialects.spec[name as keyof Dialect])
}

export function chooseDialect(name: DialectName, flags: Readonly<Record<string, unknown>>): Dialect {
  return { ...dialects[name], ...flags }
}
