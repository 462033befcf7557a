import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type ValidationRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { codes, refused } from '../errors.js'
import {
  checkSize,
  checkTokens,
  depthRule,
  knownRules,
  noIntrospection,
  tooLong,
  withoutSuggestions,
} from './limits.js'
import { readVariables, type Values } from './values.js'

/** A request that is refused before anything of it runs. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly errors: readonly GraphQLFormattedError[]

  constructor(errors: readonly GraphQLError[], code: string) {
    super('the document is refused')
    this.errors = refused(errors, code)
  }
}

/** A document that was parsed and validated. */
export interface ReadyDocument {
  readonly node: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  /** No other document has it. */
  readonly id: number
  /** The bytes that it takes, about. */
  readonly size: number
}

export interface DocumentLimits {
  readonly tokenLimit: number
  readonly depthLimit: number | undefined
  readonly introspection: boolean
}

/** The bytes of all documents that are kept, and of a token of one. */
const bytes = { all: 64_000_000, token: 500 }
/** Errors that a refusal tells, the places of each, and the characters of its beginning and its end. */
const told = { errors: 10, places: 10, beginning: 700, end: 200 }

const shortened = (message: string): string =>
  message.length <= told.beginning + told.end
    ? message
    : `${message.slice(0, told.beginning)} … ${message.slice(-told.end)}`

/** Parses and validates documents, each text once. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #limits: DocumentLimits
  readonly #rules: readonly ValidationRule[]
  readonly #ready = new LRUCache<string, ReadyDocument>({
    maxSize: bytes.all,
    sizeCalculation: ({ size }) => size,
  })
  #last = 0

  constructor(schema: GraphQLSchema, limits: DocumentLimits) {
    this.#schema = schema
    this.#limits = limits
    this.#rules = [
      ...knownRules,
      ...(limits.introspection ? [] : [noIntrospection]),
      ...(limits.depthLimit === undefined ? [] : [depthRule(limits.depthLimit)]),
    ]
  }

  get(text: string): ReadyDocument {
    const known = this.#ready.get(text)
    if (known) return known
    const ready = this.#make(text)
    this.#ready.set(text, ready)
    return ready
  }

  #make(text: string): ReadyDocument {
    const node = this.#parsed(text)
    const operations: OperationDefinitionNode[] = []
    const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
    for (const definition of node.definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
      else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
    const refusals = checkSize(node, fragments)
    const errors =
      refusals.length > 0 ? refusals : validate(this.#schema, node, this.#rules, { maxErrors: told.errors })
    if (errors.length > 0) throw this.#refusal(errors, codes.validation)
    this.#last += 1
    const size = (node.tokenCount ?? text.length) * bytes.token + 2 * text.length + 1
    return { node, operations, fragments, id: this.#last, size }
  }

  /** The values of an operation's variables. */
  valuesOf(operation: OperationDefinitionNode, given: Values = {}): Values {
    const { values = {}, errors } = readVariables(this.#schema, operation, given, { maxErrors: told.errors })
    if (errors) throw this.#refusal(errors, codes.input)
    return values
  }

  #refusal(errors: readonly GraphQLError[], code: string): Refusal {
    const { introspection } = this.#limits
    return new Refusal(
      errors.map(error => {
        const message = introspection ? error.message : withoutSuggestions(error.message)
        const { nodes, source, positions, extensions } = error
        const places = { nodes: nodes?.slice(0, told.places), source, positions: positions?.slice(0, told.places) }
        return new GraphQLError(shortened(message), { ...places, extensions })
      }),
      code,
    )
  }

  #parsed(text: string): DocumentNode {
    try {
      checkTokens(text, this.#limits.tokenLimit)
      return parse(text, { maxTokens: this.#limits.tokenLimit })
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      const isTooLong = / tokens\. Parsing aborted/.test(error.message)
      throw this.#refusal([isTooLong ? tooLong(this.#limits.tokenLimit) : error], codes.syntax)
    }
  }
}
