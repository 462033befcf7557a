import { idType } from '../schema/field-types.js'
import type { Expression } from '../schema/kinds.js'
import type { ContentType, Field, Link, SearchIndex } from '../schema/types.js'
import type { MoreView } from './more.js'
import type { Marks } from './search/highlight.js'
import type { SearchTerm } from './search/terms.js'

/** Statements up to which a zone is fetched without finding out which types it contains. */
const fewStatements = 10

/** True if it pays to spend a statement on the types that a zone really contains, compared with reading every possible type. */
export const isSparse = ({ shape, listed }: Pick<Link, 'shape' | 'listed'>, statements: number): boolean =>
  shape === 'zone' && (listed !== undefined || statements > fewStatements)

/** A value in place of a language: that of the query. */
export const ofQuery = 'query'

/** The use of a node: hooks may care whether its rows are shown or only compared. */
export type NodeUse = 'root' | 'populate' | 'filter' | 'sort'

/** One level of a query: a type, the rows of it, their order, and the levels below. It knows no SQL and no HTTP. */
export interface QueryNode {
  readonly type: ContentType
  /** The type with the attributes that the caller may read, if that differs from what requests generally may. */
  readonly view?: ContentType
  readonly use: NodeUse
  /** 0 for the root; each populate, filter or sort through a link adds one. */
  readonly depth: number
  /** The columns that are returned, in this order. */
  readonly fields: readonly Field[]
  readonly where: Condition
  readonly order: readonly Order[]
  readonly page?: Page
  readonly children: readonly Child[]
  /** Fields and children that some entries show. */
  readonly more?: ShownMore
  /** The language of the request, which sorts the texts whose attributes say so. */
  readonly language?: string
  /** Entries are counted and not read. */
  readonly countOnly?: boolean
  /** The statements of a zone whose types are looked up first, with all below it. */
  readonly cost?: number
  /** The texts whose words are marked beside the entries; at the root only. */
  readonly marks?: Marks
  /** Several rows of a single type are wanted, and returned as a list; at the root only. */
  readonly several?: boolean
}

/** Attributes that some entries of a node show, with the conditions of which each tells for an entry whether it is one of them. */
interface ShownMore {
  readonly view: MoreView
  readonly conditions: readonly Condition[]
}

/** A populated attribute, named as its link: one node for each type it may lead to. */
export interface Child {
  readonly link: Link
  readonly nodes: readonly QueryNode[]
  /** Few of the possible types are expected there: a statement finds out which. */
  readonly isSparse?: boolean
  /** Its name in the response, where the query gives it one. */
  readonly name?: string
  /** The name of the attribute, where its link has that of the response. */
  readonly attribute?: string
  /** It is part of the meta of the entry, beside its attributes; at the root only. */
  readonly as?: 'meta'
}

/** The tree with populated attributes under the names that the query gives them: for when hooks, which know them by their own, are done. */
export function withAliases(node: QueryNode): QueryNode {
  if (node.children.length === 0) return node
  const children = node.children.map(({ name, link, nodes, ...child }) => ({
    ...child,
    link: name === undefined ? link : { ...link, name },
    ...(name !== undefined && { attribute: link.name }),
    nodes: nodes.map(withAliases),
  }))
  return { ...node, children }
}

/** True if some entries may show more than others. */
export const showsMore = ({ more, children }: QueryNode): boolean =>
  more !== undefined || children.some(({ nodes }) => nodes.some(showsMore))

export interface Page {
  readonly start: number
  readonly limit: number | null
  readonly keyset?: Keyset
}

/** The page that a request asks for, and whether it wants the total. */
export interface PageRequest extends Page {
  readonly form: 'page' | 'offset' | 'cursor'
  readonly withCount: boolean
  readonly cursor?: CursorRequest
}

/** A page that was asked for by the entry beside it. */
export interface CursorRequest {
  readonly key: 'after' | 'before'
  /** The cursor as the page beside it was given; empty for the first page, or the last. */
  readonly text: string
}

/** A page beside an entry, which is known by its values in the columns of the order; without one, the page begins the list. */
export interface Keyset {
  readonly from?: { readonly values: readonly unknown[]; readonly included: boolean }
  readonly turner: () => PageTurner
}

/** Gives the rows of a page out of those that were read, and with them the cursors of the pages beside, or the total of the list. */
export interface PageTurner {
  readonly cut: (read: readonly (readonly unknown[])[]) => readonly (readonly unknown[])[]
  cursors?: { readonly next: string | null; readonly previous: string | null }
  total?: number
}

export interface Order {
  readonly field: Field
  /** The number of the attribute that is compared, in place of the attribute. */
  readonly number?: Expression
  readonly descending: boolean
  /** The largest of several values counts, or the smallest: otherwise that is for the direction to say. */
  readonly byLargest?: boolean
  /** The links to go through first, with the rows that may be looked at on the way. */
  readonly through: readonly Hop[]
}

export interface Hop {
  readonly link: Link
  readonly node: QueryNode
}

/** Operators that compare a column with values. */
export type Comparison =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'notIn'
  | 'between'
  | 'null'
  | 'notNull'
  | 'like'
  | 'notLike'

/** The place of the value of a text operator. */
export interface Pattern {
  readonly open: 'both' | 'end' | 'start' | 'none'
  readonly ignoreCase: boolean
  /** Wildcards in the value, if the operator decides about them and not the dialect. */
  readonly wildcards?: Wildcards
}

