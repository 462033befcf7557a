import { LRUCache } from 'lru-cache'
import { InvalidParameter } from '../errors.js'
import type { Action, Ask, Caller, FoldedHooks } from '../hooks.js'
import { Budget, type Limits } from '../query/budget.js'
import { nodeParams, readNode } from '../query/node.js'
import { type PageAsked, readOpenPage, readPagination, refuseTopLevelPaging } from '../query/pagination.js'
import type { Param, Place } from '../query/params.js'
import { parseRaw, type Raw } from '../query/raw.js'
import { all, type Compare, type Condition, idField, type QueryNode } from '../query/tree.js'
import { type Rules, Visitor } from '../query/visitor.js'
import { type Filters, where } from '../query/where.js'
import type { ContentType } from '../schema/types.js'
import { type EntryQuery, systemCaller } from '../store/entries.js'
import type { Prepared } from '../store/plan.js'
import { EntryId } from '../store/sql.js'
import type { ContentParts } from './parts.js'

/** A query that was read, checked and planned: ready to run any number of times. */
export interface Asked {
  readonly ask: Ask
  readonly prepared: Prepared
  readonly page?: PageAsked
  /** The entry of a single type is answered as a list of its rows. */
  readonly several?: boolean
  /** Tells it from every other query of this process. */
  readonly number: number
  /** It was asked before: then it may well be asked again. */
  isAsked?: boolean
}

/** What is done with the query, and how it differs from the generated endpoint of that action. */
export interface Doing {
  readonly action: Action
  /** The right under which it is done, where that has another name. */
  readonly permission?: string
  /** `open`: without a page by default; `none`: only how many there are is wanted. */
  readonly paging?: 'open' | 'none'
  /** Only which entry it is: rules of the action hold for finding it. */
  readonly lookup?: boolean
}

const keptPlans = 5000
const keptMetas = 500

type Metas = NonNullable<QueryNode['meta']>

/** What is kept grows with the text it is kept under: a few long queries count for many, and endless ones for none. */
const sized = (most: number) => ({
  maxSize: most * 500,
  maxEntrySize: 10_000,
  sizeCalculation: (_: unknown, key: string) => key.length,
})

/** Makes queries of texts: once for every text and scope, with the parameters, hooks and rules that hold for them. */
export class Asking {
  readonly #parts: ContentParts
  readonly #asked = new LRUCache<string, Asked>({ max: keptPlans, ...sized(keptPlans) })
  readonly #metas = new LRUCache<string, Metas>({ max: keptMetas })
  readonly #taken = new Map<string, ReadonlyMap<string, Param>>()
  #queries = 0

  constructor(parts: ContentParts) {
    this.#parts = parts
  }

  /** Plans made so far no longer hold. */
  forget(): void {
    this.#asked.clear()
    this.#metas.clear()
  }

  /** The plan of a query text: made once for all callers of a scope. */
  remember(type: ContentType, doing: Doing, text: string, caller: Caller): Asked {
    const { action, permission = '', paging = '', lookup = false } = doing
    // A line break stands in no URL, and scopes are checked for it.
    const key = `${type.uid}\n${action}\n${permission}${paging}${lookup ? '?' : ''}\n${caller.scope}\n${text}`
    let asked = this.#asked.get(key)
    if (!asked) {
      const { maxParameters, dialect } = this.#parts
      asked = this.#ask(type, doing, parseRaw(text, { maxParameters, strict: dialect.strictParams }), caller)
      this.#asked.set(key, asked)
    }
    return asked
  }

