import { LRUCache } from 'lru-cache'
import { InvalidParameter } from '../errors.js'
import { type Action, type Ask, type Caller, mayDo, rowsFor } from '../query/ask.js'
import { Budget } from '../query/budget.js'
import { fieldsFor, Views } from '../query/caller.js'
import { where } from '../query/filters.js'
import { unfold } from '../query/json-text.js'
import { metaOf, nodeParams, rootOf } from '../query/node.js'
import { pageOf, pageWords } from '../query/pagination.js'
import type { Param, Place } from '../query/params.js'
import { withPlainPolymorphic } from '../query/plain.js'
import { parseRaw, type Raw, unfoldIn } from '../query/raw.js'
import type { Slots } from '../query/slots.js'
import { all, type QueryNode } from '../query/tree.js'
import { typesRead } from '../query/types-read.js'
import { type Rules, readableFields, Visitor } from '../query/visitor.js'
import type { ContentType } from '../schema/types.js'
import { type Planned, Shapes } from '../sql/shape.js'
import { CodeQueries } from './code-queries.js'
import { systemCaller } from './entries.js'
import type { Format } from './format.js'
import { untouched, watchedIn } from './hooks.js'
import type { ContentParts } from './parts.js'
import type { Asked, Doing, ToAsk } from './request.js'

const maxPlans = 5000
/** Where no more texts than these are asked, there is nothing to learn of them. */
const fewTexts = 50

/** What is cached grows with the text of its key: a few long queries count for many, and endless ones for none. */
const sized = (most: number) => ({
  maxSize: most * 500,
  maxEntrySize: 10_000,
  sizeCalculation: (_: unknown, key: string) => key.length,
})

/** Makes queries of texts: once for every text and scope, with the parameters, hooks and rules that hold for them. */
export class Asking {
  readonly #parts: ContentParts
  readonly #asked = new LRUCache<string, Asked>({ max: maxPlans, ...sized(maxPlans) })
  readonly #shapes: Shapes<Asked>
  readonly #taken = new Map<string, ReadonlyMap<string, Param>>()
  /** By type, scope, and what is done. */
  readonly #names = new Map<ContentType, Map<string, Map<string, string>>>()
  #named = 0
  #queries = 0
  /** Queries of code and of the server itself. */
  readonly byCode: CodeQueries

  constructor(parts: ContentParts) {
    this.#parts = parts
    this.#shapes = new Shapes(parts.engine, parts.dialect)
    // Code writes what it has read, and components cannot be linked.
    this.byCode = new CodeQueries(parts, () => ({
      ...this.#rules(systemCaller, false),
      anyTarget: this.#typesOf(false),
    }))
  }

  /** Plans made so far no longer hold. */
  forget(): void {
    this.#asked.clear()
    this.#shapes.forget()
  }

