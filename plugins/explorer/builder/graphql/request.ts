import { isRecord } from '../data.js'
import type { Model, TypeInfo } from '../metadata.js'
import { isList, type Query } from '../query.js'
import type { BuilderState } from '../state.js'
import { methods } from '../url.js'
import { filtersOf } from './filters.js'
import type { GraphqlInfo, GraphqlRoot, OtherGraphql } from './schema.js'
import { entrySelection } from './selection.js'
import { depthOf, type Selected, textOf, tokensIn, Variables } from './text.js'
import type { Writing } from './writing.js'

/** A request of GraphQL that asks for what a query asks for. */
export interface GraphqlRequest {
  readonly endpoint: string
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
  /** The parts of the query that GraphQL cannot express, a sentence each: with any, the document is something else. */
  readonly missing: readonly string[]
  /** The differences of the response, a sentence each. */
  readonly notes: readonly string[]
}

/** The document for a query that reads; undefined for writes, and where the app has no GraphQL. */
export function graphqlOf(model: Model, state: BuilderState, query: Query): GraphqlRequest | undefined {
  const { graphql } = model.meta
  const type = model.type(state.uid)
  if (!graphql || !type || methods[state.action] !== 'GET') return undefined
  if ('shape' in graphql) return inOtherShape(graphql)
  const reading: Reading = { model, graphql, type, state, query }
  const root = graphql.types[type.uid]?.[isList(state, type) ? 'list' : 'one']
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
  }
}

const inOtherShape = ({ shape }: OtherGraphql): GraphqlRequest => ({
  ...{ endpoint: '', document: '', variables: {}, notes: [] },
  missing: [`Documents are written in the shape of Strapi 4; here it is '${shape}' (graphql.config.shape).`],
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
  const hasDrafts = graphql.types[type.uid]?.list?.args?.publicationState !== undefined
  return isById && (hasDrafts || query.publicationState === undefined)
}

interface Document {
  readonly root: Selected
  readonly text: string
}

function documentOf(reading: Reading, root: GraphqlRoot, writing: Writing): Document {
  const { type, state, query } = reading
  const lists = isList(state, type)
  const args = rootArguments(reading, root, writing)
  const data = { name: 'data', below: entrySelection(writing, { type, query, path: [] }) }
  const selected = { name: root.name, args, below: lists && isCounted(reading) ? [data, meta] : [data] }
  const { declared } = writing.variables
  const name = `query ${root.name.slice(0, 1).toUpperCase()}${root.name.slice(1)}`
  return { root: selected, text: textOf({ name, args: declared, below: [selected] }) }
}

const meta: Selected = {
  name: 'meta',
  below: [{ name: 'pagination', below: ['total', 'page', 'pageSize', 'pageCount'].map(name => ({ name })) }],
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
    made.push(`id: ${variables.add('id', args.id, state.id.trim())}`)
  }
  if (isRecord(query.filters) && args.filters !== undefined)
    made.push(`filters: ${variables.add('filters', args.filters, filtersOf(writing, type, query.filters))}`)
  if (query.sort) made.push(`sort: ${JSON.stringify(query.sort)}`)
  if (isList(state, type)) made.push(pageArgument(reading, writing))
  return [...made, ...paramArguments(reading, root, writing)]
}

/** The page with the size that REST has by default, as GraphQL has another one. */
function pageArgument({ model, graphql, query }: Reading, { missing, notes }: Writing): string {
  const { defaultLimit, maxLimit } = model.meta.paging
  const { page, pageSize, start, limit, after, before } = paginationIn(query)
  if (after !== undefined || before !== undefined) missing.add('GraphQL has no pages beside an entry.')
  const size = Math.min(Number(pageSize ?? limit ?? defaultLimit), maxLimit ?? Number.POSITIVE_INFINITY)
  if (size > (graphql.maxLimit ?? size))
    notes.add(`GraphQL lists at most ${graphql.maxLimit} entries here (graphql.config.maxLimit).`)
  if (page !== undefined || pageSize !== undefined)
    return `pagination: { ${page === undefined ? '' : `page: ${page}, `}pageSize: ${size} }`
  return `pagination: { ${start === undefined ? '' : `start: ${start}, `}limit: ${size} }`
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
  if (args.publicationState !== undefined) return ['publicationState: PREVIEW']
  if (!graphql.statesPerRelation && graphql.types[type.uid]?.list?.args?.publicationState !== undefined)
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
  if (args.locale === undefined) missing.add('GraphQL has no parameter "locale" here.')
  else if (type.kind === 'singleType' && value === 'all') missing.add('GraphQL reads a single type in one locale.')
  return args.locale === undefined ? [] : [`locale: ${variables.add('locale', args.locale, value)}`]
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