  /** A query that code asks: with all rights, and hidden columns where they are named. */
  plain(type: ContentType, query: EntryQuery, action: Action = 'find') {
    const { where: filters, fields, start, limit, params: said, ...raw } = query
    const { dialect, paging } = this.#parts
    const known = [...this.#parts.params(type)]
    const params = Object.fromEntries(
      known.map(([name, param]) => [name, said?.[name] ?? ('byCode' in param ? param.byCode : param.default)]),
    )
    const rules = this.#rules(systemCaller, false)
    const { narrow } = rules
    const ask: Ask = { type, action, scope: systemCaller.scope, params, dialect, can: () => true, narrow }
    const visitor = new Visitor(ask, rules, new Budget(unlimited))
    const read = readNode(raw as Raw, { type, depth: 0, path: [], visitor, paging }, 'root')
    const named = fields
      ?.filter(name => name !== 'id')
      .map(name => {
        const field = type.fields.get(name)
        if (!field) throw visitor.unknown(type, name, ['fields'])
        return field
      })
    const node: QueryNode = {
      ...(filters ? where(read, filters) : read),
      ...(named && { fields: named }),
      ...((start !== undefined || limit !== undefined) && { page: { start: start ?? 0, limit: limit ?? null } }),
    }
    return { ask, node }
  }

  /** The entry of the request as far as it meets these filters; none of its fields. */
  entryWithin(ask: Ask, filters: Filters): Prepared {
    return this.#within(ask, ask.type, byId, filters)
  }

  /** The entries of any type that meet these filters; none of their fields. */
  someWithin(ask: Ask, type: ContentType, filters: Filters): Prepared {
    return this.#within(ask, type, node => node, filters)
  }

  #within(ask: Ask, type: ContentType, shape: (node: QueryNode) => QueryNode, filters: Filters): Prepared {
    const visitor = new Visitor(ask, noRules, new Budget(this.#parts.limits))
    const node = where(shape(visitor.enter(type, 'root', 0)), filters)
    return this.#parts.planner.prepare({ ...node, fields: [] }, { asText: false, counted: false, entries: 0 })
  }

  #ask(type: ContentType, doing: Doing, sent: Raw, caller: Caller): Asked {
    const { dialect, paging, limits, planner } = this.#parts
    const { action, permission, lookup = false } = doing
    const hooks = this.#parts.hooks(type)
    const rules = this.#rules(caller, lookup)
    const first: Ask = {
      ...{ type, action, scope: caller.scope, params: {}, dialect, can: caller.can, narrow: rules.narrow },
      ...(permission !== undefined && { permission }),
    }
    const raw = hooks.parseQuery ? hooks.parseQuery(sent, first) : sent
    const open = doing.paging === 'open'
    const ask: Ask = { ...first, params: this.#readParams(raw, type, action, open ? pageWords : []) }
    const visitor = new Visitor(ask, rules, new Budget(limits))
    visitor.budget.spend('statements', [])
    const place: Place = { type, depth: 0, path: [], visitor, paging }
    const page = action === 'find' ? this.#pageOf(raw, visitor, doing.paging) : undefined
    const only = lookup ? without(raw, [...Object.keys(nodeParams)]) : raw
    let node = readNode(only, place, 'root')
    if (page) node = { ...node, page: { start: page.start, limit: page.limit } }
    else if (lookup || (action === 'findOne' && type.kind === 'singleType'))
      node = node.several ? node : { ...node, page: { start: 0, limit: 1 } }
    // Where one entry is asked for, filters and sort are checked like everywhere, and then have nothing to choose from.
    else {
      const again = { ...place, visitor: new Visitor(ask, rules, new Budget(limits)) }
      node = byId(readNode(without(raw, ['filters', 'sort', '_q']), again, 'root'))
    }
    if (lookup) node = { ...node, fields: [], children: [] }
    else if (dialect.entryMeta && this.#parts.format(type) === undefined)
      node = { ...node, meta: this.#metaOf(visitor, ask) }
    const asText = this.#parts.format(type) === undefined && untouched(node, this.#parts.hooks)
    const prepared = planner.prepare(node, { asText, counted: page?.withCount ?? false, entries: limits.entries })
    this.#queries += 1
    const whole = { ...ask, populated: node.children.map(({ link }) => link.name) }
    return {
      ask: whole,
      prepared,
      number: this.#queries,
      ...(page && { page }),
      ...(node.several && { several: true }),
    }
  }

  #pageOf(raw: Raw, visitor: Visitor, paging: Doing['paging']): PageAsked {
    if (paging === 'none') return { ...readOpenPage({}), withCount: true }
    return paging === 'open' ? readOpenPage(raw) : this.#readPage(raw, visitor)
  }

  #readPage(raw: Raw, visitor: Visitor): PageAsked {
    const { paging, dialect } = this.#parts
    refuseTopLevelPaging(raw)
    if (!dialect.populateWithPagination && raw.pagination !== undefined && raw.populate !== undefined)
      throw new InvalidParameter(['pagination'], 'cannot be combined with populate')
    const page = readPagination(raw.pagination, paging, dialect.strictParams)
    if (page.withCount) visitor.budget.spend('statements', [])
    return page
  }

  /** The typed values of the plugins' parameters; a name that nobody declared is refused or ignored. */
  #readParams(raw: Raw, type: ContentType, action: Action, also: readonly string[]): Readonly<Record<string, unknown>> {
    const params = this.#paramsOf(type, action)
    const values: Record<string, unknown> = {}
    for (const [name, { read, default: fallback }] of params)
      values[name] = Object.hasOwn(raw, name) ? read(raw[name], { path: [name], type }) : fallback
    if (this.#parts.dialect.strictParams)
      for (const name of Object.keys(raw))
        if (
          !Object.hasOwn(nodeParams, name) &&
          name !== 'pagination' &&
          !params.has(name) &&
          !pageWords.includes(name)
        ) {
          const known = [...Object.keys(nodeParams), 'pagination', ...also, ...params.keys()].join(', ')
          throw new InvalidParameter(
            [name.slice(0, 100)],
            `is not a parameter of ${type.uid}; there are ${known}`,
            name,
          )
        }
    return values
  }

  /** The plugins' parameters that an action takes. */
  #paramsOf(type: ContentType, action: Action): ReadonlyMap<string, Param> {
    const key = `${type.uid} ${action}`
    let params = this.#taken.get(key)
    if (!params) {
      params = new Map([...this.#parts.params(type)].filter(([, { actions }]) => actions?.includes(action) ?? true))
      this.#taken.set(key, params)
    }
    return params
  }

  /** What plugins want in the meta of every entry: the same for all who ask with the same parameters. */
  #metaOf(visitor: Visitor, ask: Ask): Metas {
    const { entryMeta } = ask.type
    if (entryMeta.length === 0) return []
    visitor.budget.spend('statements', [], entryMeta.length)
    const key = metaKey(ask)
    const known = key === undefined ? undefined : this.#metas.get(key)
    if (known) return known
    const meta = metaOf(visitor, ask.type)
    if (key !== undefined) this.#metas.set(key, meta)
    return meta
  }

  #rules(caller: Caller, lookup: boolean): Rules {
    const { registry, hooks, params } = this.#parts
    return {
      anyTarget: [...registry.types.values()].filter(({ kind }) => kind !== 'component'),
      nestedParam: (type, name) => {
        const param = params(type).get(name)
        return param?.nested ? param : undefined
      },
      narrow: (node: QueryNode, ask: Ask): QueryNode => {
        // What a write answers is the entry that was written, whatever lists would show.
        const isAnswer = !lookup && node.use === 'root' && ask.action !== 'find' && ask.action !== 'findOne'
        const action = node.use === 'root' ? (ask.permission ?? ask.action) : 'find'
        const rows = isAnswer ? undefined : caller.rows?.(action, node.type.uid)
        const ruled = rows ? where(node, rows) : node
        const { beforeFind } = hooks(node.type)
        const shaped = beforeFind ? beforeFind(ruled, ask) : ruled
        return isAnswer ? { ...shaped, where: node.where } : shaped
      },
    }
  }
}

const unlimited: Limits = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: 2_147_483_646 }
const noRules: Rules = { anyTarget: [], nestedParam: () => undefined, narrow: node => node }
const pageWords = ['page', 'pageSize', 'start', 'limit']

