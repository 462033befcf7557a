import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  parse,
  validate,
} from 'graphql'
import { numbers } from '../../support/numbers.js'
import { ArgumentDraws, type Samples } from './generated-arguments.js'
import { type Argument, Draws, EnumMember, plainValue } from './generated-values.js'

/** An operation with all that a request for it needs. */
export interface GeneratedOperation {
  readonly seed: number
  readonly auth: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** The only root, where REST can ask for the same. */
  readonly plain?: Selected
}

/** A field of a plain operation with what is asked for below it. */
export interface Selected {
  readonly name: string
  readonly type: GraphQLOutputType
  readonly args: Readonly<Record<string, Argument>>
  readonly below: readonly Selected[]
  /** The types of a zone, each with its fields. */
  readonly parts?: readonly { readonly type: string; readonly fields: readonly Selected[] }[]
}

export interface GeneratorParts {
  readonly schema: GraphQLSchema
  readonly samples: Samples
}

const roots = [
  ...['articles', 'articles', 'articles', 'article', 'authors', 'author', 'tags', 'tag', 'categories', 'category'],
  ...['memos', 'profiles', 'profile', 'homepage', 'global', 'uploadFiles', 'uploadFile'],
]
const callers = ['full', 'full', 'full', 'readonly', 'eddie', 'none', 'custom', 'alice']
/** Fields that REST has in other words, or not at all. */
const leftOut = new Set(['related:UploadFile', 'provider_metadata:UploadFile', 'secret:Article'])

/** The operation of a seed; undefined where the draws contradict each other. */
export function operationOf(seed: number, parts: GeneratorParts): GeneratedOperation | undefined {
  const draws = new Draws(numbers(seed * 7919 + 13))
  for (let skipped = 0; skipped < 5; skipped += 1) draws.below(2)
  const writing = new Writing(draws, parts, draws.chance(30))
  const made = writing.operation(seed)
  return validate(parts.schema, parse(made.query)).length === 0 ? made : undefined
}

/** So many operations, from the seed on. */
export function operationsFrom(seed: number, count: number, parts: GeneratorParts): GeneratedOperation[] {
  const made: GeneratedOperation[] = []
  for (let at = seed; made.length < count; at += 1) {
    const operation = operationOf(at, parts)
    if (operation) made.push(operation)
  }
  return made
}

class Writing {
  readonly #draws: Draws
  readonly #schema: GraphQLSchema
  readonly #arguments: ArgumentDraws
  readonly #isPlain: boolean
  readonly #variables = new Map<string, { type: string; value: unknown; fallback?: string }>()
  readonly #fragments: string[] = []
  readonly #known = new Map<string, string>()
  #aliases = 0
  #left = 60

  constructor(draws: Draws, { schema, samples }: GeneratorParts, isPlain: boolean) {
    this.#draws = draws
    this.#schema = schema
    this.#arguments = new ArgumentDraws(draws, samples)
    this.#isPlain = isPlain
  }

