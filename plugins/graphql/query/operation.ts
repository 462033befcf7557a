import {
  type ExecutionResult,
  execute,
  type GraphQLFormattedError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Caller, ContentType, Host, RouteCall } from '../../../core/index.js'
import { nameOperation } from '../../../core/plugin-kit.js'
import { answerError, codes, refusalSaying, refusalText } from '../errors.js'
import type { OperationRequest, Outcome } from '../http/runner.js'
import { assertFollows, runChange, type SeenChange } from '../live/change.js'
import type { Subscribed } from '../live/subscribed.js'
import type { GraphqlService } from '../service.js'
import { takeKey } from '../write/once.js'
import { type AnyRoot, bindRoots, isOwn } from './bound.js'
import type { ReadyDocument } from './documents.js'
import { Refusal } from './documents.js'
import { checkPrice } from './price.js'
import type { BoundRoot, RootResult } from './roots.js'
import { runRoot } from './run-root.js'
import { readRoots, runInTurn } from './run-roots.js'
import { Selections } from './selections.js'
import { checkVariables } from './variables.js'

const noStream = 'Subscriptions are sent as events: ask for them with Accept: text/event-stream'

/** The bytes of the plans that are kept, about. */
const mostBound = 64_000_000
/** Characters of the variables whose values are kept. */
const mostValues = 2_000_000
/** Characters of variables that are worth a place among them. */
const longestVariables = 4000

/** An operation of a document with the values of its variables. */
interface ChosenOperation {
  readonly document: ReadyDocument
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
}

/** Runs operations: finds the document, binds its roots, and puts their values together. */
export class Operations {
  readonly #service: GraphqlService
  /** Plans of operations, by their documents, their variables and the scopes of callers. */
  readonly #bound = new LRUCache<string, AnyRoot[]>({ maxSize: mostBound })
  readonly #selections = new Selections()

  readonly #values = new LRUCache<string, ChosenOperation['variables']>({ maxSize: mostValues })

  constructor(service: GraphqlService) {
    this.#service = service
  }