  get plans(): { readonly cached: number; readonly made: number } {
    return { cached: this.#asked.size, made: this.#queries }
  }

  /** The plan of a query text: made once for all callers of a scope. */
  remember(type: ContentType, doing: Doing, text: string, caller: Caller): Asked {
    const scope = this.#nameOf(type, doing, caller)
    // A line break stands in no URL.
    const key = doing.by ? `${scope}${JSON.stringify(doing.by)}\n${text}` : scope + text
    let asked = this.#asked.get(key)
    if (!asked) {
      const to = { type, doing, text, caller }
      const isVaried = this.#queries >= fewTexts && isList(doing) && doing.paging !== 'none' && !doing.by
      asked = isVaried
        ? this.#shapes.read(scope, text, {
            whole: slots => this.#ask(to, slots),
            like: (first, planned) => this.#like(first, planned, text),
          })
        : this.#ask(to)
      this.#asked.set(key, asked)
    }
    return asked
  }

  /** The plan for some entries, which no other request asks for. */
  several(type: ContentType, doing: Doing & Required<Pick<Doing, 'ids'>>, text: string, caller: Caller): Asked {
    return this.#ask({ type, doing, text, caller })
  }

  /** What is asked for, but its text and values, under a short name: it begins the key of every request. */
  #nameOf(type: ContentType, doing: Doing, { scope }: Caller): string {
    const { action, permission = '', paging = '', allFields = false, lookup = false, format = '' } = doing
    const isUsual = permission === '' && paging === '' && format === '' && !allFields && !lookup
    const how = isUsual ? action : [action, format, permission, paging, allFields, lookup].join('\n')
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

  #like(first: Asked, planned: Planned, text: string): Asked {
    this.#queries += 1
    return { ...first, ...planned, ...(first.format && { text }), number: this.#queries }
  }

  #ask({ type, doing, text, caller }: ToAsk, slots?: Slots): Asked {
    const { dialect, paging, limits, maxParameters, planner } = this.#parts
    const { action, permission, lookup = false, tally } = doing
    const begun = performance.now()
    const rules = this.#rules(caller, lookup, slots)
    const first: Ask = {
      ...{ type, action, scope: caller.scope, params: {}, dialect, narrow: rules.narrow, can: rules.can },
      ...(permission !== undefined && { permission }),
      ...(doing.by && { byValue: true }),
    }
    const fields = fieldsFor(caller, first)
    const seen: ReturnType<Views['rights']> = fields ? Views.of(fields).rights(first) : {}
    const { view = type } = seen
    const strict = dialect.strictParams
    const values = { most: maxParameters, left: maxParameters - text.split('&').length }
    const budget = new Budget(limits, values)
    const sent = unfoldIn(parseRaw(text, { maxParameters, strict }), (json, name) =>
      unfold(json, [name], { budget, strict }),
    )
    const raw = this.#parsed(sent, first, slots)
    const open = doing.paging === 'open'
    const ask: Ask = { ...first, params: this.#readParams(raw, type, action, open ? pageWords : []) }
    const visitor = new Visitor(ask, rules, budget, slots)
    const visit = () => new Visitor(ask, rules, new Budget(limits, values))
    visitor.budget.spend('statements', [])
    const page = isList(doing) ? pageOf(raw, visitor, { paging: doing.paging, settings: paging }) : undefined
    const place: Place = { type: view, depth: 0, path: [], visitor, paging }
    const read = stillThere(rootOf(raw, place, doing, { page, visit }), doing, caller)
    const shaped = dialect.plainPolymorphic ? withPlainPolymorphic(read) : read
    const node: QueryNode = lookup ? { ...shaped, fields: [], children: [] } : shaped
    const format = this.#parts.format(type, doing.format)
    const hasFormat = format !== undefined
    const meta = dialect.entryMeta && !lookup && !hasFormat ? metaOf(visitor, view) : []
    const whole = meta.length > 0 ? { ...node, children: [...node.children, ...meta] } : node
    const asText = !hasFormat && untouched(node, this.#parts.hooks)
    const parsed = performance.now()
    const prepared = planner.prepare(whole, {
      ...{ asText, counted: page?.withCount ?? false, entries: limits.entries },
      scope: seen.scope,
    })
    tally?.planned(begun, parsed)
    this.#queries += 1
    const watched = watchedIn(node, this.#parts.hooks)
    const shown = node.fields.filter(({ name }) => !node.marks?.unshown.includes(name))
    const told: Ask = {
      ...ask,
      ...seen,
      populated: node.children.map(({ link }) => link.name),
      ...(shown.length < readableFields(type).length && { selected: shown.map(({ name }) => name) }),
    }
    return {
      ask: told,
      prepared,
      number: this.#queries,
      statements: visitor.budget.statements,
      watched,
      ...(format && { format, text }),
      ...(page && { page }),
      marks: node.marks,
      ...(node.page?.keyset && { keyset: node.page.keyset }),
      ...(node.several && { several: true }),
      ...(doing.paging === 'none' && { root: { node, place } }),
      ...this.#headers(whole, told, !prepared.isLate && watched === 'none'),
    }
  }

  /** The query as `parseQuery` gives it. */
  #parsed(sent: Raw, ask: Ask, slots?: Slots): Raw {
    const { parseQuery, readsValues } = this.#parts.hooks(ask.type)
    if (readsValues) slots?.noteReader()
    return parseQuery ? parseQuery(sent, ask) : sent
  }

  /** What caches may do with its responses. */
  #headers(node: QueryNode, { type, action }: Ask, isShared: boolean): Pick<Asked, 'headers'> {
    const { caching } = this.#parts
    return caching ? { headers: caching().read({ type, action, uids: typesRead(node), isShared }) } : {}
  }

  /** The typed values of the plugins' parameters; an undeclared name is refused or ignored. */
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

  /** The types that a relation without a fixed target may lead to. */
  #typesOf(components: boolean): ContentType[] {
    return [...this.#parts.registry.types.values()].filter(({ kind }) => components || kind !== 'component')
  }

  #rules(caller: Caller, lookup: boolean, slots?: Slots): Rules & Pick<Ask, 'can'> {
    const { dialect, hooks, params } = this.#parts
    const anyTarget = this.#typesOf(dialect.componentsInPolymorphic)
    const views = caller.fields && Views.of(caller.fields)
    return {
      can: (what, uid) => mayDo(caller, what, uid),
      anyTarget: views ? anyTarget.map(type => views.behind(type)) : anyTarget,
      nestedParam: (type, name) => {
        const param = params(type).get(name)
        return param?.nested ? param : undefined
      },
      narrow: (node: QueryNode, ask: Ask): QueryNode => {
        // What a write returns is the entry that was written, whatever lists would show.
        const isAnswer = !lookup && node.use === 'root' && ask.action !== 'find' && ask.action !== 'findOne'
        const action = node.use === 'root' ? (ask.permission ?? ask.action) : 'find'
        const rows = isAnswer ? undefined : rowsFor(caller, action, node.type.uid)
        const ruled = rows ? where(node, rows) : node
        const { beforeFind, readsValues } = hooks(node.type)
        if (readsValues) slots?.noteReader()
        const shaped = beforeFind ? beforeFind(ruled, ask) : ruled
        return isAnswer ? { ...shaped, where: node.where } : shaped
      },
    }
  }
}

/** Of some entries that were written those that the caller may still write: another request may have come in between. */
function stillThere(node: QueryNode, { action, permission = action, ids }: Doing, caller: Caller): QueryNode {
  if (!ids) return node
  const { gone, uid } = node.type
  const rows = rowsFor(caller, permission, uid)
  const ruled = rows ? where(node, rows) : node
  if (!gone || action === 'delete') return ruled
  return { ...ruled, where: all({ kind: 'compare', field: gone, operator: 'null', values: [] }, ruled.where) }
}

const isList = ({ action, paging }: Doing): boolean => action === 'find' && paging !== 'first'

/** What each type has of something that is made at boot, and what the others have instead. */
export const byType =
  <T>(made: ReadonlyMap<string, T>, otherwise: T) =>
  ({ uid }: { readonly uid: string }): T =>
    made.get(uid) ?? otherwise

/** The format of a type: its own, or that of a request where the type leaves the choice to requests. */
export const formatBy =
  (chosen: ReadonlyMap<string, Format | undefined>, formats: ReadonlyMap<string, Format>) =>
  ({ uid, options }: Pick<ContentType, 'uid' | 'options'>, wanted?: string): Format | undefined =>
    wanted === undefined || options.format !== undefined ? chosen.get(uid) : formats.get(wanted)
