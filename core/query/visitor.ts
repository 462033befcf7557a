import { InvalidParameter } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { Ask } from './ask.js'
import { Budget } from './budget.js'
import { unfold } from './json-text.js'
import type { Paging, Param } from './params.js'
import { isJson } from './raw.js'
import type { Slots } from './slots.js'
import { always, idField, type NodeUse, type QueryNode } from './tree.js'

/** A place in a query where something is read: the type, the depth, and the parameter. */
export interface QueryPlace {
  readonly type: ContentType
  readonly depth: number
  /** The number of links from the root of the filter to this place. */
  readonly links?: number
  /** The parameter so far, for messages: ['filters', 'author', 'name']. */
  readonly path: readonly string[]
  readonly visitor: Visitor
  readonly paging: Paging
  /** The fields that the link to this place shows; no others exist behind it. */
  readonly only?: readonly string[] | undefined
}

/** A parameter of core's own: it shapes the node it stands in, at the root or inside a populate. */
export interface NodeParam {
  /** Returns the node shaped by the parameter. */
  readonly shape: (node: QueryNode, raw: unknown, place: QueryPlace) => QueryNode
  /** It may also appear inside a populate. */
  readonly nested: boolean
  /** It chooses what is shown. */
  readonly shows?: true
  readonly describe: string
}

/** The rules of the running app that the visitor applies. */
export interface Rules {
  /** The types that a relation without a fixed target may lead to. */
  readonly anyTarget: readonly ContentType[]
  /** A plugin's parameter that may appear inside a populate of a type. */
  readonly nestedParam: (type: ContentType, name: string) => Param | undefined
  /** Hooks and row rules that narrow a node; the same for every caller of a scope. */
  readonly narrow: (node: QueryNode, ask: Ask) => QueryNode
  /** Populated attributes may have names of their own, and pages. */
  readonly aliases?: true | undefined
}

/**
 * The one way from a name in a request to a field or a type. Fields, filters, sort and populate all come through here, so that
 * private, secret and forbidden names are refused once, in one voice, at every depth.
 */
export class Visitor {
  readonly ask: Ask
  readonly budget: Budget
  /** The query was written by code: it may use words that requests have not. */
  readonly trusted: boolean = false
  /** A record of the use that is made of values. */
  readonly slots: Slots | undefined
  readonly #rules: Rules

  constructor(ask: Ask, rules: Rules, budget: Budget, slots?: Slots) {
    this.ask = ask
    this.budget = budget
    this.slots = slots
    this.#rules = rules
  }

  /** The column behind a name; a hidden one is refused like one that does not exist. */
  field(type: ContentType, name: string, path: readonly string[], only?: readonly string[]): Field {
    const field = name === 'id' ? idField : type.fields.get(name)
    if (!field?.readable || (only && field !== idField && !only.includes(name)))
      throw this.unknown(type, name, path, only)
    return field
  }

  /** The link behind a name, for asking through it; undefined if the name is no link at all. */
  linkToAsk(type: ContentType, name: string, path: readonly string[]): Link | undefined {
    const link = type.links.get(name)
    if (!link) return undefined
    if (!link.readable || !this.mayFind(link)) throw this.unknown(type, name, path)
    if (link.shape === 'zone') throw new InvalidParameter(path, `a dynamic zone cannot be filtered or sorted by`, name)
    if (link.targets?.length !== 1)
      throw new InvalidParameter(
        path,
        `"${name}" leads to entries of any type and cannot be filtered or sorted by`,
        name,
      )
    if (link.polymorphic && !this.ask.dialect.filterPolymorphic)
      throw new InvalidParameter(
        path,
        `"${name}" is stored as a polymorphic relation; those can be populated but not filtered or sorted by`,
        name,
      )
    return link
  }

  /** The link behind a name, for showing it; undefined if the caller may not see its target. */
  linkToShow(type: ContentType, name: string, path: readonly string[]): Link | undefined {
    const link = type.links.get(name)
    if (!link?.readable) throw this.unknown(type, name, path)
    return this.mayFind(link) ? link : undefined
  }