/** `%` and `_` in a value as wildcards: neither, the underscore alone, or both as the engine reads them. */
export type Wildcards = 'none' | 'underscore' | 'all'

export type Condition =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Compare | Matches | AtMost }
  | Compare
  | Matches
  | AtMost
  | {
      /**
       * Some row behind the link meets the condition. `node` says which rows there are to look at; that part is a rule,
       * not a question, so no denial turns it around.
       */
      readonly kind: 'some'
      readonly link: Link
      readonly node: QueryNode
      readonly where: Condition
    }
  /** No row behind the link that the node lets through meets the condition. */
  | { readonly kind: 'none'; readonly link: Link; readonly node: QueryNode; readonly where: Condition }

export interface Compare {
  readonly kind: 'compare'
  readonly field: Field
  readonly operator: Comparison
  readonly values: readonly unknown[]
  readonly pattern?: Pattern
  /** Its value stood in a query of which others differ in that alone. */
  readonly slot?: Slot
}

/** A value of a query text that differs in others of its shape: the function that reads it, and the conditions rendered from it. */
export interface Slot {
  readonly name: string
  readonly raw: string
  readonly read: (raw: string) => Condition
  readonly written: RenderedCondition[]
}

/** A condition as it was written as SQL. */
export interface RenderedCondition {
  readonly compare: Compare
  readonly alias: string
  readonly text: string
  /** The places of each value in the list of all values of the query. */
  readonly places: readonly number[][]
}

/** The indexed texts of an entry have the words. */
export interface Matches {
  readonly kind: 'matches'
  readonly index: SearchIndex
  readonly terms: readonly SearchTerm[]
}

/** A number that is computed of an attribute is at most this. */
export interface AtMost {
  readonly kind: 'atMost'
  readonly field: Field
  readonly number: Expression
  readonly bound: number
}

export const always: Condition = { kind: 'always' }
export const never: Condition = { kind: 'never' }

/** The key of every type, which is no attribute of any. */
export const idField: Field = {
  name: 'id',
  column: 'id',
  type: idType,
  attribute: { type: 'id' },
  readable: true,
  writable: false,
}

export function all(...of: readonly Condition[]): Condition {
  const parts: Condition[] = []
  for (const part of of) {
    if (part.kind === 'never') return never
    if (part.kind === 'all') parts.push(...part.of)
    else if (part.kind !== 'always') parts.push(part)
  }
  return parts.length === 0 ? always : parts.length === 1 ? (parts[0] as Condition) : { kind: 'all', of: parts }
}

export function any(...of: readonly Condition[]): Condition {
  const parts = of.filter(part => part.kind !== 'never')
  if (parts.some(part => part.kind === 'always')) return always
  return parts.length === 0 ? never : parts.length === 1 ? (parts[0] as Condition) : { kind: 'any', of: parts }
}

/**
 * The opposite of a condition, with the denial pushed down to the columns: "not an author named X" asks for an author
 * with another name, and a row without a value meets neither a comparison nor its denial.
 */
export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case 'always':
      return never
    case 'never':
      return always
    case 'all':
      return any(...condition.of.map(negate))
    case 'any':
      return all(...condition.of.map(negate))
    case 'not':
      return condition.of
    case 'compare':
    case 'matches':
    case 'atMost':
      return { kind: 'not', of: condition }
    case 'some':
      return { ...condition, where: negate(condition.where) }
    case 'none':
      return { ...condition, kind: 'some' }
  }
}

/** The number of links that a condition goes through, one behind the other. */
export function depthOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return Math.max(0, ...condition.of.map(depthOf))
    case 'some':
    case 'none':
      return 1 + depthOf(condition.where)
    default:
      return 0
  }
}

/** True if a row without any values meets a condition: such a row stands for "nothing is linked". */
export function metByNothing(condition: Condition): boolean {
  switch (condition.kind) {
    case 'always':
      return true
    case 'never':
    case 'matches':
    case 'atMost':
      return false
    case 'all':
      return condition.of.every(metByNothing)
    case 'any':
      return condition.of.some(metByNothing)
    case 'not':
      return condition.of.kind === 'compare' && condition.of.operator === 'notNull'
    case 'compare':
      return condition.operator === 'null'
    case 'some':
      return metByNothing(condition.where)
    case 'none':
      return true
  }
}

/** A value of a condition that differs from caller to caller; it is filled in when the plan runs. */
export class Late {
  readonly of: (caller: unknown) => unknown
  constructor(of: (caller: unknown) => unknown = () => undefined) {
    this.of = of
  }
}

/** The time at which the plan runs. */
export class Now extends Late {}

/** The id in the address of a request. */
export class EntryId extends Late {}

const thisEntry: Compare = { kind: 'compare', field: idField, operator: 'eq', values: [new EntryId()] }

/** A query for several entries by their ids. */
export const byIds = (node: QueryNode, ids: readonly number[]): QueryNode => ({
  ...node,
  where: all({ kind: 'compare', field: idField, operator: 'in', values: padded(ids) }, node.where),
  page: { start: 0, limit: ids.length },
})

/** A list padded to a power of four: lists of nearly the same length share a statement. */
function padded(ids: readonly number[]): readonly number[] {
  const length = 4 ** Math.ceil(Math.log(Math.max(ids.length, 1)) / Math.log(4))
  return [...ids, ...Array.from({ length: length - ids.length }, () => ids[0] ?? 0)]
}

export const byId = (node: QueryNode): QueryNode => ({ ...node, where: all(thisEntry, node.where) })
