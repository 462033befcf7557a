import { LRUCache } from 'lru-cache'
import { InvalidParameter } from '../errors.js'
import { type Action, type Ask, type Caller, rowsFor } from '../query/ask.js'
import { Budget } from '../query/budget.js'
import { type Views, viewsFor } from '../query/caller.js'
import { where } from '../query/filters.js'
import { unfold } from '../query/json-text.js'
import { metaOf, nodeParams, rootOf } from '../query/node.js'
import { pageOf, pageWords } from '../query/pagination.js'
import type { Param } from '../query/params.js'
import { withPlainPolymorphic } from '../query/plain.js'
import { parseRaw, type Raw, unfoldIn } from '../query/raw.js'
import type { Marks } from '../query/search/highlight.js'
import type { Slots } from '../query/slots.js'
import { all, type Keyset, type PageRequest, type QueryNode, showsMore, withAliases } from '../query/tree.js'
import { typesRead } from '../query/types-read.js'
import { type QueryPlace, readableFields, Visitor } from '../query/visitor.js'
import type { ContentType } from '../schema/types.js'
import type { PreparedPlan } from '../sql/plan.js'
import { type PlannedQuery, Shapes } from '../sql/shape.js'
import type { Format } from './format.js'
import { untouched, type WatchDepth, watchedIn } from './hooks/hooks.js'
import type { Caching, ContentParts } from './parts.js'
import type { QueryOptions } from './request.js'
import { rulesFor } from './rights/rules.js'
import type { Tally } from './tally.js'

/** The use of a query: an action, and how it differs from the generated endpoint of that action. */
export interface QueryUse extends Omit<QueryOptions, 'paging'> {
  readonly action: Action
  /** `open`: without a page by default; `none`: only how many there are is wanted; `first`: the first entry alone. */
  readonly paging?: 'open' | 'none' | 'first'
  /** Only finds out which entry is meant: rules of the action hold for that. */
  readonly lookup?: boolean
  /** The entries that were written, each to be shown as the response to its own write: rules of the action hold for them. */
  readonly ids?: readonly number[]
  /** The counts of the request, which include the time that a new plan takes. */
  readonly tally?: Tally | undefined
}

/** A query text that was parsed, checked and planned: ready to run any number of times. */
export interface Query {
  readonly ask: Ask
  readonly prepared: PreparedPlan
  readonly page?: PageRequest
  readonly keyset?: Keyset
  /** The format of the response; absent for the usual one. */
  readonly format?: Format
  /** The query text, where a format names the pages of the list. */
  readonly text?: string
  /** The words that are marked in the texts of entries. */
  readonly marks?: Marks | undefined
  /** The entry of a single type is returned as a list of its rows. */
  readonly several?: boolean
  /** Gives the headers of its responses; absent if no plugin adds any. */
  readonly headers?: ReturnType<Caching['read']>
  /** The entries that `afterFind` hooks see: their effect may differ from request to request. */
  readonly watched: WatchDepth
  /** The entries themselves, where numbers about them are wanted. */
  readonly root?: { readonly node: QueryNode; readonly place: QueryPlace }
  /** Tells it from every other query of this process. */
  readonly number: number
  /** The most statements that a response takes. */
  readonly statements: number
}

/** A text that becomes a query. */
interface QueryText {
  readonly type: ContentType
  readonly use: QueryUse
  readonly text: string
  readonly caller: Caller
}

/** A query text as parameters, and the visitor that reads them. */
interface ParsedQuery {
  readonly raw: Raw
  readonly place: QueryPlace
  /** The differences for callers that may not read or write every attribute. */
  readonly rights: ReturnType<Views['rights']>
}

const maxPlans = 5000
/** Shapes are learned from this number of queries on: with fewer texts there is nothing to gain. */
const fewTexts = 50

/** The size of the cache grows with the text of its keys: a few long queries count for many, and endless ones for none. */
const sized = (most: number) => ({
  maxSize: most * 500,
  maxEntrySize: 10_000,
  sizeCalculation: (_: unknown, key: string) => key.length,
})

/** Makes queries of texts: once for every text and scope, with the parameters, hooks and rules that hold for them. */
export class QueryPlanner {
  readonly #parts: ContentParts
  readonly #queries = new LRUCache<string, Query>({ max: maxPlans, ...sized(maxPlans) })
  readonly #shapes: Shapes<Query>
  readonly #params = new Map<string, ReadonlyMap<string, Param>>()
  /** The names by type, scope and use. */
  readonly #names = new Map<ContentType, Map<string, Map<string, string>>>()
  #named = 0
  #made = 0

  constructor(parts: ContentParts) {
    this.#parts = parts
    this.#shapes = new Shapes(parts.engine, parts.dialect)
  }

