import type { Query } from '../../../pages/values/query-text.js'
import { isRecord } from '../../../pages/values/records.js'
import type { Model, TypeInfo } from '../metadata.js'
import { isList } from '../query.js'
import type { BuilderState } from '../state.js'
import { methods } from '../url.js'
import { filtersOf } from './filters.js'
import type { GraphqlInfo, GraphqlRoot } from './schema.js'
import { entrySelection } from './selection.js'
import { sortArgument } from './sort.js'
import { depthOf, type Selected, textOf, tokensIn, Variables } from './text.js'
import { draftsShown, hasDrafts, inField, type Writing } from './writing.js'

/** A request of GraphQL that asks for what a query asks for. */
export interface GraphqlRequest {
  readonly endpoint: string
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
  /** The parts of the query that GraphQL cannot express, a sentence each: with any, the document is something else. */
  readonly missing: readonly string[]
  /** The differences of the response, a sentence each. */
  readonly notes: readonly string[]
  /** Where the response has its list; absent where it has one entry. */
  readonly list?: ListPlace
}

/** The names in a response that lead to the entries of a list, and to the number of all that there are. */
export interface ListPlace {
  readonly entries: readonly string[]
  readonly total: readonly string[]
}

/** The document for a query that reads; undefined for writes, and where the app has no GraphQL. */
export function graphqlOf(model: Model, state: BuilderState, query: Query): GraphqlRequest | undefined {
  const { graphql } = model.meta
  const type = model.type(state.uid)
  if (!graphql || !type || methods[state.action] !== 'GET') return undefined
  const reading: Reading = { model, graphql, type, state, query }
  const root = rootOf(reading)
  const preview = isPreview(reading)
  const writing: Writing = {
    ...{ model, graphql, isPreview: preview, variables: new Variables() },
    showsDrafts: graphql.statesPerRelation || (preview && root?.args?.publicationState !== undefined),
    ...{ missing: new Set(), notes: new Set() },
  }
  const document = root && documentOf(reading, root, writing)
  if (!root) writing.missing.add(`The schema of GraphQL has no query for ${type.name}.`)
  checkLimits(graphql, document, writing)
  const { variables, missing, notes } = writing
  return {
    ...{ endpoint: graphql.endpoint, document: document?.text ?? '', variables: variables.values },
    ...{ missing: [...missing], notes: [...notes] },
    ...(root && isList(state, type) && { list: placeOf(root) }),
  }
}

const placeOf = ({ name, held, page = [] }: GraphqlRoot): ListPlace => ({
  entries: ['data', name, ...(held === undefined ? [] : [held])],
  total: ['data', name, ...page, 'total'],
})

/** The query of the page, and all that its document is written from. */
interface Reading {
  readonly model: Model
  readonly graphql: GraphqlInfo
  readonly type: TypeInfo
  readonly state: BuilderState
  readonly query: Query
}

/** In Strapi 4 an entry by its id shows drafts, and so do its relations; types without drafts read the parameter for these. */
function isPreview({ graphql, type, state, query }: Reading): boolean {
  if (query.publicationState === 'preview') return true
  const isById = graphql.statesPerRelation && type.kind === 'collectionType' && state.action === 'findOne'
  return isById && (hasDrafts(graphql, type) || query.publicationState === undefined)
}

/** The root that reads what the query asks for: a list may have another root for those who count. */
function rootOf(reading: Reading): GraphqlRoot | undefined {
  const { graphql, type, state } = reading
  const { one, lists = [] } = graphql.types[type.uid] ?? {}
  if (!isList(state, type)) return one
  return lists.find(({ page }) => (page !== undefined) === isCounted(reading)) ?? lists[0]
}

interface Document {
  readonly root: Selected
  readonly text: string
}

