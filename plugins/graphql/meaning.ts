import type {} from 'graphql'
import type { ContentType, RouteCall } from '../../core/index.js'

/** The part that an object type of the schema plays: which of the wrappers around entries it is, and of which type. */
export interface TypeMeaning {
  /**
   * `attributes`: the attributes of an entry; `component`: those of a component, with its id; `entity`: `{ id, attributes }`;
   * `response`: `{ data }`; `collection`: `{ data, meta }`; `relations`: `{ data }` of several. In the flat shape `entry`: the
   * attributes of an entry, with its id.
   */
  readonly part: 'attributes' | 'component' | 'entity' | 'entry' | 'response' | 'collection' | 'relations'
  readonly type: ContentType
}

/** True for the objects around entries, which have a field that holds them. */
export const isWrapper = (meaning: TypeMeaning | undefined): boolean =>
  meaning !== undefined && ['response', 'collection', 'relations'].includes(meaning.part)

/** The name of a permission: the action, and the uid that has it. */
export interface Permission {
  readonly action: string
  readonly uid: string
}

/** A field that the content answers; fields with a `resolve` of their own are left to graphql-js. */
export type FieldMeaning =
  /** An attribute that is a column; `hidden` is answered with null, whatever is stored. */
  | { readonly is: 'field'; readonly name: string; readonly hidden?: true }
  /** A relation, component, zone or file. */
  | { readonly is: 'link'; readonly name: string }
  /** The id of an entry as text; an object that is made of the same as the one around it; the entries that an object is around. */
  | { readonly is: 'id' | 'same' | 'held' }
  /** The page of a list, with its total. */
  | { readonly is: 'pages' }
  /** A root of `Query`. */
  | { readonly is: 'list' | 'one' | 'single'; readonly type: ContentType; readonly permission: Permission }
  /** A root of `Mutation`. */
  | {
      readonly is: 'create' | 'update' | 'delete' | 'localize'
      readonly type: ContentType
      readonly permission: Permission
      /** A new entry is published unless it is asked for as a draft; otherwise it is a draft. */
      readonly publishes?: true
      /** An entry that is not there is answered by null, in place of `{ data: null }`. */
      readonly isNull?: true
      /** Deletes in another way, where it gives one: the entry is read before. */
      readonly instead?: (
        args: Readonly<Record<string, unknown>>,
      ) => ((call: RouteCall) => Promise<unknown>) | undefined
    }
  /** A root of `Subscription`: each change of an entry of the type. */
  | { readonly is: 'changed'; readonly type: ContentType; readonly permission: Permission }
  /** A root whose entries a function chooses, and which answers a list of them. */
  | {
      readonly is: 'listed'
      readonly type: ContentType
      /** The entries of a list in their order, and what its pages are made of; undefined answers null. */
      readonly act: (
        args: Readonly<Record<string, unknown>>,
        context: OperationContext,
      ) => Promise<ListedEntries | undefined>
    }
  /**
   * A root that does something of its own, and answers the entries that it names by their ids, read as any others:
   * one (`{ data: null }` for undefined), or a list of them. It looks at permissions itself; `is: 'entries'` answers a list.
   */
  | {
      readonly is: 'entry' | 'entries'
      readonly type: ContentType
      /** True if it happens once under an `Idempotency-Key`, as `content.create` and `content.once` do. */
      readonly once?: () => boolean
      readonly act: (args: Readonly<Record<string, unknown>>, context: OperationContext) => Promise<ActedOn>
    }

/** Runs around a root that the content answers. */
export interface RootAround {
  /** It looks itself whether the caller may do what the root does. */
  readonly permits: boolean
  /** Calls `next` with arguments, and returns what that has returned; what it throws is the error of the root. */
  readonly run: (
    next: (args: Readonly<Record<string, unknown>>) => Promise<unknown>,
    args: Readonly<Record<string, unknown>>,
    context: OperationContext,
  ) => Promise<unknown>
}

/** The ids of the entries that a root of its own has to show; null is answered by null. */
export type ActedOn = number | undefined | null | readonly number[]

/** The entries of a list that a function has chosen, by their ids. */
export interface ListedEntries {
  readonly ids: readonly number[]
  readonly pagination: Readonly<Record<'page' | 'pageSize' | 'pageCount' | 'total', number>>
}

/** The context of an operation, for functions that answer fields: graphql-js hands it to `resolve`. */
export interface OperationContext {
  readonly call: RouteCall
  readonly service: unknown
}

declare module 'graphql' {
  // biome-ignore lint/suspicious/noExplicitAny: a declaration that is added to has to be repeated
  interface GraphQLObjectTypeExtensions<_TSource = any, _TContext = any> {
    stele?: TypeMeaning
  }
  // biome-ignore lint/suspicious/noExplicitAny: a declaration that is added to has to be repeated
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    stele?: FieldMeaning
    around?: RootAround
    /** A function answers it, below the root as well. */
    own?: true
    /** A function chooses the entries that it answers. */
    chosen?: true
  }
  interface GraphQLArgumentExtensions {
    /** The name by which the content knows it. */
    means?: string
    /** Makes the value that the content takes. */
    read?: (value: unknown) => unknown
  }
  interface GraphQLInputFieldExtensions {
    /** The name by which the content knows it. */
    means?: string
  }
}