  async run(request: OperationRequest, call: RouteCall, { onlyQueries }: { onlyQueries: boolean }): Promise<Outcome> {
    try {
      const document = this.#service.documents.get(request.query)
      const operation = operationIn(document, request.operationName, this.#service.schema)
      if (typeof operation === 'string') return { status: 400, text: refusalSaying(operation) }
      tell(operation, call)
      if (onlyQueries && operation.operation !== 'query')
        return { status: 405, text: refusalSaying('GET supports only query operation') }
      if (operation.operation === 'subscription') return { status: 400, text: refusalSaying(noStream) }
      const variables = this.#variables(document, operation, request.variables)
      return await this.#answer({ document, operation, variables }, request, call)
    } catch (error) {
      if (error instanceof Refusal) return { status: 400, text: refusalText(error.errors) }
      throw error
    }
  }

  /** A subscription that may begin, or its refusal; undefined for other operations. */
  subscribe(request: OperationRequest, call: RouteCall): Subscribed | Outcome | undefined {
    try {
      const document = this.#service.documents.get(request.query)
      const operation = operationIn(document, request.operationName, this.#service.schema)
      if (typeof operation === 'string' || operation.operation !== 'subscription') return undefined
      tell(operation, call)
      const chosen = { document, operation, variables: this.#variables(document, operation, request.variables) }
      const rootFor = (by: RouteCall) => this.#roots(chosen, request, by)[0] as BoundRoot
      const root = rootFor(call)
      assertFollows(root, call)
      const { uid } = (root.meaning as { readonly type: ContentType }).type
      return { uid, respond: (change, by) => this.#changed(rootFor(by), change, by) }
    } catch (error) {
      if (error instanceof Refusal) return { status: 400, text: refusalText(error.errors) }
      return { status: 200, text: refusalText([answerError(error, { host: this.#service.host, ctx: call.ctx })]) }
    }
  }

  async #changed(root: BoundRoot, change: SeenChange, call: RouteCall): Promise<string | undefined> {
    assertFollows(root, call)
    const found = await runChange(root, change, { call, service: this.#service })
    if (!found) return undefined
    const told = found.errors.length > 0 ? `"errors":${JSON.stringify(found.errors)},` : ''
    return `{${told}"data":{${JSON.stringify(root.key)}:${found.text}}}`
  }

  /** The values of the variables; short ones are read and checked once. */
  #variables(document: ReadyDocument, operation: OperationDefinitionNode, given: OperationRequest['variables']) {
    const text = given ? JSON.stringify(given) : ''
    if (text.length > longestVariables) return this.#checked(operation, given)
    const key = `${document.id} ${operation.name?.value ?? ''}\n${text}`
    const known = this.#values.get(key)
    if (known) return known
    const values = this.#checked(operation, given)
    this.#values.set(key, values, { size: key.length })
    return values
  }

  #checked(operation: OperationDefinitionNode, given: OperationRequest['variables']) {
    const { documents, schema, host } = this.#service
    const { maxParameters } = host.app.api.rest
    const error = checkVariables({ schema, operation, given }, maxParameters)
    if (error) throw new Refusal([error], codes.input)
    return documents.valuesOf(operation, { ...given })
  }

  async #answer(chosen: ChosenOperation, request: OperationRequest, call: RouteCall): Promise<Outcome> {
    const roots = this.#roots(chosen, request, call)
    if (chosen.operation.operation === 'mutation') takeKey(roots, request, call)
    const run = (index: number, by = call) => this.#result(roots, index, chosen, by)
    const results = await (chosen.operation.operation === 'query' ? readRoots : runInTurn)(roots, run, call)
    const values = roots.map(({ key }, index) => `${JSON.stringify(key)}:${results[index]?.text ?? 'null'}`)
    const errors = results.flatMap(result => result.errors)
    const rootType = this.#rootType(chosen.operation)
    const isNull = roots.some((root, index) => results[index]?.text === 'null' && isRequired(rootType, root))
    const data = isNull ? 'null' : `{${values.join(',')}}`
    const told = errors.length > 0 ? `"errors":${JSON.stringify(errors)},` : ''
    return { status: 200, text: `{${told}"data":${data}}` }
  }

  async #result(roots: AnyRoot[], index: number, chosen: ChosenOperation, call: RouteCall): Promise<RootResult> {
    const root = roots[index] as AnyRoot
    const context = { call, service: this.#service }
    if (isOwn(root)) return this.#own(root.nodes, chosen, context)
    try {
      return await runRoot(root, context, replaced => {
        roots[index] = replaced
      })
    } catch (error) {
      const locations = root.node.loc ? [root.node.loc.startToken] : []
      const place = { path: [root.key], locations: locations.map(({ line, column }) => ({ line, column })) }
      return { text: 'null', errors: [answerError(error, { host: this.#service.host, ctx: call.ctx }, place)] }
    }
  }

  /** A root that has a function of its own, or is about the schema: graphql-js runs it. */
  async #own(
    nodes: readonly AnyNode[],
    { document, operation, variables }: ChosenOperation,
    contextValue: { readonly call: RouteCall; readonly service: GraphqlService },
  ): Promise<RootResult> {
    const alone = { ...operation, selectionSet: { ...operation.selectionSet, selections: nodes } }
    const definitions = document.node.definitions.map(node => (node === operation ? alone : node))
    const { schema, host } = this.#service
    const result = (await execute({
      schema,
      document: { ...document.node, definitions },
      contextValue,
      variableValues: variables,
      operationName: operation.name?.value,
    })) as ExecutionResult
    const [value = null] = Object.values(result.data ?? {})
    const answering = { host, ctx: contextValue.call.ctx }
    const errors = (result.errors ?? []).map((error): GraphQLFormattedError => answerError(error, answering))
    return { text: JSON.stringify(value), errors }
  }

  /** The roots of the operation for callers of this scope; kept, as long as the variables are short. */
  #roots(chosen: ChosenOperation, { variables, operationName }: OperationRequest, call: RouteCall): AnyRoot[] {
    if (chosen.operation.operation === 'mutation') return this.#bind(chosen, call)
    const values = variables ? JSON.stringify(variables) : ''
    if (values.length > longestVariables) return this.#bind(chosen, call)
    const key = `${chosen.document.id} ${call.caller.scope}\n${operationName ?? ''}\n${values}`
    const known = this.#bound.get(key)
    if (known) return known
    const roots = this.#selections.with({ ...chosen, given: variables }, call.caller.scope, () =>
      this.#bind(chosen, call),
    )
    this.#bound.set(key, roots, { size: chosen.document.size + key.length })
    return roots
  }

  #bind({ document, operation, variables }: ChosenOperation, { caller, ctx }: RouteCall): AnyRoot[] {
    const { schema, settings, host } = this.#service
    const { fragments } = document
    const roots = bindRoots(
      {
        ...{ schema, fragments, variables, pages: settings },
        can: canOf(caller),
        tell: error => {
          const { message, extensions } = answerError(error, { host, ctx })
          return { message, ...(extensions && { extensions }) }
        },
        ...draftsOf(host),
      },
      this.#rootType(operation),
      operation.selectionSet.selections,
    )
    const error = checkPrice(roots, host.app.api.rest.limits.statements)
    if (error) throw new Refusal([error], codes.validation)
    return roots
  }

  #rootType({ operation }: OperationDefinitionNode): GraphQLObjectType {
    return this.#service.schema.getRootType(operation) as GraphQLObjectType
  }
}

type AnyNode = Extract<AnyRoot, { nodes: unknown }>['nodes'][number]

const canOf = (caller: Caller) => (action: string, uid: string) => caller.can(action, uid)

function draftsOf({ outline: { params, dialectName } }: Pick<Host, 'outline'>) {
  const hasStates = params.some(({ name }) => name === 'publicationState')
  return {
    statesPerRelation: dialectName === 'strapi4',
    hasDrafts: (type: ContentType) => hasStates && type.options.draftAndPublish === true,
  }
}

const tell = ({ operation: kind, name }: OperationDefinitionNode, { ctx }: Pick<RouteCall, 'ctx'>): void =>
  nameOperation(ctx, { kind, name: name?.value ?? '' })

/** The operation that is meant, or the reason why there is none. */
function operationIn(
  { operations }: ReadyDocument,
  name: string | null | undefined,
  schema: GraphQLSchema,
): OperationDefinitionNode | string {
  const isNamed = name !== null && name !== undefined && name !== ''
  if (!isNamed && operations.length > 1) return 'Must provide operation name if query contains multiple operations.'
  const found = isNamed ? operations.find(operation => operation.name?.value === name) : operations[0]
  if (!found) return isNamed ? `Unknown operation named "${name}".` : 'Must provide an operation.'
  return schema.getRootType(found.operation) ? found : `Schema is not configured for ${found.operation}s.`
}

/** A root that may not be null: without it there is no data. */
function isRequired(type: GraphQLObjectType, root: AnyRoot): boolean {
  const node = isOwn(root) ? root.nodes[0] : root.node
  const name = node?.name.value ?? ''
  return String(type.getFields()[name]?.type ?? '').endsWith('!')
}