function documentOf(reading: Reading, root: GraphqlRoot, writing: Writing): Document {
  const { type, state, query } = reading
  const args = rootArguments(reading, root, writing)
  const entries = inField(root, entrySelection(writing, { type, query, path: [] }))
  const figures = isList(state, type) && isCounted(reading) ? figuresOf(root, writing) : []
  const selected = { name: root.name, args, below: [...entries, ...figures] }
  const { declared } = writing.variables
  const name = `query ${root.name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  return { root: selected, text: textOf({ name, args: declared, below: [selected] }) }
}

/** The figures of a page, as REST has them. */
function figuresOf({ name, page = [] }: GraphqlRoot, { missing }: Writing): readonly Selected[] {
  if (page.length === 0) {
    missing.add(`The schema of GraphQL has no total of ${name}.`)
    return []
  }
  const figures: readonly Selected[] = ['total', 'page', 'pageSize', 'pageCount'].map(name => ({ name }))
  return page.reduceRight((below, name) => [{ name, below }], figures)
}

function isCounted({ model, query }: Reading): boolean {
  const { withCount = model.meta.paging.withCount } = paginationIn(query)
  return withCount === true
}

const paginationIn = ({ pagination }: Query): Query => (isRecord(pagination) ? pagination : {})

/** The arguments of the root. */
function rootArguments(reading: Reading, root: GraphqlRoot, writing: Writing): string[] {
  const { type, state, query } = reading
  const { args = {} } = root
  const { missing, variables } = writing
  const made: string[] = []
  if (args.id !== undefined) {
    if (state.id.trim() === '') missing.add('No entry is chosen.')
    made.push(`${args.id.name}: ${variables.add(args.id.name, args.id.type, state.id.trim())}`)
  }
  if (isRecord(query.filters) && args.filters !== undefined)
    made.push(
      `${args.filters.name}: ${variables.add('filters', args.filters.type, filtersOf(writing, type, query.filters))}`,
    )
  if (query.sort && args.sort !== undefined) made.push(sortArgument(writing, type, args.sort.name, query.sort))
  if (isList(state, type) && args.pagination !== undefined)
    made.push(`${args.pagination.name}: ${pageOf(reading, writing)}`)
  return [...made, ...paramArguments(reading, root, writing)]
}

/** The page with the size that REST has by default, as GraphQL has another one. */
function pageOf({ model, graphql, query }: Reading, { missing, notes }: Writing): string {
  const { defaultLimit, maxLimit } = model.meta.paging
  const { page, pageSize, start, limit, after, before } = paginationIn(query)
  if (after !== undefined || before !== undefined) missing.add('GraphQL has no pages beside an entry.')
  const size = Math.min(Number(pageSize ?? limit ?? defaultLimit), maxLimit ?? Number.POSITIVE_INFINITY)
  if (size > (graphql.maxLimit ?? size))
    notes.add(`GraphQL lists at most ${graphql.maxLimit} entries here (graphql.config.maxLimit).`)
  if (page !== undefined || pageSize !== undefined)
    return `{ ${page === undefined ? '' : `page: ${page}, `}pageSize: ${size} }`
  return `{ ${start === undefined ? '' : `start: ${start}, `}limit: ${size} }`
}

/** Parameters that stand elsewhere in the document. */
const placed = new Set(['fields', 'populate', 'filters', 'sort', 'pagination', 'highlight'])

/** The parameters of plugins, and the search. */
function paramArguments(reading: Reading, root: GraphqlRoot, writing: Writing): string[] {
  const { missing } = writing
  return Object.entries(reading.query).flatMap(([name, value]): string[] => {
    if (placed.has(name)) return []
    if (name === 'publicationState') return stateArgument(reading, root, writing)
    if (name === 'locale') return localeArgument(reading, root, writing, value)
    missing.add(name === '_q' ? 'GraphQL has no search.' : `GraphQL has no parameter "${name}".`)
    return []
  })
}

function stateArgument(
  { graphql, type }: Reading,
  { args = {} }: GraphqlRoot,
  { isPreview, missing }: Writing,
): string[] {
  if (!isPreview) return []
  if (args.publicationState !== undefined) return [draftsShown(args.publicationState)]
  if (!graphql.statesPerRelation && hasDrafts(graphql, type))
    missing.add('GraphQL reads an entry by its id only if it is published.')
  return []
}

/** An entry named by its id is that entry in whatever locale. */
function localeArgument(
  { type }: Reading,
  { args = {} }: GraphqlRoot,
  { missing, variables }: Writing,
  value: unknown,
) {
  if (args.id !== undefined) return []
  const isOneOfAll = type.kind === 'singleType' && value === 'all'
  if (args.locale && !isOneOfAll) return [`${args.locale.name}: ${variables.add('locale', args.locale.type, value)}`]
  missing.add(isOneOfAll ? 'GraphQL reads a single type in one locale.' : 'GraphQL has no parameter "locale" here.')
  return []
}

function checkLimits(graphql: GraphqlInfo, document: Document | undefined, { missing }: Writing): void {
  const { depthLimit, tokenLimit, onlyPersisted } = graphql
  if (onlyPersisted) missing.add('The server takes only the documents of a file (graphql.config.persisted).')
  if (!document) return
  if (depthOf(document.root) > (depthLimit ?? Number.POSITIVE_INFINITY))
    missing.add(`A document has at most ${depthLimit} levels here (graphql.config.depthLimit).`)
  if (tokensIn(document.text) > tokenLimit)
    missing.add(`A document has at most ${tokenLimit} tokens here (graphql.config.tokenLimit).`)
}
