import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  specifiedRules,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { codes } from '../errors.js'

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/**
 * `fields`: those of all operations with every fragment written out, directives among them. `roots`: those of one operation.
 * `pairs`: fields of one key at one place of the response, and fragments beside each other, which validation compares with each
 * other. `levels`: brackets in brackets, and fields below fields. `name`: characters of a name: similar ones are looked for if it
 * is unknown, which took half a second for a name of 900,000.
 */
export const most = { fields: 5000, roots: 100, pairs: 8000, fragments: 150, levels: 250, errors: 10, name: 1000 }

const refusal = (message: string) =>
  new GraphQLError(`${message}; ask for less at once`, { extensions: { code: codes.validation } })

/** The refusal of a text with too many tokens, in place of that of the parser, which names no setting. */
export const tooLong = (tokenLimit: number): GraphQLError =>
  refusal(`The document has more than ${tokenLimit} tokens, which is graphql.config.tokenLimit`)

const longName = new RegExp(`\\w{${most.name + 1}}`)

/** Refuses a text whose brackets nest deeper than the stack of a parser, or which has very long names, before it is parsed. */
export function checkTokens(text: string, tokenLimit: number): void {
  const mayNest = text.split(/[[({]/, most.levels + 2).length > most.levels + 1
  if (!mayNest && !longName.test(text)) return
  const lexer = new Lexer(new Source(text))
  let levels = 0
  for (let count = 0; count <= tokenLimit; count += 1) {
    const { kind, start, end } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (kind === TokenKind.NAME && end - start > most.name) throw refusal(longNames('document'))
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) levels += 1
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) levels -= 1
    if (levels > most.levels) throw tooDeep()
  }
}

export const longNames = (where: string): string => `The ${where} has a name of more than ${most.name} characters`

const tooDeep = () => refusal(`The document is nested more than ${most.levels} levels deep`)

/**
 * Refuses documents whose validation would take long: it compares fields of one key with each other, and looks at a fragment
 * wherever it is spread. Fragments that stand twice or are not used are refused here, as validation looks at them as well.
 */
export function checkSize({ definitions }: DocumentNode, fragments: Fragments): readonly GraphQLError[] {
  const defined = definitions.filter(node => node.kind === Kind.FRAGMENT_DEFINITION)
  if (defined.length > most.fragments) return [refusal(`The document has more than ${most.fragments} fragments`)]
  const size = new DocumentSize(fragments)
  for (const node of definitions)
    if (node.kind === Kind.OPERATION_DEFINITION) {
      const error = size.refusalOf(node.selectionSet)
      if (error) return [error]
    }
  const twice = defined.filter(node => fragments[node.name.value] !== node)
  const said = (nodes: readonly FragmentDefinitionNode[], words: (name: string) => string) =>
    nodes.slice(0, most.errors).map(node => new GraphQLError(words(node.name.value), { nodes: node }))
  if (twice.length > 0) return said(twice, name => `There can be only one fragment named "${name}".`)
  const unused = defined.filter(({ name }) => !size.reached.has(name.value))
  return said(unused, name => `Fragment "${name}" is never used.`)
}

/** A place of the response: how often a document asks for it, and the places below it. */
interface Place {
  count: number
  spreads: number
  readonly below: Map<string, Place>
}

const newPlace = (): Place => ({ count: 0, spreads: 0, below: new Map() })

class DocumentSize {
  /** The names of the fragments that operations use. */
  readonly reached = new Set<string>()
  readonly #fragments: Fragments
  readonly #open = new Set<string>()
  #fields = most.fields
  #pairs = most.pairs

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  refusalOf(set: SelectionSetNode): GraphQLError | undefined {
    const root = newPlace()
    const error = this.#refusalBelow(set, root, 0)
    if (error || root.below.size <= most.roots) return error
    return refusal(`The operation has more than ${most.roots} fields at its root`)
  }

  #refusalBelow({ selections }: SelectionSetNode, place: Place, level: number): GraphQLError | undefined {
    if (level > most.levels) return tooDeep()
    for (const node of selections) {
      this.#fields -= 1 + (node.directives?.length ?? 0)
      if (this.#fields < 0) return refusal(`The document has more than ${most.fields} fields`)
      const error = this.#refusalIn(node, place, level)
      if (error) return error
      if (this.#pairs < 0) return refusal('The document asks for the same fields too often, or has too many fragments')
    }
    return undefined
  }

  #refusalIn(node: SelectionNode, place: Place, level: number): GraphQLError | undefined {
    if (node.kind === Kind.FIELD) {
      const field = this.#asked(place, (node.alias ?? node.name).value)
      return node.selectionSet && this.#refusalBelow(node.selectionSet, field, level + 1)
    }
    if (node.kind === Kind.INLINE_FRAGMENT) return this.#refusalBelow(node.selectionSet, place, level + 1)
    const name = node.name.value
    this.#pairs -= place.spreads
    place.spreads += 1
    const fragment = this.#fragments[name]
    // Cycles are for the rules to find: here each fragment is entered once on a path.
    if (!fragment || this.#open.has(name)) return undefined
    this.reached.add(name)
    this.#open.add(name)
    const error = this.#refusalBelow(fragment.selectionSet, place, level + 1)
    this.#open.delete(name)
    return error
  }

  #asked({ below }: Place, key: string): Place {
    const known = below.get(key)
    const place = known ?? newPlace()
    if (!known) below.set(key, place)
    this.#pairs -= place.count
    place.count += 1
    return place
  }
}

/** The rules of graphql-js that every version has: an operation that the schema has no root for is refused in our own words. */
export const knownRules: readonly ValidationRule[] = specifiedRules.filter(
  ({ name }) => name !== 'KnownOperationTypesRule',
)

/** Refuses operations with a field below the deepest level; roots are at level 0, and introspection has none. */
export const depthRule =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(node) {
      if (isDeeper(context, node.selectionSet, limit, new Set())) {
        const name = node.name ? `'${node.name.value}'` : 'The operation'
        context.reportError(new GraphQLError(`${name} exceeds maximum operation depth of ${limit}`, { nodes: node }))
      }
    },
  })

function isDeeper(context: ValidationContext, set: SelectionSetNode, left: number, open: ReadonlySet<string>): boolean {
  return set.selections.some(node => {
    if (node.kind === 'FragmentSpread') {
      const name = node.name.value
      const fragment = open.has(name) ? undefined : context.getFragment(name)
      return fragment ? isDeeper(context, fragment.selectionSet, left, new Set([...open, name])) : false
    }
    if (node.kind === 'InlineFragment') return isDeeper(context, node.selectionSet, left, open)
    if (node.name.value.startsWith('__')) return false
    return left < 0 || (node.selectionSet !== undefined && isDeeper(context, node.selectionSet, left - 1, open))
  })
}

/** Refuses questions about the schema. */
export const noIntrospection: ValidationRule = context => ({
  Field(node) {
    const name = node.name.value
    if (name === '__schema' || name === '__type')
      context.reportError(
        new GraphQLError(
          'GraphQL introspection is not allowed here; `stele graphql schema` prints the schema, and graphql.config.apolloServer.introspection allows it',
          { nodes: node },
        ),
      )
  },
})

/** A message without the names that it suggests: a client that may not ask for the schema is not told of it by guessing. */
export const withoutSuggestions = (message: string): string => message.replace(/ Did you mean [^?]*\?/g, '')