  /** Types behind a link that the caller may find. */
  targets(link: Link): ContentType[] {
    const { ask } = this
    const types = link.types()
    return link.open ? [...types] : types.filter(({ uid }) => ask.can('find', uid))
  }

  /** Types that a relation without a fixed target may lead to, as far as the caller may find them. */
  anyTarget(): ContentType[] {
    return this.#rules.anyTarget.filter(({ uid }) => this.ask.can('find', uid))
  }

  mayFind(link: Link): boolean {
    // A relation to any type is sorted out row by row: only types the caller may find are fetched.
    return link.open === true || link.targets === undefined || link.targets.some(uid => this.ask.can('find', uid))
  }

  /** An empty node of a type, before anything was asked of it. */
  enter(type: ContentType, use: NodeUse, depth: number): QueryNode {
    // Hooks are given the type that they know.
    const known = type.whole ? { type: type.whole, view: type } : { type }
    return { ...known, use, depth, fields: readableFields(type), where: always, order: [], children: [] }
  }

  /** The node as hooks and row rules leave it: nothing reaches the store without passing here. */
  narrow(node: QueryNode): QueryNode {
    return this.#rules.narrow(node, this.ask)
  }

  get aliases(): boolean {
    return this.#rules.aliases ?? false
  }

  nestedParam(type: ContentType, name: string): Param | undefined {
    return this.#rules.nestedParam(type, name)
  }

  /** The same visitor, for a part of the query that has parameters of its own. */
  with(params: Readonly<Record<string, unknown>>): Visitor {
    const ask = { ...this.ask, params: { ...this.ask.params, ...params } }
    return new Visitor(ask, this.#rules, this.budget)
  }

  /** The same visitor for entries that are hardly ever there: its cost does not count against the rest of the query. */
  apart(): Visitor {
    return new Visitor(this.ask, this.#rules, new Budget(this.budget.limits, this.budget.values))
  }

  /** The same visitor for rows that may not be there; for those that hardly ever are, with conditions of its own. */
  ofPossible(isUsual: boolean): Visitor {
    const budget = this.budget.ofPossible()
    return new Visitor(this.ask, this.#rules, budget, isUsual ? this.slots : undefined)
  }

  /** An object or a list, where it came as JSON text; code has no reason to write any. */
  unfold(raw: unknown, path: readonly string[]): unknown {
    if (this.trusted || !isJson(raw)) return raw
    return unfold(raw, path, { budget: this.budget, strict: this.ask.dialect.strictParams })
  }

  unknown(type: ContentType, name: string, path: readonly string[], only?: readonly string[]): InvalidParameter {
    const fields = readableFields(type)
      .map(field => field.name)
      .filter(field => only?.includes(field) ?? true)
    const links = this.#visibleLinks(type)
    return new InvalidParameter(path, whyUnknown(type.uid, name.slice(0, 100), fields, links), name)
  }

  #visibleLinks(type: ContentType): string[] {
    return [...type.links.values()].filter(link => link.readable && this.mayFind(link)).map(link => link.name)
  }
}

function whyUnknown(uid: string, name: string, fields: readonly string[], links: readonly string[]): string {
  if (links.includes(name)) return `"${name}" of ${uid} leads to other entries or components; ask for it with populate`
  if (fields.includes(name)) return `"${name}" of ${uid} is a plain field; it can be neither populated nor followed`
  const names = ['id', ...fields, ...links]
  const meant = nearest(name, names)
  const hint = meant === undefined ? `it has ${clip(names)}` : `did you mean "${meant}"?`
  return `${uid} has no attribute "${name}" that can be used here; ${hint}`
}

const clip = (names: readonly string[]): string =>
  names.length > 30 ? `${names.slice(0, 30).join(', ')} and ${names.length - 30} more` : names.join(', ')

const readable = new WeakMap<ContentType, readonly Field[]>()

/** The columns of a type that are returned when nothing else is asked. */
export function readableFields(type: ContentType): readonly Field[] {
  let fields = readable.get(type)
  if (!fields) {
    fields = [...type.fields.values()].filter(field => field.readable)
    readable.set(type, fields)
  }
  return fields
}