  /** Drops all plans. */
  forget(): void {
    this.#queries.clear()
    this.#shapes.forget()
  }

  get plans(): { readonly cached: number; readonly made: number } {
    return { cached: this.#queries.size, made: this.#made }
  }

  /** The query of a text: made once for all callers of a scope. */
  query(type: ContentType, use: QueryUse, text: string, caller: Caller): Query {
    const name = this.#nameOf(type, use, caller)
    // A URL contains no line break.
    const key = use.by ? `${name}${JSON.stringify(use.by)}\n${text}` : name + text
    let query = this.#queries.get(key)
    if (!query) {
      const sent = { type, use, text, caller }
      const isVaried = this.#made >= fewTexts && isList(use) && use.paging !== 'none' && !use.by
      query = isVaried
        ? this.#shapes.read(name, text, {
            whole: slots => this.#make(sent, slots),
            like: (first, planned) => this.#like(first, planned, text),
          })
        : this.#make(sent)
      this.#queries.set(key, query)
    }
    return query
  }

  /** The query for the entries of one request with several writes, which no other request asks for. */
  queryOnce(type: ContentType, use: QueryUse, text: string, caller: Caller): Query {
    return this.#make({ type, use, text, caller })
  }

  /** A short name for the type, the use and the scope: the key of every query begins with one. */
  #nameOf(type: ContentType, use: QueryUse, { scope }: Caller): string {
    const { permission = '', paging = '', allFields = false, lookup = false, format = '', shape, aliases = false } = use
    const { action } = use
    const isUsual = !(permission || paging || format || shape || allFields || lookup || aliases)
    const how = isUsual
      ? action
      : [action, format, permission, paging, allFields, lookup, aliases, shape?.key].join('\n')
    const known = this.#names.get(type)?.get(scope)?.get(how)
    if (known !== undefined) return known
    this.#named += 1
    if (this.#named % maxPlans === 0) this.#names.clear()
    const ofType = this.#names.get(type) ?? new Map<string, Map<string, string>>()
    const ofScope = ofType.get(scope) ?? new Map<string, string>()
    const name = `${this.#named}\n`
    this.#names.set(type, ofType.set(scope, ofScope.set(how, name)))
    return name
  }

  #like(first: Query, planned: PlannedQuery, text: string): Query {
    this.#made += 1
    return { ...first, ...planned, ...(first.format && { text }), number: this.#made }
  }

  #make(sent: QueryText, slots?: Slots): Query {
    const begun = performance.now()
    const parsed = this.#parse(sent, slots)
    const page = this.#pageOf(sent, parsed)
    const root = this.#check(sent, parsed, page)
    const checked = performance.now()
    const query = this.#plan(sent, parsed, root, page)
    sent.use.tally?.planned(begun, checked)
    return query
  }

  /** The parameters of a text, each with its value. */
  #parse({ type, use, text, caller }: QueryText, slots?: Slots): ParsedQuery {
    const { dialect, paging, limits, maxParameters } = this.#parts
    const { action, permission, lookup, by, aliases, shape } = use
    const rules = { ...rulesFor(this.#parts, { caller, lookup, slots }), aliases }
    const ask: Ask = {
      ...{ type, action, scope: caller.scope, params: {}, dialect, narrow: rules.narrow, can: rules.can },
      ...(permission !== undefined && { permission }),
      ...(by && { byValue: true }),
      ...(shape && { shaped: true }),
    }
    const rights = viewsFor(caller, ask)?.rights(ask) ?? {}
    const strict = dialect.strictParams
    const budget = new Budget(limits, { most: maxParameters, left: maxParameters - text.split('&').length })
    budget.spend('statements', [])
    const sent = unfoldIn(parseRaw(text, { maxParameters, strict }), (json, name) =>
      unfold(json, [name], { budget, strict }),
    )
    const raw = this.#shaped(sent, { ...ask, ...rights }, slots)
    const visitor = new Visitor({ ...ask, params: this.#readParams(raw, type, use) }, rules, budget, slots)
    return { raw, rights, place: { type: rights.view ?? type, depth: 0, path: [], visitor, paging } }
  }

  /** The page of a list. */
  #pageOf({ use }: QueryText, { raw, place }: ParsedQuery): PageRequest | undefined {
    return isList(use) ? pageOf(raw, place.visitor, { paging: use.paging, settings: this.#parts.paging }) : undefined
  }

  /** The tree of nodes that the parameters ask for, all of them checked and narrowed by the rules of the caller. */
  #check({ use, caller }: QueryText, { raw, place }: ParsedQuery, page: PageRequest | undefined): QueryNode {
    const root = stillThere(rootOf(raw, place, use, page), use, caller)
    const named = use.aliases ? withAliases(root) : root
    const shaped = this.#parts.dialect.plainPolymorphic ? withPlainPolymorphic(named) : named
    return use.lookup ? { ...shaped, fields: [], children: [] } : shaped
  }

  /** The statements for the tree, and the facts that its runs need. */
  #plan(
    { type, use, text, caller }: QueryText,
    parsed: ParsedQuery,
    root: QueryNode,
    page: PageRequest | undefined,
  ): Query {
    const { dialect, hooks, limits, planner } = this.#parts
    const { rights, place } = parsed
    const { visitor } = place
    const format = use.shape ?? this.#parts.format(type, use.action, use.format)
    const meta = dialect.entryMeta && !use.lookup && !format ? metaOf(visitor, place.type) : []
    const whole = meta.length > 0 ? { ...root, children: [...root.children, ...meta] } : root
    const prepared = planner.prepare(whole, {
      asText: !format && untouched(root, hooks) && !(caller.more && showsMore(root)),
      counted: page?.withCount ?? false,
      entries: limits.entries,
      scope: rights.scope,
    })
    this.#made += 1
    const watched = watchedIn(root, hooks)
    const selected = root.fields.filter(({ name }) => !root.marks?.unshown.includes(name))
    const ask: Ask = {
      ...visitor.ask,
      ...rights,
      populated: root.children.map(({ link }) => link.name),
      ...(selected.length < readableFields(type).length && { selected: selected.map(({ name }) => name) }),
    }
    return {
      ask,
      prepared,
      number: this.#made,
      statements: visitor.budget.statements,
      watched,
      ...(format && { format, text }),
      ...(page && { page }),
      marks: root.marks,
      ...(root.page?.keyset && { keyset: root.page.keyset }),
      ...(root.several && { several: true }),
      ...(use.paging === 'none' && { root: { node: root, place } }),
      ...this.#headers(whole, ask, !prepared.isLate && watched === 'none'),
    }
  }

  /** The query as `parseQuery` gives it. */
  #shaped(sent: Raw, ask: Ask, slots?: Slots): Raw {
    const { parseQuery, readsValues } = this.#parts.hooks(ask.type)
    if (readsValues) slots?.noteReader()
    return parseQuery ? parseQuery(sent, ask) : sent
  }

  /** The permissions of caches to keep its responses. */
  #headers(node: QueryNode, { type, action }: Ask, isShared: boolean): Pick<Query, 'headers'> {
    const { caching } = this.#parts
    return caching ? { headers: caching().read({ type, action, uids: typesRead(node), isShared }) } : {}
  }

  /** The typed values of the plugins' parameters; an undeclared name is refused or ignored. */
  #readParams(raw: Raw, type: ContentType, { action, paging }: QueryUse): Readonly<Record<string, unknown>> {
    const params = this.#paramsOf(type, action)
    const values: Record<string, unknown> = {}
    for (const [name, { read, default: fallback }] of params)
      values[name] = Object.hasOwn(raw, name) ? read(raw[name], { path: [name], type }) : fallback
    if (!this.#parts.dialect.strictParams) return values
    const isKnown = (name: string) =>
      Object.hasOwn(nodeParams, name) || name === 'pagination' || params.has(name) || pageWords.includes(name)
    const stray = Object.keys(raw).find(name => !isKnown(name))
    if (stray === undefined) return values
    const ofPages = paging === 'open' ? pageWords : []
    const known = [...Object.keys(nodeParams), 'pagination', ...ofPages, ...params.keys()].join(', ')
    throw new InvalidParameter([stray.slice(0, 100)], `is not a parameter of ${type.uid}; there are ${known}`, stray)
  }

  /** The plugins' parameters that an action takes. */
  #paramsOf(type: ContentType, action: Action): ReadonlyMap<string, Param> {
    const key = `${type.uid} ${action}`
    let params = this.#params.get(key)
    if (!params) {
      params = new Map([...this.#parts.params(type)].filter(([, { actions }]) => actions?.includes(action) ?? true))
      this.#params.set(key, params)
    }
    return params
  }
}

/** The written entries that the caller may still write: another request may have come in between. */
function stillThere(node: QueryNode, { action, permission = action, ids }: QueryUse, caller: Caller): QueryNode {
  if (!ids) return node
  const { gone, uid } = node.type
  const rows = rowsFor(caller, permission, uid)
  const ruled = rows ? where(node, rows) : node
  if (!gone || action === 'delete') return ruled
  return { ...ruled, where: all({ kind: 'compare', field: gone, operator: 'null', values: [] }, ruled.where) }
}

const isList = ({ action, paging }: QueryUse): boolean => action === 'find' && paging !== 'first'