  operation(seed: number): GeneratedOperation {
    const draws = this.#draws
    const query = this.#schema.getQueryType() as GraphQLObjectType
    const count = this.#isPlain || draws.chance(70) ? 1 : 2 + draws.below(3)
    const fields = Array.from({ length: count }, () => this.#root(query, draws.one(roots)))
    const used = new Set<string>()
    const auth = draws.one(callers)
    const selected = fields.map(field => this.#selected(field, 4))
    const texts = selected.map(one => this.#text(one, used, query))
    const declared = [...this.#variables].map(
      ([name, { type, fallback }]) => `$${name}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}`,
    )
    const head = declared.length > 0 ? `query Made(${declared.join(', ')}) ` : ''
    const values = [...this.#variables].filter(([, { value }]) => value !== undefined)
    return {
      ...{ seed, auth },
      query: [`${head}{ ${texts.join(' ')} }`, ...this.#fragments].join('\n'),
      variables: Object.fromEntries(values.map(([name, { value }]) => [name, value])),
      ...(this.#isPlain && { plain: selected[0] as Selected }),
    }
  }

  /** The root of a name, or the other one that lists the same. */
  #root(query: GraphQLObjectType, name: string): Field {
    const { [name]: field, [`${name}_connection`]: other } = query.getFields()
    return (other && this.#draws.chance(50) ? other : field) as Field
  }

  #selected(field: Field, depth: number): Selected {
    const { name, type } = field
    const args = name === 'pagination' ? {} : this.#arguments.of(field, 45)
    const id = field.args.find(arg => isId(arg))?.name
    const given: Record<string, Argument> = id ? { [id]: args[id] ?? 1 + this.#draws.below(30) } : args
    return { name, type, args: given, ...this.#below(getNamedType(type), depth) }
  }

  #below(type: GraphQLNamedType, depth: number): Pick<Selected, 'below' | 'parts'> {
    if (isUnionType(type))
      return {
        below: [],
        parts: type
          .getTypes()
          .filter(({ name }) => name !== 'Error' && (this.#isPlain || this.#draws.chance(65)))
          .map(part => ({ type: part.name, fields: this.#fields(part, depth - 1) })),
      }
    return { below: isObjectType(type) ? this.#fields(type, depth) : [] }
  }

  #fields(type: GraphQLObjectType, depth: number): Selected[] {
    const all = Object.values(type.getFields()).filter(({ name }) => !leftOut.has(`${name}:${type.name}`))
    const isPart = (field: Field) => isLeafType(getNamedType(field.type))
    if (/(EntityResponse|EntityResponseCollection|RelationResponseCollection)$/.test(type.name))
      return all
        .filter(
          ({ name }) =>
            /^(data|nodes)$/.test(name) || (!this.#isPlain && /^(meta|pageInfo)$/.test(name) && this.#draws.chance(35)),
        )
        .map(field => this.#selected(field, depth))
    if (/Entity$/.test(type.name) || /^(ResponseCollectionMeta|Pagination)$/.test(type.name))
      return all
        .filter(({ name }) => this.#isPlain || name === 'attributes' || this.#draws.chance(80))
        .map(field => this.#selected(field, depth))
    const leaves = all.filter(isPart).filter(field => !isId(field))
    const links = depth > 0 && this.#left > 0 ? all.filter(field => !isPart(field)) : []
    const chosen = [
      ...all.filter(field => isId(field) && (this.#isPlain || this.#draws.chance(60))),
      ...this.#draws.some(leaves, 1 + this.#draws.below(4)),
      ...this.#draws.some(links, this.#draws.below(3)),
    ]
    this.#left -= chosen.length
    return chosen.map(field => this.#selected(field, depth - (isPart(field) ? 0 : 1)))
  }

  /** The text of a field. `used` has the names that stand for it and its siblings in the answer. */
  #text(selected: Selected, used: Set<string>, holder: GraphQLObjectType): string {
    const { name, args, below, parts } = selected
    const field = holder.getFields()[name] as Field
    const needsAlias = used.has(name) || (!this.#isPlain && this.#draws.chance(15))
    const key = needsAlias ? this.#alias() : ''
    used.add(name)
    const given = Object.entries(args).map(
      ([arg, value]) => `${arg}: ${this.#value(value, String(field.args.find(one => one.name === arg)?.type))}`,
    )
    const call = given.length > 0 ? `(${given.join(', ')})` : ''
    const type = getNamedType(field.type)
    const body = parts ? this.#zone(parts) : isObjectType(type) ? this.#selection(below, type) : ''
    const again = !this.#isPlain && isObjectType(type) && field.args.length > 0 && this.#draws.chance(10)
    const other = again && this.#left > 0 ? this.#text(this.#selected(field, 1), used, holder) : ''
    // The same key once more, with a selection of its own: both are merged.
    const isMerged = !this.#isPlain && isObjectType(type) && call === '' && this.#draws.chance(8)
    const merged = isMerged ? `${key}${name}${this.#selection(this.#below(type, 1).below, type)}` : ''
    return `${key}${name}${call}${this.#directive()}${body} ${merged} ${other}`.trim()
  }

  #alias(): string {
    this.#aliases += 1
    return `a${this.#aliases}: `
  }

  #selection(fields: readonly Selected[], type: GraphQLObjectType): string {
    const used = new Set<string>()
    const texts = fields.map(field => this.#wrapped(this.#text(field, used, type), type))
    if (!this.#isPlain && this.#draws.chance(12)) texts.splice(this.#draws.below(texts.length + 1), 0, '__typename')
    return ` { ${texts.length > 0 ? texts.join(' ') : '__typename'} }`
  }

  #zone(parts: NonNullable<Selected['parts']>): string {
    const texts = parts.map(({ type, fields }) => {
      const object = this.#schema.getType(type) as GraphQLObjectType
      return `... on ${type}${this.#selection(fields, object)}`
    })
    return ` { __typename ${texts.join(' ')} }`
  }

  /** The text of a field, by chance in a fragment. */
  #wrapped(text: string, { name }: GraphQLObjectType): string {
    if (this.#isPlain || !this.#draws.chance(12)) return text
    if (this.#draws.chance(50))
      return `...${this.#draws.chance(70) ? ` on ${name}` : ''}${this.#directive()} { ${text} }`
    const fragment = `F${this.#fragments.length + 1}`
    this.#fragments.push(`fragment ${fragment} on ${name} { ${text} }`)
    return `...${fragment}`
  }

  #directive(): string {
    if (this.#isPlain || !this.#draws.chance(6)) return ''
    return ` @${this.#draws.one(['skip', 'include'])}(if: ${this.#value(this.#draws.chance(50), 'Boolean!')})`
  }

  #value(value: Argument, type: string): string {
    if (!this.#isPlain && this.#draws.chance(30)) return this.#variable(plainValue(value), type, value)
    return this.#literal(value, type)
  }

  #variable(value: unknown, type: string, literal: Argument): string {
    const text = `${type} ${JSON.stringify(value)}`
    const known = this.#known.get(text)
    if (known !== undefined) return `$${known}`
    const name = `v${this.#variables.size + 1}`
    this.#known.set(text, name)
    const fallback = !type.endsWith('!') && this.#draws.chance(15) ? plainLiteral(literal) : undefined
    this.#variables.set(name, {
      type,
      value: fallback === undefined ? value : undefined,
      ...(fallback !== undefined && { fallback }),
    })
    return `$${name}`
  }

  #literal(value: Argument, type: string): string {
    if (Array.isArray(value)) return `[${value.map(inner => this.#value(inner, itemOf(type))).join(', ')}]`
    if (typeof value !== 'object' || value === null || value instanceof EnumMember) return plainLiteral(value)
    const named = this.#schema.getType(type.replace(/[[\]!]/g, ''))
    const typeOf = (name: string): string =>
      named && 'getFields' in named ? String((named as GraphQLObjectType).getFields()[name]?.type) : 'JSON'
    const fields = Object.entries(value).map(([name, inner]) => `${name}: ${this.#value(inner, typeOf(name))}`)
    return `{ ${fields.join(', ')} }`
  }
}

type Field = GraphQLField<unknown, unknown>

const isId = ({ name }: { readonly name: string }): boolean => name === 'id' || name === 'documentId'

const itemOf = (type: string): string => type.replace(/^\[/, '').replace(/\]!?$/, '')

function plainLiteral(value: Argument): string {
  if (value instanceof EnumMember) return value.name
  if (Array.isArray(value)) return `[${value.map(plainLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${plainLiteral(inner)}`)
    .join(', ')} }`
}
