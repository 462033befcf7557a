import { emptyGroup, type GroupState } from '../../pages/values/filters.js'

/** The state of the builder: plain values that are never changed, only replaced. */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete'

export interface BuilderState {
  readonly uid: string
  readonly action: Action
  /** The entry that is read, changed or deleted. */
  readonly id: string
  readonly node: NodeState
  /** Text to look for in all text fields. */
  readonly search: string
  /** Search hits are highlighted. */
  readonly highlight: boolean
  readonly page: PageState
  /** Parameters of plugins, as they are typed. */
  readonly params: Readonly<Record<string, string>>
  /** The data to write. */
  readonly draft: Draft
  /** The draft as it was read, if an entry is changed: only differences are sent. */
  readonly former?: Draft
}

/** A level of a query: the requested entries, or populated ones below. */
export interface NodeState {
  /** None chosen means all. */
  readonly fields: readonly string[]
  readonly populate: Readonly<Record<string, PopulateState>>
  readonly filters: GroupState
  readonly sort: readonly SortState[]
}

/** The populated entries: a node where one type stands there, otherwise a node for each chosen type (none chosen means all). */
export type PopulateState = { readonly node: NodeState } | { readonly on: Readonly<Record<string, NodeState>> }

export interface SortState {
  readonly path: readonly string[]
  readonly descending: boolean
}

export interface PageState {
  readonly form: 'default' | 'page' | 'offset' | 'cursor'
  readonly number: string
  readonly size: string
  /** Start of a page beside an entry; without one, the list starts at its beginning. */
  readonly cursor?: CursorState
  /** Undefined leaves it to the server. */
  readonly withCount?: boolean
}

export interface CursorState {
  readonly key: 'after' | 'before'
  /** As a response had it; empty for the first page, or the last. */
  readonly text: string
  /** The list that it belongs to, as `listOf` names it: for another one the server refuses it. */
  readonly list: string
}

/** A form that is filled in, by attribute. Texts are kept as they are typed. */
export interface Draft {
  readonly [attribute: string]: DraftValue
}

export type DraftValue = string | boolean | null | Draft | readonly (Draft | RelatedEntry)[]

/** An entry that a relation leads to. */
export interface RelatedEntry {
  readonly id: number
  readonly label: string
  /** The chosen type, for links to entries of any type. */
  readonly type?: string
}

export const emptyNode: NodeState = { fields: [], populate: {}, filters: emptyGroup, sort: [] }
const firstPage: PageState = { form: 'default', number: '', size: '' }

export const startState = (uid: string, action: Action = 'find'): BuilderState => ({
  uid,
  action,
  id: '',
  node: emptyNode,
  search: '',
  highlight: false,
  page: firstPage,
  params: {},
  draft: {},
})
