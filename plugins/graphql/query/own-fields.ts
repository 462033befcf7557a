import { type FieldNode, type GraphQLFormattedError, type GraphQLResolveInfo, isNonNullType } from 'graphql'
import { answerError, locationsOf } from '../errors.js'
import type { OperationContext } from '../meaning.js'
import type { GraphqlService } from '../service.js'
import type { FieldPlace } from './binder.js'
import type { SelectionContext } from './fields.js'
import { errorsOf, failed, type Projector, type Seed, Sink } from './projector.js'
import type { BoundRoot, RootResult } from './roots.js'
import { forGraphqlJs, readArguments } from './values.js'

/** A field below a root that a function answers. */
export interface OwnField {
  readonly node: FieldNode
  readonly name: string
  /** It may not be null. */
  readonly isRequired: boolean
  readonly resolve: (source: unknown, context: OperationContext) => unknown
  /** Makes the value of the response of what the function returns. */
  readonly project: Projector
}

export function ownField(place: FieldPlace, project: Projector, parts: SelectionContext): OwnField {
  const { holder, field, nodes } = place
  const node = nodes[0] as FieldNode
  const { schema, fragments, variables } = parts
  const info = {
    ...{ fieldName: field.name, fieldNodes: nodes, returnType: field.type, parentType: holder },
    ...{ schema, fragments, variableValues: forGraphqlJs(variables) },
  } as unknown as GraphQLResolveInfo
  return {
    node,
    name: `${holder.name}.${field.name}`,
    isRequired: isNonNullType(field.type),
    // Wrong arguments are an error of the field, for each entry.
    resolve: (source, context) => field.resolve?.(source, readArguments(field, node, variables), context, info),
    project,
  }
}

interface GrowthContext extends OperationContext {
  readonly service: GraphqlService
}

/** The result of a root with the places filled that functions answer. */
export async function grown(result: RootResult, { owns }: BoundRoot, context: GrowthContext): Promise<RootResult> {
  const { text, errors, seeds = [] } = result
  if (seeds.length === 0) return { text, errors }
  const growth = new Growth(owns, context)
  // The root stands in an object, so that it has a place to be replaced at.
  const whole = { root: JSON.parse(text) as unknown }
  await growth.fill(whole, seeds)
  return { text: JSON.stringify(whole.root), errors: [...errors, ...growth.errors] }
}

class Growth {
  readonly errors: GraphQLFormattedError[] = []
  readonly #owns: readonly OwnField[]
  readonly #context: GrowthContext

  constructor(owns: readonly OwnField[], context: GrowthContext) {
    this.#owns = owns
    this.#context = context
  }

  async fill(whole: object, seeds: readonly Seed[]): Promise<void> {
    await Promise.all(seeds.map(seed => this.#grow(whole, seed)))
  }

  async #grow(whole: object, seed: Seed): Promise<void> {
    const own = this.#owns[seed.own] as OwnField
    const sink = new Sink(...seed.path)
    const value = await this.#valueOf(own, seed, sink)
    this.errors.push(...errorsOf(sink))
    const isFailed = value === failed || (own.isRequired && value === null)
    if (isFailed && sink.failures.length === 0 && !this.errors.some(({ path }) => isSame(path, seed.path)))
      this.#fail(new Error(`Cannot return null for non-nullable field ${own.name}.`), own, seed)
    put(whole, isFailed ? seed.path.slice(0, -1) : seed.path, isFailed ? null : value)
    await this.fill(whole, sink.seeds)
  }

  async #valueOf(own: OwnField, { source, path }: Seed, sink: Sink): Promise<unknown> {
    try {
      return own.project(await own.resolve(source, this.#context), sink)
    } catch (error) {
      this.#fail(error, own, { path })
      return null
    }
  }

  #fail(error: unknown, { node }: OwnField, { path }: Pick<Seed, 'path'>): void {
    const { call, service } = this.#context
    this.errors.push(answerError(error, { host: service.host, ctx: call.ctx }, { path, locations: locationsOf(node) }))
  }
}

const isSame = (one: readonly (string | number)[] | undefined, other: readonly (string | number)[]): boolean =>
  one?.length === other.length && one.every((step, index) => step === other[index])

/** Puts a value at its place, unless something around it is null by now. */
function put(whole: object, [, ...path]: readonly (string | number)[], value: unknown): void {
  let holder: unknown = whole
  let key: string | number = 'root'
  for (const step of path) {
    holder = (holder as Record<string | number, unknown>)[key]
    if (holder === null || holder === undefined) return
    key = step
  }
  ;(holder as Record<string | number, unknown>)[key] = value
}
