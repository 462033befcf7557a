import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { codes, refused } from '../errors.js'
import { checkSize, depthRule, noIntrospection } from './limits.js'

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
}

export interface DocumentLimits {
  readonly tokenLimit: number
  readonly depthLimit: number | undefined
  readonly introspection: boolean
}

/** Characters of documents that are kept, and of one. */
const kept = { all: 5_000_000, one: 100_000 }

/** Parses and validates documents, each text once. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #limits: DocumentLimits
  readonly #rules: readonly ValidationRule[]
  readonly #ready = new LRUCache<string, ReadyDocument>({
    maxSize: kept.all,
    maxEntrySize: kept.one,
    sizeCalculation: (_, text) => text.length + 1,
  })

  constructor(schema: GraphQLSchema, limits: DocumentLimits) {
    this.#schema = schema
    this.#limits = limits
    this.#rules = [
      ...specifiedRules,
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
    const tooLarge = checkSize(operations, fragments)
    const errors = tooLarge ? [tooLarge] : validate(this.#schema, node, this.#rules, { maxErrors: 10 })
    if (errors.length > 0) throw new Refusal(errors, codes.validation)
    return { node, operations, fragments }
  }

  #parsed(text: string): DocumentNode {
    try {
      return parse(text, { maxTokens: this.#limits.tokenLimit })
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      throw new Refusal([error], codes.syntax)
    }
  }
}