const thisEntry: Compare = { kind: 'compare', field: idField, operator: 'eq', values: [new EntryId()] }

export const byId = (node: QueryNode): QueryNode => ({ ...node, where: all(thisEntry as Condition, node.where) })

const without = (raw: Raw, names: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))

/** Like populated links, with few fields, and narrowed like them. */
function metaOf(visitor: Visitor, type: ContentType): Metas {
  return type.entryMeta.map(({ name, link, fields }) => {
    const nodes = link.types().map(target => {
      const entered = visitor.enter(target, 'populate', 1)
      return visitor.narrow({ ...entered, fields: entered.fields.filter(field => fields.includes(field.name)) })
    })
    return { name, link: { ...link, shape: 'inline' }, nodes }
  })
}

/** All that narrowing may depend on, as far as it can be written down; each value with its length, so that none passes for two. */
function metaKey({ type, action, permission = '', scope, params }: Ask): string | undefined {
  let key = `${type.uid}\n${action}\n${permission}\n${scope}`
  for (const value of Object.values(params)) {
    if (typeof value === 'object' && value !== null) return undefined
    const text = String(value)
    key += `\n${typeof value} ${text.length} ${text}`
  }
  return key
}

/** No plugin wants to see the rows of any type in the answer. */
function untouched(node: QueryNode, hooks: (type: ContentType) => FoldedHooks): boolean {
  const { afterFind, serialize } = hooks(node.type)
  return !afterFind && !serialize && node.children.every(({ nodes }) => nodes.every(inner => untouched(inner, hooks)))
}
